"""Measures of map quality: numbers per map, per item and per node."""
