"""Leaving the program: maps that are kept nowhere else do not go without a question."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication

from ximstudio.model.words import counted
from ximstudio.ui.question import Question, ask
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase
from ximstudio.ui.window import MainWindow


class Leaving(QObject):
    """Stands between a person who closes the window and the window.

    Nobody could answer when the system ends the session, or somebody the process: see `now`.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._settled = False
        self.question: Question | None = None
        window.installEventFilter(self)

    def now(self) -> None:
        """Close the window without a question."""
        self._settled = True
        self._window.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Whether the window stays, at least until the question is answered."""
        if watched is not self._window or event.type() is not QEvent.Type.Close:
            return False
        lost = what_is_lost(self._window.studio)
        if self._settled or not lost or _session_ends():
            return False
        event.ignore()
        self._ask(lost)
        return True

    def _ask(self, lost: str) -> None:
        if self.question is not None:
            return
        self.question = ask(
            self._window,
            title="Close XIM Studio?",
            text=lost,
            yes="Close",
            no="Keep working",
            then=self.now,
        )
        self.question.finished.connect(self._answered)

    def _answered(self) -> None:
        self.question = None


def _session_ends() -> bool:
    application = QGuiApplication.instance()
    return isinstance(application, QGuiApplication) and application.isSavingSession()


def what_is_lost(studio: Studio) -> str:
    """What would be gone with the window, as a sentence or two; empty if that is nothing."""
    n_maps = len(studio.session.runs)
    maps = f"{counted(n_maps, 'map is', 'maps are')} not saved anywhere, and would be gone."
    training = "" if studio.phase is Phase.IDLE else "Training is under way, and would be lost."
    return " ".join(filter(None, (maps if n_maps else "", training)))
