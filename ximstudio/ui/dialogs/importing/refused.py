"""Page for an unreadable file: the problem and its solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from ximstudio.load import Choices, Guess
from ximstudio.model.problem import Problem
from ximstudio.model.words import counted
from ximstudio.session.words import way_out_text, without_folder
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, label
from ximstudio.ui.widgets.look.icons import icon_pixmap
from ximstudio.ui.widgets.look.theme import the_theme

WIDTH = 440
SIGN = 40


MOST_LETTERS = 60
"""Maximum length of a value on a button."""


def hint_title(hint: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the text of a button that follows a hint: "Read with Missing values: failed".

    `names` are names of fields that differ from those of `Choices`.
    """
    specs = Choices.specs()
    parts = []
    for key, value in hint.items():
        shown = ", ".join(value) if isinstance(value, tuple) else specs[key].show(value)
        short = shown if len(shown) <= MOST_LETTERS else f"{shown[:MOST_LETTERS]}…"
        parts.append(f"{names.get(key, specs[key].label)}: {short or 'none'}")
    return f"Read with {'; '.join(parts)}".replace("&", "&&")


class RefusedFile(QWidget):
    """Page that shows why a file could not be read."""

    hint_wanted = Signal(object)
    """Choices with which the user wants to read the file: name → value."""
    another_wanted = Signal()
    """The user wants to choose another file."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._sign = QLabel()
        self._sign.setFixedHeight(SIGN)
        self.what = label(kind="muted")
        self._where, self.way_out = label(kind="caption"), label()
        self._more = label(kind="muted")
        self.hint = button("", kind=ButtonKind.PRIMARY)
        self.hint.clicked.connect(lambda: self.hint_wanted.emit(self._hint))
        self._hint: Mapping[str, Any] = {}
        self.another = button("Choose another file…")
        self.another.clicked.connect(self.another_wanted)
        column = QVBoxLayout(self)
        column.setSpacing(spacing.SMALL)
        column.addStretch(2)
        for part in (self._sign, self.what, self._where, self.way_out, self._more):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            part.setTextFormat(Qt.TextFormat.PlainText)
            part.setWordWrap(part is not self._sign)
            column.addWidget(part, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(spacing.SMALL)
        column.addWidget(self.hint, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.another, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self.hint.hide()
        self.another.hide()
        self._say(self.what, "The first rows will be shown here.")
        the_theme().follow(self._tint)

    def show_problems(self, problems: Sequence[Problem], known: Mapping[str, Guess]) -> None:
        """Show the first problem and the number of others."""
        first, *others = problems
        names = {key: guess.label for key, guess in known.items()}
        self.what.setProperty("kind", "heading")
        self.what.style().polish(self.what)
        for part, text in (
            (self.what, first.what),
            (self._where, without_folder(first.where, self._path)),
            (self.way_out, way_out_text(first, names)),
            (self._more, f"… and {counted(len(others), 'more problem')}." if others else ""),
        ):
            self._say(part, text)
            part.setVisible(bool(text))
        self._hint = next((problem.hint for problem in problems if problem.hint), {})
        self.hint.setVisible(bool(self._hint))
        self.hint.setText(hint_title(self._hint, names))
        # Pasted cells have no file to replace.
        self.another.setVisible(bool(self._path))
        self._tint()

    def _say(self, part: QLabel, text: str) -> None:
        part.setText(text)
        # A centring layout ignores the height-for-width of wrapped text.
        part.ensurePolished()
        part.setFixedSize(WIDTH, max(part.heightForWidth(WIDTH), 0))

    def _tint(self) -> None:
        if not self.way_out.text():
            return
        scale = self.devicePixelRatioF()
        self._sign.setPixmap(icon_pixmap("error", SIGN, role="danger", scale=scale))
