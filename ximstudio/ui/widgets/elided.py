"""Label that elides its text, and button that wraps it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy

from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size

LEAST = 24


class Elided(QLabel):
    """One-line label that never asks for more room than there is."""

    def __init__(
        self,
        text: str = "",
        *,
        kind: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__()
        self.setProperty("kind", kind)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._mode = mode
        self.full = ""
        """The full text."""
        self._tip = ""
        self.show_text(text)

    def show_text(self, text: str, *, tip: str = "") -> None:
        """Show a text; `tip` is added to the tooltip."""
        if (text, tip) != (self.full, self._tip):
            self.full, self._tip = text, tip
            self.updateGeometry()
            self._fit()

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        self.ensurePolished()
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.full) + 2, metrics.height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(LEAST, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802  (Qt's name)
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        cut = self.fontMetrics().elidedText(self.full, self._mode, self.contentsRect().width())
        self.setText(cut)
        lines = ("" if cut == self.full else self.full, self._tip)
        self.setToolTip("\n".join(filter(None, lines)))


PADDING = 2 * spacing.SMALL + 4
NARROWEST = 60


class FittingButton(QPushButton):
    """Small button that wraps its text if there is no room."""

    def __init__(self, text: str, *, tip: str = "") -> None:
        super().__init__()
        self.whole = text
        self.setProperty("extent", Size.SMALL.value)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(text)
        self.setToolTip(tip)
        self._fit()

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        self.ensurePolished()
        width = self.fontMetrics().horizontalAdvance(self.whole) + PADDING
        return QSize(width, spacing.CONTROL_SMALL)

    def minimumSizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(min(NARROWEST, self.sizeHint().width()), spacing.CONTROL_SMALL)

    def heightForWidth(self, width: int) -> int:  # noqa: N802  (Qt's name)
        more = len(self._lines(width)) - 1
        return spacing.CONTROL_SMALL + more * self.fontMetrics().lineSpacing()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setText("\n".join(self._lines(self.width())))

    def _lines(self, width: int) -> list[str]:
        """Return the text, broken into lines that fit the button."""
        metrics, room = self.fontMetrics(), max(width - PADDING, 1)
        lines = [""]
        for word in self.whole.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and metrics.horizontalAdvance(longer) > room:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines
