"""Status line: the running job, its progress, and the last action."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStatusBar, QWidget

from ximstudio.jobs.remaining_time import Pace, duration_text
from ximstudio.model.problem import Problem
from ximstudio.session.training import LiveTraining
from ximstudio.session.words import name_of, origin_of, share_text, size_words
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.runtime.job_queue import AnyJob
from ximstudio.ui.widgets.boxes import STRETCH, hbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, tool_button
from ximstudio.ui.widgets.look.progress import ProgressBar

BAR_WIDTH = 160


class StatusLine(QStatusBar):
    """Status line that shows the running job with a cancel button, or a summary of the table."""

    problems_wanted = Signal()
    """The user wants to see the last problems again."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.setWhatsThis(
            "Shows the running job, its progress and the last action. Cancel it with the "
            "cross or Esc; training keeps its last complete map."
        )
        self._actions = actions
        self._pace = Pace()
        self._state: tuple[AnyJob | None, Phase] | None = None
        """The displayed job and its phase of training."""
        self._said = ""
        """The message since the user's last action; '' for none."""
        self.now = Elided()
        self.bar = ProgressBar()
        self.bar.setFixedWidth(BAR_WIDTH)
        self.cancel = tool_button("close", tip="Cancel", size=Size.SMALL)
        self.last = Elided()
        self.again = button("Show the last problem", kind=ButtonKind.LINK, size=Size.SMALL)
        self.again.hide()
        self.cancel.clicked.connect(self.stop)
        self.again.clicked.connect(self.problems_wanted)
        self._lay_out()
        store, jobs = actions.store, actions.jobs
        jobs.began.connect(self._show_job)
        jobs.ended.connect(self._show_job)
        jobs.progressed.connect(self._show_progress)
        store.changed.connect(self._show_change)
        jobs.refused.connect(self._show_refusal)
        actions.trained.connect(self._show_training)
        actions.phase_changed.connect(self._show_job)
        self._show_job()

    def _lay_out(self) -> None:
        inside = QWidget()
        hbox(
            self.now,
            self.bar,
            self.cancel,
            STRETCH,
            self.again,
            self.last,
            into=inside,
            gap=spacing.SMALL,
            margins=(spacing.MEDIUM, 0, spacing.MEDIUM, 0),
        )
        self.addWidget(inside, 1)

    def stop(self) -> None:
        """Cancel the running job; training keeps its last complete map."""
        job, phase = self._job, self._actions.phase
        if job is not None and job is self._actions.jobs.file:
            self._actions.jobs.drop(job)
        elif phase is Phase.RUNNING or (phase is Phase.PAUSED and job is None):
            self._actions.stop()
        elif job is not None:
            self._actions.jobs.drop(job)

    @property
    def _job(self) -> AnyJob | None:
        """Return the job to show; quiet jobs are not shown."""
        jobs = self._actions.jobs
        return jobs.file or jobs.current or jobs.series

    def _show_job(self) -> None:
        job = self._job
        state = (job, self._actions.phase)
        if job is not None and state == self._state:
            # A quiet job started or ended at the same time.
            return
        self._state = state
        for widget in (self.bar, self.cancel):
            widget.setVisible(job is not None)
        if job is None:
            self._rest()
            return
        self._pace.forget()
        training = self._actions.phase is Phase.RUNNING and job is not self._actions.jobs.file
        self.cancel.setToolTip("Stop and keep the current map (Esc)" if training else "Cancel")
        self.now.show_text(f"{job.label}…")
        # Until the job reports progress.
        self.bar.show_unknown()

    def _rest(self) -> None:
        """Show the summary while no job is running."""
        data, live = self._actions.session.data, self._actions.live
        if self._actions.phase is Phase.PAUSED and live is not None:
            self.now.show_text(f"Paused at {share_text(live.fraction)}")
        elif data is None:
            self.now.show_text("Ready")
        else:
            self.now.show_text(f"{name_of(data)}, {size_words(data)}", tip=origin_of(data))

    def _show_progress(self, job: AnyJob, fraction: float) -> None:
        if job is self._job:
            self.bar.show_fraction(fraction)
            self.now.show_text(f"{job.label}, {share_text(fraction)}")

    def _show_training(self, live: LiveTraining) -> None:
        job = self._job
        trains = self._actions.phase is Phase.RUNNING
        if job is None or job is self._actions.jobs.file or not trains:
            return
        self.bar.show_fraction(live.fraction)
        self._pace.note(live.seconds, live.step)
        seconds = self._pace.left(live.n_steps)
        left = () if seconds is None else (f"{duration_text(seconds)} left",)
        self.now.show_text(", ".join((job.label, share_text(live.fraction), *left)))

    def announce(self, what: str) -> None:
        """Show a message that is not an undo step, such as that names were copied."""
        self._said = what
        self.last.show_text(what)

    def _show_change(self, what: str) -> None:
        if what == self._actions.store.last_step:
            self._said = ""
        # Results of background work, such as measuring, do not replace messages to the user.
        self.last.show_text(self._said or f"Last: {what}")
        if self._job is None:
            self._rest()

    def _show_refusal(self, problems: tuple[Problem, ...]) -> None:
        if problems:
            self._said = problems[0].what
            self.last.show_text(self._said)
            self.again.show()
