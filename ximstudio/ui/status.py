"""The bottom line: what happens now, how far it is, and what was done last."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QStatusBar, QWidget

from ximstudio.load.samples import PREFIX
from ximstudio.model.problem import Problem
from ximstudio.session.training import Live
from ximstudio.ui.desk import Job
from ximstudio.ui.elided import Elided
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, Size, button, tool_button
from ximstudio.ui.studio import Phase, Studio
from ximstudio.ui.words import name_of, size_words

BAR_WIDTH = 160
FULL = 1000
"""Steps of the progress bar."""


class StatusLine(QStatusBar):
    """Follows the desk: a job with its progress and a cross to end it, or the table in short."""

    problems_wanted = Signal()
    """A person wants to see the last problems again."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self._studio = studio
        self.now = Elided()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(BAR_WIDTH)
        self.cancel = tool_button("close", tip="Cancel", size=Size.SMALL)
        self.last = Elided()
        self.again = button("Show the last problem", kind=Kind.LINK, size=Size.SMALL)
        self.again.hide()
        self.cancel.clicked.connect(self.stop)
        self.again.clicked.connect(self.problems_wanted)
        self._lay_out()
        desk = studio.desk
        desk.began.connect(self._show_job)
        desk.ended.connect(self._show_job)
        desk.progressed.connect(self._show_progress)
        desk.changed.connect(self._show_change)
        desk.refused.connect(self._show_refusal)
        studio.trained.connect(self._show_training)
        studio.phase_changed.connect(self._show_job)
        self._show_job()

    def _lay_out(self) -> None:
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.setContentsMargins(spacing.MEDIUM, 0, spacing.MEDIUM, 0)
        row.setSpacing(spacing.SMALL)
        row.addWidget(self.now)
        row.addWidget(self.bar)
        row.addWidget(self.cancel)
        row.addStretch(1)
        row.addWidget(self.again)
        row.addWidget(self.last)
        self.addWidget(inside, 1)

    def stop(self) -> None:
        """End what is going on; training keeps its last complete map."""
        if self._studio.phase is Phase.RUNNING:
            self._studio.stop()
        else:
            self._studio.desk.stop()

    @property
    def _job(self) -> Job | None:
        job = self._studio.desk.job
        return None if job is None or job.quiet else job

    def _show_job(self) -> None:
        job = self._job
        for widget in (self.bar, self.cancel):
            widget.setVisible(job is not None)
        if job is None:
            self.now.show_text(self._resting())
            return
        training = self._studio.phase is Phase.RUNNING
        self.cancel.setToolTip("Stop and keep the map as it is (Esc)" if training else "Cancel")
        self.now.show_text(f"{_short(job.doing)}…")
        # Until the job tells how far it is.
        self.bar.setRange(0, 0)

    def _resting(self) -> str:
        if self._studio.phase is Phase.PAUSED and self._studio.live is not None:
            return f"Paused at {self._studio.live.fraction:.0%}"
        data = self._studio.session.data
        return "Ready" if data is None else f"{name_of(data)}, {size_words(data)}"

    def _show_progress(self, job: Job, fraction: float) -> None:
        if job is self._job:
            self._show_fraction(fraction)
            self.now.show_text(f"{_short(job.doing)}, {fraction:.0%}")

    def _show_training(self, live: Live) -> None:
        job = self._job
        if job is None or self._studio.phase is not Phase.RUNNING:
            return
        self._show_fraction(live.fraction)
        left = time_left(live.seconds, live.fraction)
        self.now.show_text(", ".join((job.doing, f"{live.fraction:.0%}", *left)))

    def _show_fraction(self, fraction: float) -> None:
        self.bar.setRange(0, FULL)
        self.bar.setValue(round(FULL * fraction))

    def _show_change(self, what: str) -> None:
        self.last.show_text(f"Last: {_short(what)}")
        if self._job is None:
            self.now.show_text(self._resting())

    def _show_refusal(self, problems: tuple[Problem, ...]) -> None:
        if problems:
            self.last.show_text(problems[0].what)
            self.again.show()


def time_left(seconds: float, fraction: float) -> tuple[str, ...]:
    """How long it will still take, once that can be told: ("about 12 s left",) or nothing."""
    if fraction < 0.02 or fraction >= 1.0 or seconds < 0.3:
        return ()
    left = seconds * (1.0 - fraction) / fraction
    if left < 60.0:
        return (f"about {max(1, round(left))} s left",)
    if left < 5400.0:
        return (f"about {round(left / 60.0)} min left",)
    return (f"about {left / 3600.0:.1f} h left",)


def _short(doing: str) -> str:
    """What is done, without the folders of the file it is done to."""
    first, separator, path = doing.partition(" ")
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    return f"{first}{separator}{name.replace(PREFIX, 'sample ')}"
