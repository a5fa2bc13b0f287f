"""Sentences for a paper, each made from the values of a few parameters."""
