"""The right of the window: what is chosen, what is known about it, and the sets that are kept."""
