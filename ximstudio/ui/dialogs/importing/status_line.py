"""One line at the foot of a dialog: what is computed, and how far it is."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from ximstudio.ui.dialogs.import_newest import Newest
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label

BAR_WIDTH = 120


class Status(QWidget):
    """Follows work of which the newest matters; says what `idle_text` says when there is none."""

    def __init__(self, work: Newest, doing: str) -> None:
        super().__init__()
        self._work = work
        self._doing = doing
        self.idle_text = ""
        self._text = label(kind="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 1000)
        self._bar.setFixedWidth(BAR_WIDTH)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(spacing.SMALL)
        row.addWidget(self._bar)
        row.addWidget(self._text)
        row.addStretch(1)
        work.changed.connect(self.show_work)
        self.show_work()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_work(self) -> None:
        """Say what is going on now."""
        busy = self._work.busy
        self._bar.setVisible(busy)
        self._bar.setValue(round(1000 * self._work.fraction) if busy else 0)
        self._text.setText(self._doing if busy else self.idle_text)
