"""Text files whose structure is laid down: GCT, CLS, PCL, CDT, Orange."""
