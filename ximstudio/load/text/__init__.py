"""Delimited text: CSV, TSV and similar formats."""
