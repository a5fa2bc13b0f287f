"""The session store with its job queue, settings, messages and garbage collection."""
