"""Results → files."""

from ximstudio.export.preparation import write_preparation
from ximstudio.export.record import run_record, write_record
from ximstudio.export.tables import write_history, write_model, write_positions

__all__ = [
    "run_record",
    "write_history",
    "write_model",
    "write_positions",
    "write_preparation",
    "write_record",
]
