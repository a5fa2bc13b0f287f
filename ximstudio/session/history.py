"""What was done, step by step, and the way back and forth: every state is kept as it was."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from ximstudio.session.session import Session

MOST_STEPS = 200
"""Steps that can be taken back."""
MOST_TABLES = 18
"""Arrays of values that the states of a history may hold, each of which may take a gigabyte: as
many as six tables have that were read, prepared and trained on."""


@dataclass(frozen=True, kw_only=True, eq=False)
class UndoStep:
    """What was done, and the session before it (after it, for what was taken back)."""

    what: str
    session: Session


@dataclass(frozen=True, kw_only=True, eq=False)
class UndoHistory:
    """The session as it is, what led to it, and what was taken back.

    Parameters
    ----------
    present
        The session.
    past
        What can be taken back, the newest last, each with the session before.
    future
        What was taken back, the next to be done again last, each with the session after.
    """

    present: Session = field(default_factory=Session)
    past: tuple[UndoStep, ...] = ()
    future: tuple[UndoStep, ...] = ()

    @property
    def undoes(self) -> str:
        """What would be taken back; '' if there is nothing."""
        return self.past[-1].what if self.past else ""

    @property
    def redoes(self) -> str:
        """What would be done again; '' if there is nothing."""
        return self.future[-1].what if self.future else ""

    @property
    def n_made(self) -> int:
        """How many runs there ever were, also in states that were taken back."""
        states = (self.present, *(step.session for step in (*self.past, *self.future)))
        return max(state.n_made for state in states)

    def committed(self, session: Session, what: str, *, merge: bool = False) -> UndoHistory:
        """The history after something was done.

        With `merge`, the same thing done again is one step: typing a number is one change of it.
        """
        if merge and self.past and self.past[-1].what == what and not self.future:
            return replace(self, present=session)
        gone = {id(run.result) for run in self.present.runs if session.present(run) is None}
        past = (*self.past, UndoStep(what=what, session=self.present))
        if gone:
            past = tuple(replace(step, session=_relieved(step.session, gone)) for step in past)
        return UndoHistory(present=session, past=_bounded(past, session))

    def undone(self) -> UndoHistory:
        """The history after the last step was taken back."""
        if not self.past:
            return self
        *past, last = self.past
        future = (*self.future, UndoStep(what=last.what, session=self.present))
        return UndoHistory(present=last.session, past=tuple(past), future=future)

    def redone(self) -> UndoHistory:
        """The history after what was taken back last is done again."""
        if not self.future:
            return self
        *future, last = self.future
        past = (*self.past, UndoStep(what=last.what, session=self.present))
        return UndoHistory(present=last.session, past=past, future=tuple(future))

    def amended(self, change: Callable[[Session], Session]) -> UndoHistory:
        """The history with something added to every state that nobody did, such as measures."""
        return UndoHistory(
            present=change(self.present),
            past=tuple(replace(step, session=change(step.session)) for step in self.past),
            future=tuple(replace(step, session=change(step.session)) for step in self.future),
        )


def _relieved(session: Session, gone: Collection[int]) -> Session:
    """The session without the evidence of runs that are gone: it can be had again, if they are."""
    runs = tuple(
        replace(run, evidence=None) if id(run.result) in gone else run for run in session.runs
    )
    return replace(session, runs=runs)


def _bounded(past: tuple[UndoStep, ...], present: Session) -> tuple[UndoStep, ...]:
    """The newest steps, as many as may be kept."""
    held = set(_memory(present))
    for number, step in enumerate(reversed(past)):
        held |= _memory(step.session)
        if number == MOST_STEPS or len(held) > MOST_TABLES:
            return past[len(past) - number :]
    return past


def _memory(session: Session) -> frozenset[int]:
    return frozenset() if session.data is None else session.data.memory
