"""Progress bar."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar

FULL = 1000
"""Parts of the bar."""


class ProgressBar(QProgressBar):
    """Progress bar that repaints only with the next paint event.

    Qt's own paints itself at once whenever it changes, and with it every other part of the window
    that waits for it: with a live map that is the most expensive thing to do, twice in each frame.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setTextVisible(False)

    def show_fraction(self, fraction: float) -> None:
        """Show the progress, from 0 to 1."""
        self._show(FULL, round(FULL * fraction))

    def show_unknown(self) -> None:
        """Show indeterminate progress."""
        self._show(0, 0)

    def _show(self, end: int, value: int) -> None:
        if (end, value) == (self.maximum(), self.value()):
            return
        self.setUpdatesEnabled(False)
        self.setRange(0, end)
        self.setValue(value)
        self.setUpdatesEnabled(True)
