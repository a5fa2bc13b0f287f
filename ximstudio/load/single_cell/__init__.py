"""h5ad files and 10x matrices."""
