"""Parquet and Feather."""
