"""Training: progress, curves, pause, stop."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from ximstudio.model.result import Result
from ximstudio.pictures.node_name import size_text
from ximstudio.session.ahead import stage_of
from ximstudio.session.run import Run
from ximstudio.session.training import Live
from ximstudio.session.training_curves import Curves
from ximstudio.session.words import Words, item_word
from ximstudio.train import method_named
from ximstudio.train.checks import few_problems
from ximstudio.train.schedules import schedules
from ximstudio.train.structure_params import StructureParams
from ximstudio.ui.form_words import number_text
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, Size, Tone, button, label
from ximstudio.ui.look.fonts import Text, font
from ximstudio.ui.look.progress import ProgressBar
from ximstudio.ui.pace import Pace, duration_text
from ximstudio.ui.panels.data_cards import MessageCard, clear
from ximstudio.ui.panels.data_findings import carry_out
from ximstudio.ui.panels.data_sides import has_map
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.panels.train_changes import changes
from ximstudio.ui.panels.train_curves import TrainCurves
from ximstudio.ui.panels.train_obstacles import Obstacles
from ximstudio.ui.panels.train_repeat import RepeatNote
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase

CURVES_MILLISECONDS = 100
"""Between two drawings of the curves: the map needs the time more."""
MOST_LISTED = 4
"""Changed settings that are named; the rest is counted."""


class TrainPanel(Panel):
    """One big button, how far it is, and curves of how good the map becomes."""

    key = "train"
    name = "Train"
    icon = "train"

    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self.go = button("Train", kind=Kind.PRIMARY, size=Size.LARGE, icon_name="train")
        self.pause = button("Pause", kind=Kind.PRIMARY, size=Size.LARGE, icon_name="pause")
        self.stop = button("Stop", size=Size.LARGE, icon_name="stop")
        self.stop.setToolTip("End training and keep the map as it is (Esc)")
        self.pause.setToolTip("Halt training; it can go on later as if nothing had happened")
        self.repeat = RepeatNote()
        self.status = label(kind="strong")
        self.status.setWordWrap(True)
        self.progress = ProgressBar()
        self.count = label(kind="muted")
        self.count.setWordWrap(True)
        self.left = label(kind="muted")
        for figures in (self.count, self.left):
            figures.setFont(font(Text.BODY, tabular=True))
        self.obstacles = Obstacles()
        self.obstacles.repaired.connect(lambda repair: carry_out(studio, repair))
        self.obstacles.step_wanted.connect(self.step_wanted)
        self.curves = TrainCurves()
        self._cards = QVBoxLayout()
        self._told: tuple[object, ...] = ()
        self._pace = Pace()
        # Not together with the map: the window would be silent for as long as both take.
        self._curves_later = QTimer(self)
        self._curves_later.setSingleShot(True)
        self._curves_later.setInterval(CURVES_MILLISECONDS)
        self._curves_later.timeout.connect(self._draw_live)
        self._drawn: tuple[object, ...] = ()
        self._lay_out()
        self.go.clicked.connect(studio.train)
        self.pause.clicked.connect(studio.pause)
        self.stop.clicked.connect(studio.stop)
        self.repeat.seed_wanted.connect(self._train_with)
        once = _SingleClicks(self)
        for each in (self.go, self.pause, self.stop):
            each.installEventFilter(once)
        studio.trained.connect(self.show_live)
        studio.desk.began.connect(self._begin)

    @property
    def done(self) -> bool:
        """Whether there is a map of what is mapped now."""
        return has_map(self.studio.session)

    @property
    def ready(self) -> bool:
        """Whether there is a table: one that cannot be trained on is said to be so, and why."""
        return self.studio.session.data is not None

    @property
    def _able(self) -> bool:
        """Whether a map could be trained now."""
        data = self.studio.session.data
        return data is not None and data.matrix is not None and not self.studio.hindrances

    def show_session(self) -> None:
        """Show what training does now, or what became of it."""
        studio = self.studio
        running, paused = studio.phase is Phase.RUNNING, studio.phase is Phase.PAUSED
        self.go.setVisible(not running)
        self.go.setText("Continue" if paused else "Train")
        self.go.setEnabled(paused or self._able)
        idle = studio.phase is Phase.IDLE
        self.obstacles.show_obstacles(studio.session.data if idle else None, studio.hindrances)
        same = self._show_repeat()
        usual = (
            f"Train {same} once more (Ctrl+R)" if same else "Train a new map as planned (Ctrl+R)"
        )
        self.go.setToolTip(_why_not(studio) or usual)
        self.pause.setVisible(running)
        self.stop.setVisible(running or paused)
        if studio.phase is Phase.IDLE:
            self._show_idle()
        elif studio.live is None:
            self._show_waiting()
        else:
            self._show_progress(studio.live)
            self._draw(studio.live.result, studio.live.curves)
        self._show_changes()

    def show_live(self, live: Live) -> None:
        """Follow a training; called up to 30 times a second."""
        self._pace.note(live.seconds, live.step)
        self._show_progress(live)
        if not self._curves_later.isActive():
            self._curves_later.start()

    def _draw_live(self) -> None:
        live = self.studio.live
        if live is not None and self.studio.phase is not Phase.IDLE:
            self._draw(live.result, live.curves)

    def _begin(self) -> None:
        if self.studio.phase is Phase.RUNNING and self.studio.live is None:
            self._show_waiting()

    def _show_repeat(self) -> str:
        """Say whether the map as planned is there already; its name if so."""
        if self.studio.phase is Phase.IDLE and self.go.isEnabled():
            return self.repeat.show_session(self.studio.session)
        self.repeat.hide()
        return ""

    def _train_with(self, seed: int) -> None:
        self.studio.set_seed(seed)
        self.studio.train()

    # Building

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(spacing.SMALL)
        for each in (self.go, self.pause, self.stop):
            buttons.addWidget(each, 1)
        figures = QHBoxLayout()
        figures.addWidget(self.count, 1)
        figures.addWidget(self.left)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, spacing.SMALL, spacing.HAIR, spacing.LARGE)
        column.setSpacing(spacing.SMALL)
        column.addLayout(buttons)
        column.addWidget(self.repeat)
        column.addWidget(self.obstacles)
        column.addSpacing(spacing.HAIR)
        column.addWidget(self.status)
        column.addWidget(self.progress)
        column.addLayout(figures)
        column.addLayout(self._cards)
        column.addWidget(self.curves)
        column.addStretch(1)

    # Filling

    def _show_idle(self) -> None:
        self._pace.forget()
        run = self.studio.session.run
        self.progress.hide()
        self.left.clear()
        if run is None:
            self.status.setText(_intended(self.studio))
            self.count.setText(_why_not(self.studio) or _to_come(self.studio))
            self.curves.hide()
            return
        result = run.result
        self.status.setText(run.name)
        unit = _unit(result)
        if result.finished:
            done = f"{number_text(result.step)} {unit}" if result.n_steps > 1 else "Computed"
        else:
            done = f"Stopped at {number_text(result.step)} of {number_text(result.n_steps)} {unit}"
        self.count.setText(f"{done} in {_seconds_text(run.seconds)}")
        self._draw(result, run.curves)

    def _show_waiting(self) -> None:
        """Show that training has not got to its first step."""
        job = self.studio.desk.job
        before = job.doing if job is not None and self.studio.waits else ""
        self._pace.forget()
        self.status.setText("Waiting…" if before else "Preparing…")
        self.count.setText(f"{before} comes first." if before else self._why_slow())
        self.left.clear()
        self.progress.show_unknown()
        self.progress.show()
        self.curves.hide()

    def _why_slow(self) -> str:
        """What the first step waits for, on a machine that is new to the program."""
        stage = stage_of(self.studio.session.plan.params)
        if self.studio.ahead.is_compiling(stage):
            return "The program is compiled for this machine: once, for about half a minute."
        return "The first time takes longer."

    def _show_progress(self, live: Live) -> None:
        paused = self.studio.phase is Phase.PAUSED
        name = method_named(live.result.method).name
        self.status.setText(f"{name} paused" if paused else f"Training {name}")
        self.progress.show_fraction(live.fraction)
        self.progress.show()
        unit = _unit(live.result)
        self.count.setText(f"{number_text(live.step)} of {number_text(live.n_steps)} {unit}")
        seconds = None if paused else self._pace.left(live.n_steps)
        self.left.setText("" if seconds is None else f"{duration_text(seconds)} left")

    def _draw(self, result: Result, sampled: Curves) -> None:
        drawn = (result.history, sampled)
        self.curves.show()
        if drawn == self._drawn:
            return
        self._drawn = drawn
        n_items = len(result.item_ids)
        self.curves.show_training(result.history, sampled, result.n_steps, n_items)

    def _show_changes(self) -> None:
        """Say what is planned otherwise than the map in the views is trained."""
        studio, session = self.studio, self.studio.session
        shown = None if studio.phase is Phase.RUNNING else studio.shown
        data = session.data
        matrix = None if data is None else data.matrix
        present = None if data is None else data.input
        found = () if shown is None else changes(session.plan, matrix, shown, present)
        run = None if shown is None else shown.run
        told = (run.key if run is not None and found else "", found)
        if told == self._told:
            return
        self._told = told
        clear(self._cards)
        if found:
            self._cards.addWidget(_paused_card(found) if run is None else self._card(run, found))

    def _card(self, run: Run, found: tuple[str, ...]) -> MessageCard:
        card = MessageCard(
            Tone.NOTE, "The settings changed since this map was trained.", way_out=_listed(found)
        )
        self.again = button("Train again", size=Size.SMALL, kind=Kind.PRIMARY)
        self.reuse = button("Use its settings", size=Size.SMALL)
        self.reuse.setToolTip(
            f"Plan to train with the settings of {run.name}, on the table as it was prepared then"
        )
        self.again.setEnabled(self.go.isEnabled())
        self.again.clicked.connect(self.studio.train)
        self.reuse.clicked.connect(lambda: self.studio.reuse(run))
        card.add_action(self.again)
        card.add_action(self.reuse)
        return card


class _SingleClicks(QObject):
    """Passes over the second half of a double click: by then another button is in its place."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Whether the event goes no further."""
        del watched
        return event.type() is QEvent.Type.MouseButtonDblClick


