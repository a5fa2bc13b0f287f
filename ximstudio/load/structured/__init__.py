"""Text files with a fixed structure: GCT, CLS, PCL, CDT, Orange, Perseus."""
