"""Widgets of the Portraits view."""
