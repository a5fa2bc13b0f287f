"""Undo and redo: the history of a session, state by state."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from ximstudio.session.session import Session

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
