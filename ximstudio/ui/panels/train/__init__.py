"""The Train step: progress, curves, pause and stop."""
