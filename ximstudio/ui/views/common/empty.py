"""Page of a view without a picture: the reason, and what to do or to wait for."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel

from ximstudio.ui.widgets.boxes import Stretch, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import button, label
from ximstudio.ui.widgets.look.icons import icon_pixmap
from ximstudio.ui.widgets.look.theme import the_theme

WIDTH = 360
SIGN = 40
PATIENCE = 250
"""Milliseconds before a waiting message, as most drawings are faster."""


class Empty(QFrame):
    """A plain page: an icon, a title, a sentence, and optionally a button."""

    chosen = Signal()
    """The button was pressed."""

    def __init__(self, icon_name: str) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self._icon = icon_name
        self._sign = QLabel()
        self._sign.setFixedHeight(SIGN)
        self._title = label(kind="title")
        self._text = label(kind="muted", wrap=True)
        self._button = button("")
        self._button.clicked.connect(self.chosen)
        # The text must not make narrow panes wider.
        self.setMinimumWidth(1)
        self._awaited = ("", "")
        self.waiting = False
        """True if a picture is being computed."""
        self.patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self.patience.timeout.connect(self._say_wait)
        self._layout = column = vbox(Stretch(2), into=self, gap=spacing.SMALL)
        for part in (self._sign, self._title, self._text):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(part, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(spacing.HAIR)
        column.addWidget(self._button, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        the_theme().follow(self._tint)
        self._tint()

    @property
    def title(self) -> str:
        return self._title.text()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_message(self, title: str, text: str, *, action: str = "") -> None:
        """Say what is missing and how to get it; `action` is the text of the button."""
        self.patience.stop()
        self.waiting = False
        self._say(title, text, action)

    def show_wait(self, title: str, text: str = "") -> None:
        """Stay blank, and after a moment say what is being computed."""
        if self.waiting and self._awaited == (title, text):
            return
        begun, self.waiting, self._awaited = self.waiting, True, (title, text)
        if begun and not self.patience.isActive():
            # A message is shown already; only its words change.
            self._say(title, text, "")
        elif not begun:
            self._say("", "", "")
            self.patience.start()

    def _say_wait(self) -> None:
        self._say(*self._awaited, "")

    def _say(self, title: str, text: str, action: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # A layout that centres its widgets ignores the height of wrapped text.
        width = max(1, min(WIDTH, self.width() - 2 * spacing.LARGE))
        self._text.ensurePolished()
        self._text.setMinimumHeight(0)
        self._text.setFixedSize(width, max(self._text.heightForWidth(width), 0))
        self._leave_out()

    def _leave_out(self) -> None:
        """Hide the icon, then the sentence, if they would overlap the rest."""
        said, written = bool(self._title.text()), bool(self._text.text())
        for sign, text in ((said, written), (False, written), (False, False)):
            self._sign.setVisible(sign)
            self._text.setVisible(text)
            if self._layout.totalMinimumSize().height() <= self.height():
                break
        self.setToolTip("" if text or not written else self._text.text())

    def _tint(self) -> None:
        scale = self.devicePixelRatioF()
        self._sign.setPixmap(icon_pixmap(self._icon, SIGN, role="disabled", scale=scale))
