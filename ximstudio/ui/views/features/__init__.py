"""Widgets of the Planes view."""
