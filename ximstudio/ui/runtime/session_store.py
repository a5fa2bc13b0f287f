"""The session that is open, its changes, and undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from ximstudio.session import Run, Session
from ximstudio.session.session import UndoHistory


class SessionStore(QObject):
    """Holds the frozen session and its history; whatever shows the session follows `changed`."""

    changed = Signal(str)
    """The session was replaced; carries a description of the step."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = UndoHistory()
        self.last_step = ""
        """Description of the user's last step; amendments, such as measures, are no steps."""

    @property
    def session(self) -> Session:
        """The present session."""
        return self.history.present

    def commit(self, session: Session, what: str, *, merge: bool = False) -> None:
        """Replace the session; `what` describes the step.

        With `merge`, a step with the same description as the last one is undone together with it.
        """
        self.history = self.history.committed(session, what, merge=merge)
        self._step(what)

    def update(self, what: str, *, merge: bool = False, **changes: Any) -> None:
        """Commit the session with some fields changed."""
        self.commit(replace(self.session, **changes), what, merge=merge)

    def reset(self, session: Session, what: str) -> None:
        """Replace the session and clear its history."""
        self.history = UndoHistory(present=session)
        self._step(what)

    def amend(self, change: Callable[[Session], Session], what: str) -> None:
        """Change every state, past and future, without a step of its own, such as by measures."""
        self.history = self.history.amended(change)
        self.changed.emit(what)

    def change_run(self, run: Run, what: str, **changes: Any) -> bool:
        """Change fields of a run, which may have been renamed; return False if it was deleted."""
        present = self.session.present(run)
        if present is not None:
            self.commit(self.session.with_changed(replace(present, **changes)), what)
        return present is not None

    def add_late(self, change: Callable[[Session], Session], what: str) -> None:
        """Add the result of a long job: as a step, or as an amendment if there are steps to redo.

        A new step would drop the steps that can be redone.
        """
        if self.history.future:
            self.amend(change, what)
        else:
            self.commit(change(self.session), what)

    def undo(self) -> None:
        """Undo the last step."""
        what = self.history.undoes
        if what:
            self.history = self.history.undone()
            self._step(f"Undo: {what}")

    def redo(self) -> None:
        """Redo the step that was undone last."""
        what = self.history.redoes
        if what:
            self.history = self.history.redone()
            self._step(f"Redo: {what}")

    def _step(self, what: str) -> None:
        self.last_step = what
        self.changed.emit(what)
