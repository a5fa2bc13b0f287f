"""Compiled loops: numba, arrays in, arrays out. The only package that uses the report's letters."""
