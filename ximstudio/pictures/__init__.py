"""Pictures as values, which views and figures draw alike. No Qt."""
