"""What people do with a trained map: find, compare, order, match, and bring new items to it."""
