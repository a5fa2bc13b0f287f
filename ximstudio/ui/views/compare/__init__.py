"""Widgets of the Compare view: maps side by side, measures, sweeps and stability."""
