"""The whole of what a person works on; every change makes a new one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.session.data import Data
from ximstudio.session.judged import Judged
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.run import Run


@dataclass(frozen=True, kw_only=True, eq=False)
class Session:
    """Data, plan, runs, and what is chosen among the items.

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
    selection, selection_before
        The items that are chosen, and those that were before.
    sets
        Saved selections, pasted lists and gene sets, in the order in which they came.
    compared
        Keys of the runs that are seen side by side, in the order of their panels; the first is the
        one that the others are brought over.
    judged
        What repeating compared runs found; None until somebody asked for it.
    """

    data: Data | None = None
    plan: TrainingPlan = field(default_factory=TrainingPlan)
    runs: tuple[Run, ...] = ()
    shown: str | None = None
    n_made: int = 0
    selection: Selection = NOTHING
    selection_before: Selection = NOTHING
    sets: tuple[NamedSet, ...] = ()
    compared: tuple[str, ...] = ()
    judged: Judged | None = None

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return next((run for run in self.runs if run.key == self.shown), None)

    @property
    def compared_runs(self) -> tuple[Run, ...]:
        """The runs that are seen side by side."""
        runs = {run.key: run for run in self.runs}
        return tuple(runs[key] for key in self.compared if key in runs)

    @property
    def matrix(self) -> Matrix | None:
        """The table whose items can be chosen: that of the shown run, or else the prepared one."""
        if self.run is not None:
            return self.run.matrix
        return None if self.data is None else self.data.matrix

    def present(self, run: Run) -> Run | None:
        """A run as it is now: it may have another name, or measures; None if it is gone."""
        return next((other for other in self.runs if other.result is run.result), None)

    def parent_of(self, run: Run) -> Run | None:
        """The run that another one descends from; None if there is none, or it was deleted."""
        return next((other for other in self.runs if other.key == run.parent), None)

    def with_run(self, run: Run, *, n_made: int | None = None) -> Session:
        """The session with a new run, which is shown; one more was made, or so many in all."""
        n_made = self.n_made + 1 if n_made is None else n_made
        return replace(self, runs=(*self.runs, run), shown=run.key, n_made=n_made)

    def with_changed(self, run: Run) -> Session:
        """The session with a run in place of the one with its key."""
        runs = tuple(run if other.key == run.key else other for other in self.runs)
        return replace(self, runs=runs)

    def without(self, key: str) -> Session:
        """The session without a run; if it was shown, the newest of the others is."""
        runs = tuple(run for run in self.runs if run.key != key)
        shown = self.shown if self.shown != key else runs[-1].key if runs else None
        compared = tuple(other for other in self.compared if other != key)
        return replace(self, runs=runs, shown=shown, compared=compared)

    def with_selection(self, selection: Selection) -> Session:
        """The session with other items chosen."""
        return replace(self, selection=selection, selection_before=self.selection)

    def without_set(self, name: str) -> Session:
        """The session without a set."""
        return replace(self, sets=tuple(each for each in self.sets if each.name != name))
