"""The selection panel on the right of the window: selection, its facts, and sets."""
