"""Runs side by side: linked, aligned and judged."""
