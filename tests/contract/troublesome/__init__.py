"""Troublesome files of every kind, each with the table that it truly holds."""
