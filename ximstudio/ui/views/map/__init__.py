"""Widgets of the Map view."""
