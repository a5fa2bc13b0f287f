"""Open, import, save, autosave and recover sessions; reopen exported figures."""
