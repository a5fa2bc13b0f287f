"""Train step: progress, curves, pause, stop."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QVBoxLayout

from ximstudio.jobs.remaining_time import Pace, duration_text
from ximstudio.model.result import Result
from ximstudio.pictures.map_texts import size_text
from ximstudio.session.parameter_words import number_text
from ximstudio.session.plan_changes import changes
from ximstudio.session.precompile import stage_of
from ximstudio.session.run import Run, TrainingCurves
from ximstudio.session.sides import has_map
from ximstudio.session.training import LiveTraining
from ximstudio.session.words import Words, item_word
from ximstudio.train import method_named
from ximstudio.train.checks import few_problems
from ximstudio.train.schedules import schedules
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.panels.curves import TrainCurves
from ximstudio.ui.panels.data.findings import carry_out
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.panels.train.notes import Obstacles, RepeatNote
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, Tone, button, label
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.progress import ProgressBar
from ximstudio.ui.widgets.message_card import MessageCard, clear

CURVES_MILLISECONDS = 100
"""Milliseconds between two updates of the curves; the map has priority."""
MOST_LISTED = 4
"""Number of changed settings that are listed; the rest is counted."""


class TrainPanel(Panel):
    """Train button, progress, and curves of the quality of the map."""

    key = "train"
    name = "Train"
    icon = "train"

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions)
        large = partial(button, size=Size.LARGE)
        self.go = large("Train", kind=ButtonKind.PRIMARY, icon_name="train")
        pause = "Pause training; Continue resumes it without any effect on the result"
        self.pause = large("Pause", kind=ButtonKind.PRIMARY, icon_name="pause", tip=pause)
        self.stop = large("Stop", icon_name="stop", tip="Stop and keep the current map (Esc)")
        self.repeat = RepeatNote()
        self.status = label(kind="strong", wrap=True)
        self.progress = ProgressBar()
        self.count = label(kind="muted", wrap=True)
        self.left = label(kind="muted")
        for figures in (self.count, self.left):
            figures.setFont(font(Text.BODY, tabular=True))
        self.obstacles = Obstacles()
        self.obstacles.repaired.connect(lambda repair: carry_out(actions, repair))
        self.obstacles.step_wanted.connect(self.step_wanted)
        self.curves = TrainCurves()
        self._cards = QVBoxLayout()
        self._state: tuple[object, ...] = ()
        self._pace = Pace()
        # Not together with the map: both at once would block the window too long.
        self._curves_later = QTimer(self, singleShot=True, interval=CURVES_MILLISECONDS)
        self._curves_later.timeout.connect(self._draw_live)
        self._drawn: tuple[object, ...] = ()
        self._lay_out()
        self.go.clicked.connect(actions.train)
        self.pause.clicked.connect(actions.pause)
        self.stop.clicked.connect(actions.stop)
        self.repeat.seed_wanted.connect(self._train_with)
        once = _SingleClicks(self)
        for each in (self.go, self.pause, self.stop):
            each.installEventFilter(once)
        actions.trained.connect(self.show_live)
        actions.jobs.began.connect(self._begin)

    @property
    def done(self) -> bool:
        """True if there is a map of the current table."""
        return has_map(self.user_actions.session)

    def show_session(self) -> None:
        """Show the state or the result of training."""
        actions = self.user_actions
        running, paused = actions.phase is Phase.RUNNING, actions.phase is Phase.PAUSED
        self.go.setVisible(not running)
        self.go.setText("Continue" if paused else "Train")
        self.go.setEnabled(paused or not self._why_not)
        idle = actions.phase is Phase.IDLE
        self.obstacles.show_obstacles(actions.session.data if idle else None, actions.obstacles)
        same = self._show_repeat()
        usual = f"Train {same} again (Ctrl+R)" if same else "Train a new map as planned (Ctrl+R)"
        self.go.setToolTip(self._why_not or usual)
        self.pause.setVisible(running)
        self.stop.setVisible(running or paused)
        if actions.phase is Phase.IDLE:
            self._show_idle()
        elif actions.live is None:
            self._show_waiting()
        else:
            self._show_progress(actions.live)
            self._draw(actions.live.result, actions.live.curves)
        self._show_changes()

    def show_live(self, live: LiveTraining) -> None:
        """Follow a training; called up to 30 times a second."""
        self._pace.note(live.seconds, live.step)
        self._show_progress(live)
        if not self._curves_later.isActive():
            self._curves_later.start()

    def _draw_live(self) -> None:
        live = self.user_actions.live
        if live is not None and self.user_actions.phase is not Phase.IDLE:
            self._draw(live.result, live.curves)

    def _begin(self) -> None:
        if self.user_actions.phase is Phase.RUNNING and self.user_actions.live is None:
            self._show_waiting()

    def _show_repeat(self) -> str:
        """Show whether the planned map exists already; return its name if so."""
        if self.user_actions.phase is Phase.IDLE and self.go.isEnabled():
            return self.repeat.show_session(self.user_actions.session)
        self.repeat.hide()
        return ""

    def _train_with(self, seed: int) -> None:
        self.user_actions.set_seed(seed)
        self.user_actions.train()

    # Building

    def _lay_out(self) -> None:
        buttons = hbox(gap=spacing.SMALL)
        for each in (self.go, self.pause, self.stop):
            buttons.addWidget(each, 1)
        figures = hbox((self.count, 1), self.left)
        vbox(
            buttons,
            self.repeat,
            self.obstacles,
            spacing.HAIR,
            self.status,
            self.progress,
            figures,
            self._cards,
            self.curves,
            STRETCH,
            into=self,
            gap=spacing.SMALL,
            margins=(0, spacing.SMALL, spacing.HAIR, spacing.LARGE),
        )

    # Plan

    @property
    def _why_not(self) -> str:
        """Return why training is not possible; '' if it is."""
        if self.user_actions.obstacles:
            return "A setting of the method is not valid."
        if self.data is None:
            return "Open a table first."
        return "The table cannot be trained on as it is." if self.matrix is None else ""

    @property
    def _intended(self) -> str:
        if self.data is None or self.matrix is None:
            return "Nothing to train on yet"
        name, n_items = self.user_actions.session.plan.method.name, self.matrix.n_items
        return f"{name} on {number_text(n_items)} {item_word(self.data, n_items)}"

    @property
    def _to_come(self) -> str:
        """Return a description of the planned training, which is possible."""
        assert self.matrix is not None
        params, n_items = self.user_actions.session.plan.params, self.matrix.n_items
        planned = schedules(params, n_items)
        if planned is None:
            n_steps = getattr(params.resolved(n_items), "n_steps", None)
        else:
            n_steps = planned.steps[-1]
        if n_steps is None:
            return "Computed at once, without training steps."
        grid, said = params.sized(n_items).planned, Words.of(self.data).said
        nodes = "" if grid is None else f"{size_text(grid)} nodes, "
        problems = few_problems(self.matrix)
        few = "".join(f"{said(each.what)} {each.way_out}\n\n" for each in problems)
        return (
            f"{few}{nodes}{number_text(n_steps)} {params.step_word}s.\n\nYou see the map unfold "
            "during training. You can pause or stop at any time: the current map is kept."
        )

    # Display

    def _show_idle(self) -> None:
        self._pace.forget()
        run = self.user_actions.session.run
        self.progress.hide()
        self.left.clear()
        if run is None:
            self.status.setText(self._intended)
            self.count.setText(self._why_not or self._to_come)
            self.curves.hide()
            return
        result = run.result
        self.status.setText(run.name)
        unit = f"{result.params.step_word}s"
        if result.finished:
            done = f"{number_text(result.step)} {unit}" if result.n_steps > 1 else "Computed"
        else:
            done = f"Stopped at {number_text(result.step)} of {number_text(result.n_steps)} {unit}"
        self.count.setText(f"{done} in {_seconds_text(run.seconds)}")
        self._draw(result, run.curves)

    def _show_waiting(self) -> None:
        """Show that training has not reached its first step."""
        job = self.user_actions.jobs.current
        before = job.label if job is not None and self.user_actions.waits else ""
        self._pace.forget()
        self.status.setText("Waiting…" if before else "Preparing…")
        self.count.setText(f"{before} comes first." if before else self._why_slow())
        self.left.clear()
        self.progress.show_unknown()
        self.progress.show()
        self.curves.hide()

    def _why_slow(self) -> str:
        """Return why the first step takes longer on a new computer."""
        stage = stage_of(self.user_actions.session.plan.params)
        if self.user_actions.ahead.is_compiling(stage):
            return "The program is being compiled for this computer: once, for about half a minute."
        return "The first time takes longer."

    def _show_progress(self, live: LiveTraining) -> None:
        paused = self.user_actions.phase is Phase.PAUSED
        name = method_named(live.result.method).name
        self.status.setText(f"{name} paused" if paused else f"Training {name}")
        self.progress.show_fraction(live.fraction)
        self.progress.show()
        unit = live.result.params.step_word
        self.count.setText(f"{number_text(live.step)} of {number_text(live.n_steps)} {unit}s")
        seconds = None if paused else self._pace.left(live.n_steps)
        self.left.setText("" if seconds is None else f"{duration_text(seconds)} left")

    def _draw(self, result: Result, sampled: TrainingCurves) -> None:
        drawn = (result.history, sampled)
        self.curves.show()
        if drawn == self._drawn:
            return
        self._drawn = drawn
        n_items = len(result.item_ids)
        self.curves.show_training(result.history, sampled, result.n_steps, n_items)

    def _show_changes(self) -> None:
        """Show which settings differ from those of the current map."""
        actions, session = self.user_actions, self.user_actions.session
        shown = None if actions.phase is Phase.RUNNING else actions.shown
        present = None if self.data is None else self.data.input
        found = () if shown is None else changes(session.plan, self.matrix, shown, present)
        run = None if shown is None else shown.run
        state = (run.key if run is not None and found else "", found)
        if state == self._state:
            return
        self._state = state
        clear(self._cards)
        if found:
            self._cards.addWidget(_paused_card(found) if run is None else self._card(run, found))

    def _card(self, run: Run, found: tuple[str, ...]) -> MessageCard:
        changed = "The settings have changed since this map was trained."
        card = MessageCard(Tone.NOTE, changed, way_out=_listed(found))
        self.again = button("Train again", size=Size.SMALL, kind=ButtonKind.PRIMARY)
        restore = f"Restore the settings and the preparation of {run.name}"
        self.reuse = button("Use its settings", size=Size.SMALL, tip=restore)
        self.again.setEnabled(self.go.isEnabled())
        self.again.clicked.connect(self.user_actions.train)
        self.reuse.clicked.connect(lambda: self.user_actions.reuse(run))
        card.add_action(self.again)
        card.add_action(self.reuse)
        return card


class _SingleClicks(QObject):
    """Event filter that ignores the second click of a double click: another button may be there by
    then.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Return whether the event is blocked."""
        del watched
        return event.type() is QEvent.Type.MouseButtonDblClick


def _paused_card(found: tuple[str, ...]) -> MessageCard:
    changed = "The settings have changed since this training began."
    way_out = "Continue uses the old settings. To use the new ones, press Stop, then Train."
    return MessageCard(Tone.NOTE, changed, where=_listed(found), way_out=way_out)


def _listed(found: tuple[str, ...]) -> str:
    """Return the changes as a sentence."""
    listed = "; ".join(found[:MOST_LISTED])
    more = f"; and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
    return f"{listed[:1].upper()}{listed[1:]}{more}."


def _seconds_text(seconds: float) -> str:
    if seconds < 0.1:
        return "less than 0.1 s"
    return f"{seconds:.1f} s" if seconds < 10 else duration_text(seconds)
