"""Problems in a banner above the window, and unexpected errors in a dialog."""

from __future__ import annotations

import platform
import sys
import threading
import traceback
from collections.abc import Sequence
from html import escape
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Signal, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from ximstudio import __version__
from ximstudio.model.problem import Problem, Severity
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Banner, ButtonKind, Tone, button, label

MOST_SHOWN = 3
"""Problems that are listed; the rest is counted."""
MOST_KEPT = 20
"""Unexpected errors whose details are kept, so that a repeated one cannot fill the memory."""

_TONES = {Severity.ERROR: Tone.DANGER, Severity.WARNING: Tone.WARNING, Severity.NOTE: Tone.NOTE}


class ProblemBanner(Banner):
    """Shows problems: what is wrong, where, and what to do."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: tuple[Problem, ...] = ()
        self.setWhatsThis("What went wrong, where, and what you can do about it.")
        self.hide()

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Replace the shown problems."""
        self.problems = tuple(problems)
        if not problems:
            self.hide()
            return
        worst = min((problem.severity for problem in problems), key=tuple(_TONES).index)
        title, text = _words_for(self.problems)
        (copy,) = self.show_message(title, text, tone=_TONES[worst], actions=("Copy details",))
        copy.setToolTip("Copy the problem and its solution to the clipboard")
        copy.clicked.connect(lambda: put_on_clipboard(details(self.problems)))


def details(problems: Sequence[Problem]) -> str:
    """Return problems as text for a report."""
    return "\n\n".join(f"{problem}\n  key:     {problem.key}" for problem in problems)


def put_on_clipboard(text: str) -> None:
    """Copy text to the clipboard."""
    QGuiApplication.clipboard().setText(text)


def _words_for(problems: tuple[Problem, ...]) -> tuple[str, str]:
    """Return the plain title and the HTML text of a banner."""
    if len(problems) == 1:
        (problem,) = problems
        return _plain(problem.what), _lines(problem.address, problem.way_out)
    shown = [
        f"<p style='margin:0 0 {spacing.HAIR}px 0'><b>{escape(problem.what)}</b>"
        f" {_lines(problem.address, problem.way_out)}</p>"
        for problem in problems[:MOST_SHOWN]
    ]
    more = len(problems) - MOST_SHOWN
    if more > 0:
        shown.append(f"<p style='margin:0'>… and {more} more. “Copy details” has them all.</p>")
    return f"{len(problems)} problems found", "".join(shown)


def _lines(*sentences: str) -> str:
    """Return sentences as escaped lines of HTML."""
    return "<br>".join(escape(sentence) for sentence in sentences if sentence)


def _plain(text: str) -> str:
    """Return text that a label shows verbatim, even if it looks like HTML."""
    return f"<span>{escape(text)}</span>" if "<" in text else text


class ErrorDialog(QDialog):
    """Shows unexpected errors with the details that a report needs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("XIM Studio")
        self.resize(640, 420)
        self.errors: list[str] = []
        self._n_more = 0
        words = label(
            "This is an error in XIM Studio, not in your data. Your work is still here and "
            "you can continue. To report the error, copy the details.",
            kind="muted",
            wrap=True,
        )
        self._details = QPlainTextEdit()
        self._details.setReadOnly(True)
        self._details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._copy = button("Copy details", icon_name="copy")
        close = button("Close", kind=ButtonKind.PRIMARY)
        close.setDefault(True)
        self._copy.setAutoDefault(False)
        self._copy.clicked.connect(lambda: put_on_clipboard(self.details))
        close.clicked.connect(self.accept)
        below = hbox(self._copy, STRETCH, close, gap=spacing.SMALL)
        vbox(
            label("An unexpected error occurred", kind="title"),
            words,
            (self._details, 1),
            below,
            into=self,
            gap=spacing.MEDIUM,
            margins=spacing.WIDE,
        )

    @property
    def details(self) -> str:
        """The text that is copied."""
        more = [f"… and {self._n_more} more."] if self._n_more else []
        return "\n\n".join([surroundings(), *self.errors, *more])

    def show_error(self, error: BaseException) -> None:
        """Append an error to those that are shown."""
        if not self.isVisible():
            self.errors, self._n_more = [], 0
        text = "".join(traceback.format_exception(error)).rstrip()
        if len(self.errors) < MOST_KEPT and text not in self.errors:
            self.errors.append(text)
        else:
            self._n_more += 1
        self._details.setPlainText(self.details)
        self.show()


def surroundings() -> str:
    """Return versions and system in one line."""
    return (
        f"XIM Studio {__version__}, Python {platform.python_version()}, Qt {qVersion()},"
        f" {platform.platform(terse=True)}"
    )


class Watch(QObject):
    """Passes uncaught exceptions of all threads to the window's thread."""

    happened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._before: tuple[Any, Any] | None = None

    def begin(self) -> None:
        """Install the exception hooks."""
        if self._before is None:
            self._before = sys.excepthook, threading.excepthook
            sys.excepthook = self._caught
            threading.excepthook = self._caught_in_thread

    def end(self) -> None:
        """Restore the previous exception hooks."""
        if self._before is not None:
            sys.excepthook, threading.excepthook = self._before
            self._before = None

    def _caught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if self._before is not None and not isinstance(error, Exception):
            # Such as Ctrl-C.
            self._before[0](kind, error, trace)
            return
        self.happened.emit(error.with_traceback(trace))

    def _caught_in_thread(self, seen: threading.ExceptHookArgs) -> None:
        if seen.exc_value is not None:
            self._caught(seen.exc_type, seen.exc_value, seen.exc_traceback)
