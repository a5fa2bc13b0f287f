"""The strip of runs at the bottom of the window."""
