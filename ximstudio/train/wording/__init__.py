"""Sentences of the methods text about parameters that several methods share."""
