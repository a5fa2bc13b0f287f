"""Fit the size of a dialog to its text, and into its window."""

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


AROUND = 40
"""Margin of the window around a dialog, in pixels."""


def fit_into_window(
    dialog: QDialog, size: tuple[int, int], *, least: tuple[int, int] = (0, 0)
) -> None:
    """Resize a dialog to `size`, or to what the window or the screen has room for."""
    above = dialog.parentWidget()
    room = dialog.screen().availableSize() if above is None else above.window().size()
    width, height = (
        max(smallest, min(wanted, there - AROUND))
        for wanted, smallest, there in zip(size, least, (room.width(), room.height()), strict=True)
    )
    dialog.resize(width, height)
