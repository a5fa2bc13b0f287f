"""Where a map comes from, and what can be begun from it: the bar above the views."""
