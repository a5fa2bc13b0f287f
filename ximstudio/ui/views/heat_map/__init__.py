"""Widgets of the Heat map view."""
