"""The user's work as values: data, plan, runs. No Qt.

Names are imported on first use, because most commands need only the words of a table.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ximstudio.session.data import Data, open_data, with_recipe
    from ximstudio.session.plan import TrainingPlan
    from ximstudio.session.run import Run
    from ximstudio.session.session import Session

__all__ = ["Data", "Run", "Session", "TrainingPlan", "open_data", "with_recipe"]

_MODULES = {
    "Data": "data",
    "Run": "run",
    "Session": "session",
    "TrainingPlan": "plan",
    "open_data": "data",
    "with_recipe": "data",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
