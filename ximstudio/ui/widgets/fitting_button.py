"""Button whose text wraps into a second line."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size

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
