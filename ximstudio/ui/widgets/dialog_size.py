"""Fit the size of a dialog into its window."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog

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
