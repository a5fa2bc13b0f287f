"""The Qt half of the Map view."""
