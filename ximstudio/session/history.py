"""What was done, step by step, and the way back and forth: every state is kept as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ximstudio.session.session import Session

MOST_STEPS = 200
"""Steps that can be taken back."""
MOST_TABLES = 6
"""Different tables that the states of a history may hold: each takes its memory."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """What was done, and the session before it (after it, for what was taken back)."""

    what: str
    session: Session


@dataclass(frozen=True, kw_only=True, eq=False)
class History:
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
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()

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

    def committed(self, session: Session, what: str, *, merge: bool = False) -> History:
        """The history after something was done.

        With `merge`, the same thing done again is one step: typing a number is one change of it.
        """
        if merge and self.past and self.past[-1].what == what and not self.future:
            return replace(self, present=session)
        past = (*self.past, Step(what=what, session=self.present))
        return History(present=session, past=_bounded(past, session))

    def undone(self) -> History:
        """The history after the last step was taken back."""
        if not self.past:
            return self
        *past, last = self.past
        future = (*self.future, Step(what=last.what, session=self.present))
        return History(present=last.session, past=tuple(past), future=future)

    def redone(self) -> History:
        """The history after what was taken back last is done again."""
        if not self.future:
            return self
        *future, last = self.future
        past = (*self.past, Step(what=last.what, session=self.present))
        return History(present=last.session, past=past, future=tuple(future))

    def amended(self, change: Callable[[Session], Session]) -> History:
        """The history with something added to every state that nobody did, such as measures."""
        return History(
            present=change(self.present),
            past=tuple(replace(step, session=change(step.session)) for step in self.past),
            future=tuple(replace(step, session=change(step.session)) for step in self.future),
        )


def _bounded(past: tuple[Step, ...], present: Session) -> tuple[Step, ...]:
    """The newest steps, as many as may be kept."""
    tables = {id(present.data)}
    for number, step in enumerate(reversed(past)):
        tables.add(id(step.session.data))
        if number == MOST_STEPS or len(tables) > MOST_TABLES:
            return past[len(past) - number :]
    return past
