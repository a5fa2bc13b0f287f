"""A line at the foot of a dialog with the progress of a job."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.widgets.boxes import STRETCH, hbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label

BAR_WIDTH = 120


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

    @property
    def text(self) -> str:
        return self._text.text()

    def show_work(self) -> None:
        """Show the present state."""
        busy = self._slot.busy
        self._bar.setVisible(busy)
        self._bar.setValue(round(1000 * self._slot.fraction) if busy else 0)
        self._text.setText(self._doing if busy else self.idle_text)
