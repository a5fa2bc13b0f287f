"""Sentences for a paper, each written from the values of a few parameters."""
