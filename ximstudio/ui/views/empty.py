"""What a view shows while there is nothing to see: why, and the way out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import button, label
from ximstudio.ui.look.icons import icon_pixmap
from ximstudio.ui.look.theme import the_theme

WIDTH = 360
SIGN = 40


class Empty(QFrame):
    """A quiet page: a sign, a title, a sentence, and maybe a button."""

    chosen = Signal()
    """The button was pressed."""

    def __init__(self, icon_name: str) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self._icon = icon_name
        self._sign = QLabel()
        self._sign.setFixedHeight(SIGN)
        self._title = label(kind="title")
        self._text = label(kind="muted")
        self._text.setWordWrap(True)
        self._button = button("")
        self._button.clicked.connect(self.chosen)
        self._text.setFixedWidth(WIDTH)
        column = QVBoxLayout(self)
        column.setSpacing(spacing.SMALL)
        column.addStretch(2)
        for part in (self._sign, self._title, self._text):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(part, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(spacing.HAIR)
        column.addWidget(self._button, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        the_theme().changed.connect(self._tint)
        self._tint()

    @property
    def title(self) -> str:
        return self._title.text()

    def show_message(self, title: str, text: str, *, action: str = "") -> None:
        """Say what is missing and how to get it; `action` is the text of the button."""
        self._title.setText(title)
        self._text.setText(text)
        self._button.setText(action)
        self._button.setVisible(bool(action))
        # A layout that centres its widgets does not ask how high wrapped text becomes.
        self._text.ensurePolished()
        self._text.setMinimumHeight(0)
        self._text.setFixedHeight(self._text.heightForWidth(WIDTH))

    def _tint(self) -> None:
        scale = self.devicePixelRatioF()
        self._sign.setPixmap(icon_pixmap(self._icon, SIGN, role="disabled", scale=scale))
