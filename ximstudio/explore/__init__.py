"""Use trained maps: find, compare, order and match items, and project new ones."""
