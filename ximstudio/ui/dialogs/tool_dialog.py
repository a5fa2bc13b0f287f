"""Dialogs beside the map, which stay open, and dialogs that close with their table."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label

BELOW = 56
"""Distance from the top of the window, so that the toolbar stays visible."""


class ToolDialog(QDialog):
    """Non-modal dialog above the window; Escape closes it, and the window's shortcuts work.

    A subclass fills `column` and updates itself in `refresh`.
    """

    def __init__(self, parent: QWidget, *, title: str, about: str, width: int, height: int) -> None:
        super().__init__(parent)
        # Only with a tool window do the shortcuts of the main window keep working.
        self.setWindowFlag(Qt.WindowType.Tool)
        self.resize(width, height)
        self.heading = label(kind="title")
        self.about = label(kind="muted", wrap=True)
        self.column = vbox(
            self.heading, self.about, into=self, gap=spacing.SMALL, margins=spacing.LARGE
        )
        self._placed = False
        self.introduce(title, about)

    def introduce(self, title: str, about: str) -> None:
        """Set title and description, in the words of the table."""
        self.setWindowTitle(title)
        self.heading.setText(title)
        self.about.setText(about)
        give_help(self, about)

    def bring(self) -> None:
        """Show the dialog or bring it to the front, and focus it."""
        self.refresh()
        self.show()
        self.raise_()
        self.activateWindow()

    def refresh(self) -> None:
        """Update from the session."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802  (Qt's name)
        """Place the dialog over the steps, beside the map."""
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


def close_with_table(dialog: QDialog, actions: Actions) -> None:
    """Cancel the dialog when the session's table is replaced.

    A file that was being read may become the session's table while the dialog is open; the dialog's
    action would then apply to it.
    """
    data = actions.session.data
    labelled = None if data is None else data.labelled

    def look() -> None:
        now = actions.session.data
        if (None if now is None else now.labelled) is not labelled:
            dialog.reject()

    actions.store.changed.connect(look)
    dialog.finished.connect(lambda: actions.store.changed.disconnect(look))
