"""Matrix → Matrix: what is done to the data before training."""

from ximstudio.prepare.missing import FILLINGS, KEEP, fill_missing

__all__ = ["FILLINGS", "KEEP", "fill_missing"]
