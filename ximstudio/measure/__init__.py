"""Can this map be believed? Numbers per map, per item and per node."""
