"""A button whose text may be longer than the panel is wide."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size

PADDING = 2 * spacing.SMALL + 4
NARROWEST = 60


class FittingButton(QPushButton):
    """A small button that ends its text with "…" where there is no room; the tip has it all."""

    def __init__(self, text: str, *, tip: str = "") -> None:
        super().__init__()
        self.whole = text
        self.setProperty("extent", Size.SMALL.value)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)
        self._tip = tip
        self._fit()

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        width = self.fontMetrics().horizontalAdvance(self.whole) + PADDING
        return QSize(width, spacing.CONTROL_SMALL)

    def minimumSizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(min(NARROWEST, self.sizeHint().width()), spacing.CONTROL_SMALL)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = max(self.width() - PADDING, 1)
        shown = self.fontMetrics().elidedText(self.whole, Qt.TextElideMode.ElideRight, room)
        self.setText(shown)
        told = [self.whole] if shown != self.whole else []
        self.setToolTip("\n".join([*told, *([self._tip] if self._tip else [])]))
