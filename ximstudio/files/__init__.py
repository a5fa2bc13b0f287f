"""Read and write files safely: atomically, within limits, and with clean-up after kills."""
