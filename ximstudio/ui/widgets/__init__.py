"""Widgets that know nothing of maps: cards, forms, dialogs, drawing items, and the look."""
