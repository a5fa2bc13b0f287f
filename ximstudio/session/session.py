"""The session: everything that the user works on, as an immutable value, and its undo history."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.session.data import Data
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.run import Judged, Run


@dataclass(frozen=True, kw_only=True, eq=False)
class Session:
    """Data, plan, runs, and the selection.

    Parameters
    ----------
    data
        The table; None until one is opened.
    plan
        What to train next.
    runs
        All maps, oldest first.
    shown
        Key of the run on display; None for none.
    n_made
        Number of runs ever made, including deleted ones: the next one is named after it.
    selection, selection_before
        The selected items, and those selected before.
    sets
        Saved selections, pasted lists and gene sets, oldest first.
    compared
        Keys of the runs that are compared, in the order of their panels; the others are aligned
        to the first.
    judged
        Results of retraining the compared runs; None before they are computed.
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
        """The run on display."""
        return next((run for run in self.runs if run.key == self.shown), None)

    @property
    def compared_runs(self) -> tuple[Run, ...]:
        """The runs that are compared."""
        runs = {run.key: run for run in self.runs}
        return tuple(runs[key] for key in self.compared if key in runs)

    @property
    def matrix(self) -> Matrix | None:
        """The table whose items can be selected: of the run on display, or the prepared one."""
        if self.run is not None:
            return self.run.matrix
        return None if self.data is None else self.data.matrix

    def present(self, run: Run) -> Run | None:
        """Return the present state of a run (name, measures, …); None if it was deleted."""
        return next((other for other in self.runs if other.result is run.result), None)

    def parent_of(self, run: Run) -> Run | None:
        """Return the parent of a run; None if there is none, or it was deleted."""
        return next((other for other in self.runs if other.key == run.parent), None)

    def with_run(self, run: Run, *, n_made: int | None = None) -> Session:
        """Add a run and display it; `n_made` is the new number of runs ever made, or one more."""
        n_made = self.n_made + 1 if n_made is None else n_made
        return replace(self, runs=(*self.runs, run), shown=run.key, n_made=n_made)

    def with_changed(self, run: Run) -> Session:
        """Replace the run that has the same key."""
        runs = tuple(run if other.key == run.key else other for other in self.runs)
        return replace(self, runs=runs)

    def without(self, key: str) -> Session:
        """Remove a run; if it was displayed, display the newest of the others."""
        runs = tuple(run for run in self.runs if run.key != key)
        shown = self.shown if self.shown != key else runs[-1].key if runs else None
        compared = tuple(other for other in self.compared if other != key)
        return replace(self, runs=runs, shown=shown, compared=compared)

    def with_selection(self, selection: Selection) -> Session:
        """Change the selection."""
        return replace(self, selection=selection, selection_before=self.selection)

    def with_judged(self, judged: Judged) -> Session:
        """Add the results of retraining runs, if any of these is left."""
        known = any(judged.number_of(run) is not None for run in self.runs)
        return replace(self, judged=judged) if known else self

    def with_names(self, names: Mapping[str, str]) -> Session:
        """Rename runs, by key, where the new names are free."""
        taken = {run.name for run in self.runs if run.key not in names}
        runs = (
            replace(run, name=name) if (name := names.get(run.key)) and name not in taken else run
            for run in self.runs
        )
        return replace(self, runs=tuple(runs))

    def without_set(self, name: str) -> Session:
        """Remove a set."""
        return replace(self, sets=tuple(each for each in self.sets if each.name != name))


def same_work(one: Session, other: Session) -> bool:
    """Return whether no work is lost if one state replaces the other.

    Neither the map on display nor measures count: they can be restored.
    """
    return (
        one.data is other.data
        and one.plan == other.plan
        and one.selection == other.selection
        and one.sets == other.sets
        and one.compared == other.compared
        and one.judged is other.judged
        and len(one.runs) == len(other.runs)
        and all(map(_same_run, one.runs, other.runs))
    )


