"""The Qt half of the Heat map view."""
