"""The Qt half of the Planes view."""
