"""The Method step: method, presets, parameters and seed."""
