"""What a person is working on, as values: data, plan, runs. No Qt."""

from ximstudio.session.data import Data, open_data, with_recipe
from ximstudio.session.plan import Plan
from ximstudio.session.run import Run
from ximstudio.session.session import Session

__all__ = ["Data", "Plan", "Run", "Session", "open_data", "with_recipe"]
