"""The import dialog, and the dialog that joins a second table."""
