"""The Qt half of the Quality view."""
