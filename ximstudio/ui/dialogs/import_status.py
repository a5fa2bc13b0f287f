"""One line at the foot of a dialog: what is computed, how far it is, and what holds it up."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from ximstudio.ui.dialogs.import_newest import Newest
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, button, label
from ximstudio.ui.studio import Phase, Studio

BAR_WIDTH = 120


class Status(QWidget):
    """Follows work of which the newest matters; says what `idle_text` says when there is none."""

    def __init__(self, studio: Studio, work: Newest, doing: str) -> None:
        super().__init__()
        self._studio = studio
        self._work = work
        self._doing = doing
        self.idle_text = ""
        self._text = label(kind="muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 1000)
        self._bar.setFixedWidth(BAR_WIDTH)
        self.pause = button("Pause training", size=Size.SMALL, icon_name="pause")
        self.pause.clicked.connect(studio.pause)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(spacing.SMALL)
        for widget in (self._bar, self._text, self.pause):
            row.addWidget(widget)
        row.addStretch(1)
        work.changed.connect(self.show_work)
        studio.phase_changed.connect(self.show_work)
        self.show_work()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_work(self) -> None:
        """Say what is going on now."""
        busy, waiting = self._work.busy, self._work.waiting
        self._bar.setVisible(busy)
        self._bar.setValue(round(1000 * self._work.fraction) if busy and not waiting else 0)
        self.pause.setVisible(bool(waiting) and self._studio.phase is Phase.RUNNING)
        if waiting:
            self._text.setText(f"Waiting until this ends: {waiting}")
        else:
            self._text.setText(self._doing if busy else self.idle_text)
