"""What is wrong with a table, where, and which step of a recipe repairs it."""
