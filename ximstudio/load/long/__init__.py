"""Long tables: one row per value, with the names of its gene and its sample beside it."""
