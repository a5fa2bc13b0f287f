"""The Qt half of the Portraits view."""
