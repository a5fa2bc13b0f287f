"""Matrices with annotated rows and columns in one file: BIOM, loom and GCTX."""
