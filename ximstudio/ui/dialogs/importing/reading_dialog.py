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
        self._status = Status(self._reading, doing)
        cancel = button("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        return hbox(
            (self._status, 1),
            cancel,
            self.ok,
            gap=spacing.SMALL,
            margins=(spacing.WIDE, spacing.MEDIUM, spacing.WIDE, spacing.MEDIUM),
        )

    def _ended(self) -> None:
        self._reading.stop()
        ReadingDialog._open.discard(self)


class Status(QWidget):
    """Shows the progress of a slot's job, or `idle_text` without one."""

    def __init__(self, slot: JobSlot, doing: str) -> None:
        super().__init__()
        self._slot = slot
        self._doing = doing
        self.idle_text = ""
        self._text = label(kind="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 1000)
        self._bar.setFixedWidth(BAR_WIDTH)
        hbox(self._bar, self._text, STRETCH, into=self, gap=spacing.SMALL, margins=0)
        slot.changed.connect(self.show_work)
        self.show_work()

    def show_work(self) -> None:
        """Show the present state."""
        busy = self._slot.busy
        self._bar.setVisible(busy)
        self._bar.setValue(round(1000 * self._slot.fraction) if busy else 0)
        self._text.setText(self._doing if busy else self.idle_text)
