"""Widgets of the Positions view."""
