"""Base class of dialogs about a file that is read in the background."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QWidget

from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.widgets.boxes import STRETCH, hbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, label

BAR_WIDTH = 120


class ReadingDialog(QDialog):
    """Dialog with a button that takes the file, and the progress of reading beside it."""

    _open: ClassVar[set[ReadingDialog]] = set()
    """Open dialogs, kept alive here."""

    def __init__(
        self, actions: Actions, parent: QWidget | None, *, title: str, about: str, takes: str
    ) -> None:
        """`takes` is the text of the button that takes the file."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        give_help(self, about)
        self._actions = actions
        self._reading = JobSlot(actions.jobs, self)
        self.ok = button(takes, kind=ButtonKind.PRIMARY)
        self.ok.setDefault(True)
        self.ok.clicked.connect(self.accept)
        self.finished.connect(self._ended)

    def _foot(self, doing: str) -> QHBoxLayout:
        """Return the foot of the dialog; `doing` says what the job does."""
        self._doing, self._idle_text = doing, ""
        self._text, self._bar = label(kind="muted"), QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 1000)
        self._bar.setFixedWidth(BAR_WIDTH)
        status = hbox(self._bar, self._text, STRETCH, gap=spacing.SMALL, margins=0)
        cancel = button("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self._reading.changed.connect(self._show_work)
        self._show_work()
        edges = (spacing.WIDE, spacing.MEDIUM, spacing.WIDE, spacing.MEDIUM)
        return hbox((status, 1), cancel, self.ok, gap=spacing.SMALL, margins=edges)

    def _show_work(self) -> None:
        """Show the progress of the job, or the idle text without one."""
        busy = self._reading.busy
        self._bar.setVisible(busy)
        self._bar.setValue(round(1000 * self._reading.fraction) if busy else 0)
        self._text.setText(self._doing if busy else self._idle_text)

    def _ended(self) -> None:
        self._reading.stop()
        ReadingDialog._open.discard(self)
