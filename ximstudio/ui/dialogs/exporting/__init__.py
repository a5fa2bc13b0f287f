"""The export dialog: figure, text, tables, script and report, a page each."""
