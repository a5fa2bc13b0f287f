"""The Prepare step: the recipe with its steps."""
