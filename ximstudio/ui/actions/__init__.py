"""Actions that a user can take, from opening a table to comparing maps; no widgets."""
