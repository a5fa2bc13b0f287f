"""Windows beside the main one: what is done in them shows in the views at once."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from ximstudio.ui.help import give_help
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label

BELOW = 56
"""From the top of the window: its bar stays free."""


class ToolDialog(QDialog):
    """Stays above the window while both are used; Escape closes it, and the window's keys hold.

    A subclass fills `column`, and shows what the session has by `refresh`.
    """

    def __init__(self, parent: QWidget, *, title: str, about: str, width: int, height: int) -> None:
        super().__init__(parent)
        # Only above a tool do the shortcuts of the window below go on working, such as undo.
        self.setWindowFlag(Qt.WindowType.Tool)
        self.resize(width, height)
        self.heading = label(kind="title")
        self.about = label(kind="muted")
        self.about.setWordWrap(True)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(*([spacing.LARGE] * 4))
        self.column.setSpacing(spacing.SMALL)
        self.column.addWidget(self.heading)
        self.column.addWidget(self.about)
        self._placed = False
        self.introduce(title, about)

    def introduce(self, title: str, about: str) -> None:
        """Say what it is for, in the words of the table that is shown."""
        self.setWindowTitle(title)
        self.heading.setText(title)
        self.about.setText(about)
        give_help(self, about)

    def bring(self) -> None:
        """Show it, or bring it to the front, with the keyboard in it."""
        self.refresh()
        self.show()
        self.raise_()
        self.activateWindow()

    def refresh(self) -> None:
        """Show what the session has now."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  (Qt's name)
        """Come up over the steps, which are not needed now, and beside the map."""
        super().showEvent(event)
        parent = self.parentWidget()
        if self._placed or parent is None:
            return
        self._placed = True
        corner = parent.window().mapToGlobal(parent.window().rect().topLeft())
        self.move(corner.x() + spacing.SMALL, corner.y() + BELOW)

    def event(self, event: QEvent) -> bool:
        """Keep Escape from the window's shortcut, which would stop training."""
        pressed = event.key() if isinstance(event, QKeyEvent) else None
        if event.type() is QEvent.Type.ShortcutOverride and pressed == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)
