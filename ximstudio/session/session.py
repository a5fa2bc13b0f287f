"""The whole of what a person works on; every change makes a new one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ximstudio.session.data import Data
from ximstudio.session.plan import Plan
from ximstudio.session.run import Run


@dataclass(frozen=True, kw_only=True, eq=False)
class Session:
    """Data, plan and runs.

    Parameters
    ----------
    data
        The table; None until one is opened.
    plan
        What is to be trained next.
    runs
        All maps, the oldest first.
    shown
        Key of the run that the views show; None for none.
    n_made
        How many runs there ever were, deleted ones too: the next is named after it.
    """

    data: Data | None = None
    plan: Plan = field(default_factory=Plan)
    runs: tuple[Run, ...] = ()
    shown: str | None = None
    n_made: int = 0

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return next((run for run in self.runs if run.key == self.shown), None)

    def parent_of(self, run: Run) -> Run | None:
        """The run that another one descends from; None if there is none, or it was deleted."""
        return next((other for other in self.runs if other.key == run.parent), None)

    def with_run(self, run: Run) -> Session:
        """The session with a new run, which is shown."""
        return replace(self, runs=(*self.runs, run), shown=run.key, n_made=self.n_made + 1)

    def with_changed(self, run: Run) -> Session:
        """The session with a run in place of the one with its key."""
        runs = tuple(run if other.key == run.key else other for other in self.runs)
        return replace(self, runs=runs)

    def without(self, key: str) -> Session:
        """The session without a run; if it was shown, the newest of the others is."""
        runs = tuple(run for run in self.runs if run.key != key)
        shown = self.shown if self.shown != key else runs[-1].key if runs else None
        return replace(self, runs=runs, shown=shown)
