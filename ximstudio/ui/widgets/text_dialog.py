"""Dialog whose height fits its wrapped text."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QWidget


class FittedDialog(QDialog):
    """Dialog as high as its text; Qt's guess for a narrower dialog leaves gaps."""

    def __init__(self, parent: QWidget, width: int) -> None:
        super().__init__(parent)
        self.setFixedWidth(width)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  (Qt's name)
        super().showEvent(event)
        self.fit()

    def fit(self) -> None:
        """Fit the height to the content; call it when the content has changed."""
        layout = self.layout()
        if layout is not None and self.isVisible():
            layout.activate()
            self.setFixedHeight(layout.totalHeightForWidth(self.width()))
