"""Ask before closing the window would lose unsaved work."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication

from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.widgets.question import Question


class QuitGuard(QObject):
    """Event filter that asks about unsaved work before the window closes.

    If the system ends the session or the process, nobody can answer: see `unasked`.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._settled = False
        self._waits = False
        """True to close the window as soon as its session is saved."""
        self.question: Question | None = None
        window.installEventFilter(self)
        window.jobs.ended.connect(self._look)
        window.jobs.refused.connect(self._stay)

    def now(self) -> None:
        """Close the window without a question."""
        self._settled = True
        self._window.close()

    def unasked(self) -> None:
        """Close the window without a question; unsaved work is offered at the next start."""
        self._window.autosaving.stay()
        self.now()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Return whether the close event is blocked, at least until the question is answered."""
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
            # Closing would cancel saving.
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
        """Cancel closing, so that the user can read why saving failed."""
        self._waits = False

    def _look(self) -> None:
        """Close or ask again after saving has ended."""
        if self._waits and not self._window.keeping.is_saving:
            self._waits = False
            self._window.close()

    def _answered(self) -> None:
        self.question = None


def _session_ends() -> bool:
    application = QGuiApplication.instance()
    return isinstance(application, QGuiApplication) and application.isSavingSession()
