"""Widgets of the Quality view."""