def _same_run(one: Run, other: Run) -> bool:
    return one is other or (
        one.key == other.key
        and one.result is other.result
        and one.name == other.name
        and one.starred == other.starred
        and one.clustering is other.clustering
        and one.stability is other.stability
        and one.projected == other.projected
    )


MOST_STEPS = 200
"""Maximum number of steps that can be undone."""
MOST_TABLES = 18
"""Maximum number of value arrays that the states of a history may hold, each of which may take a
gigabyte: as many as six tables that were read, prepared and trained on.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class UndoStep:
    """Name of an action, and the session before it (after it, for an action to redo)."""

    what: str
    session: Session


@dataclass(frozen=True, kw_only=True, eq=False)
class UndoHistory:
    """The present session, the actions that led to it, and the actions that were undone.

    Parameters
    ----------
    present
        The session.
    past
        Actions to undo, newest last, each with the session before.
    future
        Actions to redo, next one last, each with the session after.
    """

    present: Session = field(default_factory=Session)
    past: tuple[UndoStep, ...] = ()
    future: tuple[UndoStep, ...] = ()

    @property
    def undoes(self) -> str:
        """Name of the action to undo; '' for none."""
        return self.past[-1].what if self.past else ""

    @property
    def redoes(self) -> str:
        """Name of the action to redo; '' for none."""
        return self.future[-1].what if self.future else ""

    @property
    def n_made(self) -> int:
        """Number of runs ever made, also in undone states."""
        states = (self.present, *(step.session for step in (*self.past, *self.future)))
        return max(state.n_made for state in states)

    def committed(self, session: Session, what: str, *, merge: bool = False) -> UndoHistory:
        """Return the history after an action.

        With `merge`, repeating the same action stays one step: typing a number is one change of it.
        """
        if merge and self.past and self.past[-1].what == what and not self.future:
            return replace(self, present=session)
        gone = {id(run.result) for run in self.present.runs if session.present(run) is None}
        past = (*self.past, UndoStep(what=what, session=self.present))
        if gone:
            past = tuple(replace(step, session=_relieved(step.session, gone)) for step in past)
        return UndoHistory(present=session, past=_bounded(past, session))

    def undone(self) -> UndoHistory:
        """Return the history after one undo."""
        if not self.past:
            return self
        *past, last = self.past
        future = (*self.future, UndoStep(what=last.what, session=self.present))
        return UndoHistory(present=last.session, past=tuple(past), future=future)

    def redone(self) -> UndoHistory:
        """Return the history after one redo."""
        if not self.future:
            return self
        *future, last = self.future
        past = (*self.past, UndoStep(what=last.what, session=self.present))
        return UndoHistory(present=last.session, past=past, future=tuple(future))

    def amended(self, change: Callable[[Session], Session]) -> UndoHistory:
        """Change every state without adding a step, for what is not an action, such as measures."""
        return UndoHistory(
            present=change(self.present),
            past=tuple(replace(step, session=change(step.session)) for step in self.past),
            future=tuple(replace(step, session=change(step.session)) for step in self.future),
        )


def _relieved(session: Session, gone: Collection[int]) -> Session:
    """Drop the evidence of removed runs, which can be computed again if they return."""
    runs = tuple(
        replace(run, evidence=None) if id(run.result) in gone else run for run in session.runs
    )
    return replace(session, runs=runs)


def _bounded(past: tuple[UndoStep, ...], present: Session) -> tuple[UndoStep, ...]:
    """Keep as many of the newest steps as the limits allow."""
    held = set(_memory(present))
    for number, step in enumerate(reversed(past)):
        held |= _memory(step.session)
        if number == MOST_STEPS or len(held) > MOST_TABLES:
            return past[len(past) - number :]
    return past


def _memory(session: Session) -> frozenset[int]:
    return frozenset() if session.data is None else session.data.memory
