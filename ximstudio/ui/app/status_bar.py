"""The bottom line: what happens now, how far it is, and what was done last."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStatusBar, QWidget

from ximstudio.model.problem import Problem
from ximstudio.session.training import Live
from ximstudio.session.words import name_of, origin_of, share_text, size_words
from ximstudio.ui.desk import Job
from ximstudio.ui.elided import Elided
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, Size, button, tool_button
from ximstudio.ui.look.progress import ProgressBar
from ximstudio.ui.pace import Pace, duration_text
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase

BAR_WIDTH = 160


class StatusLine(QStatusBar):
    """Follows the desk: a job with its progress and a cross to end it, or the table in short."""

    problems_wanted = Signal()
    """A person wants to see the last problems again."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.setWhatsThis(
            "What happens now, how far it is, and what was done last. The cross cancels it, and so"
            " does Esc; training keeps its last complete map."
        )
        self._studio = studio
        self._pace = Pace()
        self._told: tuple[Job | None, Phase] | None = None
        """The job that is shown, and in which phase of training."""
        self._said = ""
        """What was said since a person did something; '' if nothing was."""
        self.now = Elided()
        self.bar = ProgressBar()
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
        job, phase = self._job, self._studio.phase
        if job is not None and job is self._studio.desk.file:
            self._studio.desk.drop(job)
        elif phase is Phase.RUNNING or (phase is Phase.PAUSED and job is None):
            self._studio.stop()
        elif job is not None:
            self._studio.desk.drop(job)

    @property
    def _job(self) -> Job | None:
        """What is told of; quiet jobs are none of a person's business."""
        desk = self._studio.desk
        return desk.file or desk.job or desk.series

    def _show_job(self) -> None:
        job = self._job
        told = (job, self._studio.phase)
        if job is not None and told == self._told:
            # A quiet one began or ended beside it.
            return
        self._told = told
        for widget in (self.bar, self.cancel):
            widget.setVisible(job is not None)
        if job is None:
            self._rest()
            return
        self._pace.forget()
        training = self._studio.phase is Phase.RUNNING and job is not self._studio.desk.file
        self.cancel.setToolTip("Stop and keep the map as it is (Esc)" if training else "Cancel")
        self.now.show_text(f"{job.doing}…")
        # Until the job tells how far it is.
        self.bar.show_unknown()

    def _rest(self) -> None:
        """Show what there is while nothing is done."""
        data, live = self._studio.session.data, self._studio.live
        if self._studio.phase is Phase.PAUSED and live is not None:
            self.now.show_text(f"Paused at {share_text(live.fraction)}")
        elif data is None:
            self.now.show_text("Ready")
        else:
            self.now.show_text(f"{name_of(data)}, {size_words(data)}", tip=origin_of(data))

    def _show_progress(self, job: Job, fraction: float) -> None:
        if job is self._job:
            self.bar.show_fraction(fraction)
            self.now.show_text(f"{job.doing}, {share_text(fraction)}")

    def _show_training(self, live: Live) -> None:
        job = self._job
        if job is None or job is self._studio.desk.file:
            return
        if self._studio.phase is not Phase.RUNNING:
            return
        self.bar.show_fraction(live.fraction)
        self._pace.note(live.seconds, live.step)
        seconds = self._pace.left(live.n_steps)
        left = () if seconds is None else (f"{duration_text(seconds)} left",)
        self.now.show_text(", ".join((job.doing, share_text(live.fraction), *left)))

    def tell(self, what: str) -> None:
        """Say something that changed nothing, such as that names were copied."""
        self._said = what
        self.last.show_text(what)

    def _show_change(self, what: str) -> None:
        if what == self._studio.desk.done_last:
            self._said = ""
        # What nobody did, such as measuring, does not take the place of what a person was told.
        self.last.show_text(self._said or f"Last: {what}")
        if self._job is None:
            self._rest()

    def _show_refusal(self, problems: tuple[Problem, ...]) -> None:
        if problems:
            self._said = problems[0].what
            self.last.show_text(self._said)
            self.again.show()
