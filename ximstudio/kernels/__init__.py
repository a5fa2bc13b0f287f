"""Loops: numba, arrays in, arrays out. The report's letters live here, and nowhere else."""
