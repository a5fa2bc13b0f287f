"""Annotation of genes and samples: labels from a second file, and gene sets."""
