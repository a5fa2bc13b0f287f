"""Leaving the program: work that is saved nowhere does not go without a question."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication

from ximstudio.ui.question import Question
from ximstudio.ui.window import MainWindow


class Leaving(QObject):
    """Stands between a person who closes the window and the window.

    Nobody could answer when the system ends the session, or somebody the process: see `unasked`.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._settled = False
        self._waits = False
        """Whether the window is to close once its session is saved."""
        self.question: Question | None = None
        window.installEventFilter(self)
        window.desk.ended.connect(self._look)
        window.desk.refused.connect(self._stay)

    def now(self) -> None:
        """Close the window without a question."""
        self._settled = True
        self._window.close()

    def unasked(self) -> None:
        """Close the window; what is unsaved is offered at the next start."""
        self._window.autosaving.stay()
        self.now()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Whether the window stays, at least until the question is answered."""
        if watched is not self._window or event.type() is not QEvent.Type.Close:
            return False
        keeping = self._window.keeping
        if self._settled or not (keeping.loses or keeping.is_saving):
            return False
        if _session_ends():
            self._window.autosaving.stay()
            return False
        event.ignore()
        if keeping.is_saving:
            # Closing would end it, and there would be no file.
            self._waits = True
        else:
            self._ask()
        return True

    def _ask(self) -> None:
        if self.question is not None:
            return
        self.question = self._window.keeping.unless_lost(self._window, self.now, no="Keep working")
        if self.question is not None:
            self.question.finished.connect(self._answered)

    def _stay(self) -> None:
        """Wait no more to close: what was refused is to be read."""
        self._waits = False

    def _look(self) -> None:
        """Close, or ask, now that nothing is being saved any more."""
        if self._waits and not self._window.keeping.is_saving:
            self._waits = False
            self._window.close()

    def _answered(self) -> None:
        self.question = None


def _session_ends() -> bool:
    application = QGuiApplication.instance()
    return isinstance(application, QGuiApplication) and application.isSavingSession()
