"""A dialog of words: as wide as can be read, and as high as its words need."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QWidget


class FittedDialog(QDialog):
    """Qt guesses the height of wrapped text for a narrower dialog, and leaves gaps."""

    def __init__(self, parent: QWidget, width: int) -> None:
        super().__init__(parent)
        self.setFixedWidth(width)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  (Qt's name)
        super().showEvent(event)
        self.fit()

    def fit(self) -> None:
        """Be as high as what is in it; to be called when that has changed."""
        layout = self.layout()
        if layout is not None and self.isVisible():
            layout.activate()
            self.setFixedHeight(layout.totalHeightForWidth(self.width()))
