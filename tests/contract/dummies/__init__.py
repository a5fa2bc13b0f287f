"""Dummies that are added to registries, one module per kind, each a plugin of pytest."""
