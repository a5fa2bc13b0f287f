"""Read and write files safely: whole or not at all, within bounds, and tidied up after kills."""
