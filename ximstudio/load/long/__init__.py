"""Long tables: one value per row, beside the names of its gene and its sample."""
