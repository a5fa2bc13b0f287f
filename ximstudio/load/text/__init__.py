"""Text in cells: CSV, TSV and their kin."""