def _paused_card(found: tuple[str, ...]) -> MessageCard:
    return MessageCard(
        Tone.NOTE,
        "The settings changed since this training began.",
        where=_listed(found),
        way_out="Continue goes on with those it began with. Stop, then train, takes the new ones.",
    )


def _listed(found: tuple[str, ...]) -> str:
    """What changed, as a sentence."""
    listed = "; ".join(found[:MOST_LISTED])
    more = f"; and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
    return f"{listed[:1].upper()}{listed[1:]}{more}."


def _intended(studio: Studio) -> str:
    data = studio.session.data
    name = studio.session.plan.method.name
    if data is None or data.matrix is None:
        return "Nothing to train on yet"
    n_items = data.matrix.n_items
    return f"{name} on {number_text(n_items)} {item_word(data, n_items)}"


def _to_come(studio: Studio) -> str:
    """What will happen, for a person who has not seen it yet."""
    params, data = studio.session.plan.params, studio.session.data
    n_steps, unit = None, "steps"
    if data is not None and data.matrix is not None:
        planned = schedules(params, data.matrix.n_items)
        if planned is None:
            n_steps = getattr(params.resolved(data.matrix.n_items), "n_steps", None)
        else:
            n_steps = planned.steps[-1]
            unit = "epochs" if planned.step_size is None else "steps"
    if n_steps is None:
        return "One computation, without steps in between."
    nodes = ""
    if isinstance(params, StructureParams) and data is not None and data.matrix is not None:
        nodes = f"{size_text(params.sized(data.matrix.n_items).planned)} nodes, "
    few = ""
    if data is not None and data.matrix is not None:
        said = Words.of(data).said
        few = "".join(f"{said(each.what)} {each.way_out}\n\n" for each in few_problems(data.matrix))
    return (
        f"{few}{nodes}{number_text(n_steps)} {unit}.\n\n"
        "The map unfolds while it trains. You can pause or stop at any time: the last map is kept."
    )


def _why_not(studio: Studio) -> str:
    """Why nothing can be trained now; empty if it can."""
    data = studio.session.data
    if studio.hindrances:
        return "A setting of the method is not allowed as it stands."
    if data is None:
        return "Open a table first."
    return "The table cannot be trained on as it is." if data.matrix is None else ""


def _unit(result: Result) -> str:
    return "epochs" if getattr(result.params, "in_epochs", False) else "steps"


def _seconds_text(seconds: float) -> str:
    if seconds < 0.1:
        return "less than 0.1 s"
    return f"{seconds:.1f} s" if seconds < 10 else duration_text(seconds)
