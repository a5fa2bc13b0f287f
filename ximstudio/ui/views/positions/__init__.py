"""The Qt half of the Positions view."""
