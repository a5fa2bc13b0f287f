"""All runs at the bottom of the window."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ximstudio.jobs import Task
from ximstudio.maps.label_kinds import telling_label
from ximstudio.pictures.raster.frame import Pixels
from ximstudio.pictures.thumbnail import thumbnail
from ximstudio.session import Run
from ximstudio.session.words import Words
from ximstudio.ui.descent.descent_words import descent_text
from ximstudio.ui.descent.further_dialog import FurtherDialog
from ximstudio.ui.desk import Job
from ximstudio.ui.dialogs.of_table import close_with_table
from ximstudio.ui.elided import Elided
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, label, line, tool_button
from ximstudio.ui.look.icons import icon
from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.question import ask
from ximstudio.ui.run_card import HEIGHT, LOW_HEIGHT, PICTURE, RunCard
from ximstudio.ui.studio import Studio
from ximstudio.ui.turns import Turns

SCROLL_BAR = 12
SIDES = (spacing.LARGE, 0, spacing.LARGE, 0)
DRAWING = "Drawing thumbnails"
HINT = "No maps yet. Every map you train is kept here, to show, compare and use again."


class RunsStrip(QFrame):
    """One card per run, the newest last; clicking shows it."""

    folded = Signal(bool)
    place_wanted = Signal()
    """A person wants to place another file on the map that is shown."""
    export_wanted = Signal(str)
    """A person wants to take a run along; its key."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.setProperty("kind", "sidebar")
        self._studio = studio
        self.cards: dict[str, RunCard] = {}
        self.further: FurtherDialog | None = None
        """The question that was asked last, while it is open."""
        self._to_newest = False
        self._turns = Turns(self)
        self._title = label("Runs", kind="section")
        self.hint = Elided(HINT, kind="muted")
        self.fold = tool_button("chevron-down", tip="Fold the runs away", size=Size.SMALL)
        self.fold.clicked.connect(lambda: self.show_folded(not self.is_folded))
        self._folded = False
        self._low = False
        self._row = QHBoxLayout()
        self._scroll = self._made_scroll()
        self._head = QHBoxLayout()
        self._head.setContentsMargins(spacing.LARGE, spacing.HAIR, spacing.SMALL, spacing.HAIR)
        self._head.setSpacing(spacing.MEDIUM)
        self._head.addWidget(self._title)
        self._head.addWidget(self.hint, 1)
        self._head.addStretch(0)
        self._head.addWidget(self.fold)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(line())
        self._column.addLayout(self._head)
        self._column.addWidget(self._scroll)
        studio.desk.changed.connect(self.show_session)
        studio.measuring_changed.connect(self._show_states)
        studio.desk.began.connect(lambda _: self._show_states())
        the_theme().follow(self._draw_all)
        self.show_session()

    def _made_scroll(self) -> QScrollArea:
        self._row.setContentsMargins(*SIDES)
        self._row.setSpacing(spacing.SMALL)
        self._row.addStretch(1)
        inner = QWidget()
        inner.setProperty("kind", "page")
        inner.setLayout(self._row)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        scroll.setFixedHeight(HEIGHT + SCROLL_BAR)
        # The cards take the keyboard, and are brought into sight by it.
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.horizontalScrollBar().rangeChanged.connect(self._follow_newest)
        return scroll

    @property
    def is_folded(self) -> bool:
        return self._folded

    def show_folded(self, folded: bool) -> None:
        """Show the title only, or the cards, too."""
        self._folded = folded
        self.fold.setIcon(icon("chevron-up" if folded else "chevron-down"))
        does = "Show the runs" if folded else "Fold the runs away"
        self.fold.setToolTip(does)
        self.fold.setAccessibleName(does)
        self._show_room()
        self.folded.emit(folded)

    def set_low(self, low: bool) -> None:
        """Take one line where the window has little height, and more where there is room."""
        if low is self._low:
            return
        self._low = low
        for card in self.cards.values():
            card.set_low(low)
        self._row.setContentsMargins(*((0, 0, 0, 0) if low else SIDES))
        self._scroll.setFixedHeight((LOW_HEIGHT if low else HEIGHT) + SCROLL_BAR)
        if low:
            self._head.insertWidget(1, self._scroll, 1)
        else:
            self._column.addWidget(self._scroll)
        self._show_room()

    def _show_room(self) -> None:
        """Take no more room than there is to show."""
        runs = bool(self._studio.session.runs)
        self._scroll.setVisible(runs and not self._folded)
        self.fold.setVisible(runs)
        self.hint.setVisible(not runs)

    def show_session(self) -> None:
        """Show the runs of the session."""
        session = self._studio.session
        runs = {run.key: run for run in session.runs}
        self._title.setText(f"Runs  {len(runs)}" if runs else "Runs")
        for key in [key for key, card in self.cards.items() if not self._is_of(card, runs)]:
            self._remove(key)
        for key in self.cards:
            self._fill(runs[key])
        missing = [key for key in runs if key not in self.cards]
        if len(missing) > 1:
            # All at once would take longer than a person should have to wait.
            each = (partial(self._show_new, runs[key]) for key in missing)
            self._turns.take(self._show_room, *each, self._draw_missing)
            return
        self._turns.take()
        for key in missing:
            self._show_new(runs[key])
        self._show_room()
        self._draw_missing()

    def _show_new(self, run: Run) -> None:
        self._add(run)
        self._fill(run)

    def _fill(self, run: Run) -> None:
        """Show a run on its card, as the session has it."""
        session, card = self._studio.session, self.cards[run.key]
        if card.run is not run:
            card.show_run(run)
        card.show_descent(descent_text(session, run, Words.of(session.data)))
        card.choose(run.key == session.shown)
        card.show_compared(run.key in session.compared)
        self._show_state(run.key, card)

    def _show_states(self) -> None:
        for key, card in self.cards.items():
            self._show_state(key, card)

    def _show_state(self, key: str, card: RunCard) -> None:
        """Say on a card whether its run is measured now, or waits for it."""
        job = self._studio.measuring.get(key)
        card.show_measuring(job is not None, after=self._studio.desk.before(job))

    @staticmethod
    def _is_of(card: RunCard, runs: dict[str, Run]) -> bool:
        """Whether the card's run is still there; another session counts anew from 1."""
        run = runs.get(card.run.key)
        return run is not None and run.result is card.run.result

    def _add(self, run: Run) -> None:
        card = RunCard(run)
        card.set_low(self._low)
        studio, key = self._studio, run.key
        card.clicked.connect(lambda: studio.show_run(key))
        card.starred.connect(lambda on: self._star(key, on))
        card.compared.connect(lambda on: self._tick(key, on))
        card.renamed.connect(lambda name: self._rename(key, name))
        card.reuse_wanted.connect(lambda: studio.reuse(self.cards[key].run))
        card.place_wanted.connect(lambda: self._place_on(key))
        card.export_wanted.connect(lambda: self.export_wanted.emit(key))
        card.delete_wanted.connect(lambda: self.delete(key))
        card.zoom_wanted.connect(studio.descending.zoom_in)
        card.further_wanted.connect(lambda: self.ask_further(key))
        card.why_not = lambda: self._why_not(key)
        self.cards[key] = card
        # Runs that are trained beside each other come in an order of their own.
        keys = [each.key for each in studio.session.runs if each.key in self.cards]
        self._row.insertWidget(keys.index(key), card)
        card.measure_wanted.connect(lambda: studio.measure(self.cards[key].run))
        self._to_newest = True

    def _follow_newest(self, _: int, end: int) -> None:
        """Scroll to a new card as soon as there is room for it."""
        if self._to_newest:
            self._to_newest = False
            self._scroll.horizontalScrollBar().setValue(end)

    def _remove(self, key: str) -> None:
        card = self.cards.pop(key)
        self._row.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _tick(self, key: str, on: bool) -> None:
        self._studio.comparing.tick(key, on=on)
        # It may have been refused.
        self.cards[key].show_compared(key in self._studio.session.compared)

    def _star(self, key: str, on: bool) -> None:
        run = self.cards[key].run
        what = f"Star {run.name}" if on else f"Take the star from {run.name}"
        self._studio.change_run(replace(run, starred=on), what)

    def _rename(self, key: str, name: str) -> None:
        run = self.cards[key].run
        self._studio.change_run(replace(run, name=name), f"Rename {run.name} to {name}")

    def _place_on(self, key: str) -> None:
        """Show the run first: what is placed on a map should be seen there."""
        if self._studio.session.shown != key:
            self._studio.show_run(key)
        self.place_wanted.emit()

    def delete(self, key: str) -> None:
        """Delete a run; a starred one only after a question."""
        run = self.cards[key].run
        if not run.starred:
            self._studio.delete_run(key)
            return
        ask(
            self.window(),
            title=f"Delete “{run.name}”?",
            text="It carries a star. A deleted map can be trained again, but not brought back.",
            yes="Delete",
            then=lambda: self._studio.delete_run(key),
        )

    def ask_further(self, key: str) -> FurtherDialog:
        """Ask how a run is to be trained further."""
        run, words = self.cards[key].run, Words.of(self._studio.session.data)
        self.further = FurtherDialog(self.window(), self._studio.descending, run, words)
        close_with_table(self.further, self._studio)
        self.further.open()
        return self.further

    def _why_not(self, key: str) -> tuple[str, str]:
        """Why a run cannot be zoomed into, and why it cannot be trained further."""
        descending, shown = self._studio.descending, self._studio.session.shown
        zoom = descending.why_not_zoom if key == shown else "Show this map first"
        return zoom, descending.why_not_further(self.cards[key].run)

    # Pictures

    def _draw_all(self) -> None:
        self._draw(tuple(card.run for card in self.cards.values()))

    def _draw_missing(self) -> None:
        self._draw(tuple(card.run for card in self.cards.values() if card.picture.empty))

    def _draw(self, runs: tuple[Run, ...]) -> None:
        """Have the pictures of runs made in the lane."""
        if not runs:
            return
        colours = the_theme().colours
        width, height = (2 * side for side in PICTURE)

        def work(task: Task[float, list[Pixels]]) -> list[Pixels]:
            made = []
            for run in runs:
                task.check()
                made.append(
                    thumbnail(
                        run.result,
                        run.matrix,
                        colours,
                        width=width,
                        height=height,
                        label=telling_label(run.matrix, run.told_by),
                        coloured=run.coloured,
                    )
                )
            return made

        def done(pictures: list[Pixels]) -> None:
            for run, pixels in zip(runs, pictures, strict=True):
                card = self.cards.get(run.key)
                # The card of another session's first run has the same key.
                if card is not None and card.run.result is run.result:
                    card.picture.show_pixels(pixels)

        desk = self._studio.desk
        desk.forget(lambda job: job.doing == DRAWING)
        desk.start(Job(doing=DRAWING, work=work, done=done, quiet=True))
