"""Compressed files and archives: what unpacks them, with limits."""
