"""Strip of all runs at the bottom of the window."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from ximstudio.jobs import Task
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.pictures.raster.frame import Pixels
from ximstudio.pictures.thumbnail import thumbnail
from ximstudio.session import Run
from ximstudio.session.run_words import descent_text
from ximstudio.session.words import Words
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.tool_dialog import close_with_table
from ximstudio.ui.panels.lineage.further_dialog import FurtherDialog
from ximstudio.ui.panels.runs.card import HEIGHT, LOW_HEIGHT, PICTURE, RunCard
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.widgets.boxes import STRETCH, Stretch, hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, label, line, tool_button
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.question import ask
from ximstudio.ui.widgets.slices import EventLoopSlices

SCROLL_BAR = 12
SIDES = (spacing.LARGE, 0, spacing.LARGE, 0)
HINT = "No maps yet. Every map you train appears here, to show, compare and reuse."


class RunsStrip(QFrame):
    """Strip with one card per run, the newest last."""

    folded = Signal(bool)
    place_wanted = Signal()
    """The user wants to place a file on this map."""
    export_wanted = Signal(str)
    """The user wants to export a run; its key."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setProperty("kind", "sidebar")
        self._actions = actions
        self.cards: dict[str, RunCard] = {}
        self.further: FurtherDialog | None = None
        """The open question, if any."""
        self._to_newest = False
        self._slices = EventLoopSlices(self)
        self._drawing = JobSlot(actions.jobs, self)
        self._outdated: set[str] = set()
        """Keys of runs whose pictures have the colours of another theme."""
        self._title = label("Runs", kind="section")
        self.hint = Elided(HINT, kind="muted")
        self.fold = tool_button("chevron-down", tip="Hide the runs", size=Size.SMALL)
        self.fold.clicked.connect(lambda: self.show_folded(not self.is_folded))
        self._folded = False
        self._low = False
        self._scroll = self._made_scroll()
        self._head = hbox(
            self._title,
            (self.hint, 1),
            Stretch(0),
            self.fold,
            gap=spacing.MEDIUM,
            margins=(spacing.LARGE, spacing.HAIR, spacing.SMALL, spacing.HAIR),
        )
        self._column = vbox(line(), self._head, self._scroll, into=self, gap=0, margins=0)
        actions.store.changed.connect(self.show_session)
        actions.measuring_changed.connect(self._show_states)
        actions.jobs.began.connect(lambda _: self._show_states())
        the_theme().follow(self._draw_all)
        self.show_session()

    def _made_scroll(self) -> QScrollArea:
        inner = QWidget()
        inner.setProperty("kind", "page")
        self._row = hbox(STRETCH, into=inner, gap=spacing.SMALL, margins=SIDES)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        scroll.setFixedHeight(HEIGHT + SCROLL_BAR)
        # The cards take the focus, and focusing scrolls them into view.
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.horizontalScrollBar().rangeChanged.connect(self._follow_newest)
        return scroll

    @property
    def is_folded(self) -> bool:
        return self._folded

    def show_folded(self, folded: bool) -> None:
        """Hide or show the cards."""
        self._folded = folded
        self.fold.setIcon(icon("chevron-up" if folded else "chevron-down"))
        does = "Show the runs" if folded else "Hide the runs"
        self.fold.setToolTip(does)
        self.fold.setAccessibleName(does)
        self._show_room()
        self.folded.emit(folded)

    def set_low(self, low: bool) -> None:
        """Use the layout for low windows."""
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
        """Limit the height to the content."""
        runs = bool(self._actions.session.runs)
        self._scroll.setVisible(runs and not self._folded)
        self.fold.setVisible(runs)
        self.hint.setVisible(not runs)

    def show_session(self) -> None:
        """Show the runs of the session."""
        session = self._actions.session
        runs = {run.key: run for run in session.runs}
        self._title.setText(f"Runs  {len(runs)}" if runs else "Runs")
        for key in [key for key, card in self.cards.items() if not self._is_of(card, runs)]:
            self._remove(key)
        for key in self.cards:
            self._fill(runs[key])
        missing = [key for key in runs if key not in self.cards]
        if len(missing) > 1:
            # In slices: all at once would take too long.
            each = (partial(self._show_new, runs[key]) for key in missing)
            self._slices.schedule(self._show_room, *each, self._draw_missing)
            return
        self._slices.cancel()
        for key in missing:
            self._show_new(runs[key])
        self._show_room()
        self._draw_missing()

    def _show_new(self, run: Run) -> None:
        self._add(run)
        self._fill(run)

    def _fill(self, run: Run) -> None:
        """Update the card of a run."""
        session, card = self._actions.session, self.cards[run.key]
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
        """Show on a card whether its run is being measured or waiting."""
        slot = self._actions.measuring.get(key)
        card.show_measuring(slot is not None, after="" if slot is None else slot.waits_for)

    @staticmethod
    def _is_of(card: RunCard, runs: dict[str, Run]) -> bool:
        """Return whether the card's run is still in the session; other sessions reuse keys."""
        run = runs.get(card.run.key)
        return run is not None and run.result is card.run.result

    def _add(self, run: Run) -> None:
        card = RunCard(run)
        card.set_low(self._low)
        actions, key = self._actions, run.key
        card.clicked.connect(lambda: actions.show_run(key))
        card.starred.connect(lambda on: self._star(key, on))
        card.compared.connect(lambda on: self._tick(key, on))
        card.renamed.connect(lambda name: self._rename(key, name))
        card.reuse_wanted.connect(lambda: actions.reuse(self.cards[key].run))
        card.place_wanted.connect(lambda: self._place_on(key))
        card.export_wanted.connect(lambda: self.export_wanted.emit(key))
        card.delete_wanted.connect(lambda: self.delete(key))
        card.zoom_wanted.connect(actions.derived_maps.zoom_in)
        card.further_wanted.connect(lambda: self.ask_further(key))
        card.why_not = lambda: self._why_not(key)
        self.cards[key] = card
        # Runs trained in parallel may finish in any order.
        keys = [each.key for each in actions.session.runs if each.key in self.cards]
        self._row.insertWidget(keys.index(key), card)
        card.measure_wanted.connect(lambda: actions.measure(self.cards[key].run))
        self._to_newest = True

    def _follow_newest(self, _: int, end: int) -> None:
        """Scroll to a new card as soon as it is laid out."""
        if self._to_newest:
            self._to_newest = False
            self._scroll.horizontalScrollBar().setValue(end)

    def _remove(self, key: str) -> None:
        card = self.cards.pop(key)
        self._row.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _tick(self, key: str, on: bool) -> None:
        self._actions.comparison.set_compared(key, on=on)
        # It may have been refused.
        self.cards[key].show_compared(key in self._actions.session.compared)

    def _star(self, key: str, on: bool) -> None:
        run = self.cards[key].run
        what = f"Star {run.name}" if on else f"Remove the star of {run.name}"
        self._actions.change_run(replace(run, starred=on), what)

    def _rename(self, key: str, name: str) -> None:
        run = self.cards[key].run
        self._actions.change_run(replace(run, name=name), f"Rename {run.name} to {name}")

    def _place_on(self, key: str) -> None:
        """Show the run first, so that the user sees the placed items."""
        if self._actions.session.shown != key:
            self._actions.show_run(key)
        self.place_wanted.emit()

    def delete(self, key: str) -> None:
        """Delete a run; ask first if it is starred."""
        run = self.cards[key].run
        if not run.starred:
            self._actions.delete_run(key)
            return
        ask(
            self.window(),
            title=f"Delete “{run.name}”?",
            text="This run is starred. You can undo deleting it.",
            yes="Delete",
            then=lambda: self._actions.delete_run(key),
        )

    def ask_further(self, key: str) -> FurtherDialog:
        """Ask how to train a run further."""
        run, words = self.cards[key].run, Words.of(self._actions.session.data)
        self.further = FurtherDialog(self.window(), self._actions.derived_maps, run, words)
        close_with_table(self.further, self._actions)
        self.further.open()
        return self.further

    def _why_not(self, key: str) -> tuple[str, str]:
        """Return the reasons why zooming in and training further are unavailable."""
        derived_maps, shown = self._actions.derived_maps, self._actions.session.shown
        zoom = derived_maps.why_not_zoom if key == shown else "Show this map first"
        return zoom, derived_maps.why_not_further(self.cards[key].run)

    # Pictures

    def _draw_all(self) -> None:
        self._outdated = set(self.cards)
        self._draw_missing()

    def _draw_missing(self) -> None:
        """Draw the pictures that are missing or in other colours, in the background."""
        wanted = (
            card for key, card in self.cards.items() if card.picture.empty or key in self._outdated
        )
        runs = tuple(card.run for card in wanted)
        if not runs:
            return
        colours = the_theme().colours
        width, height = (2 * side for side in PICTURE)

        def work(task: Task[float, list[Pixels]]) -> list[Pixels]:
            made = []
            for run in runs:
                task.check()
                draw = partial(thumbnail, run.result, run.matrix, colours, coloured=run.coloured)
                class_label = default_class_label(run.matrix, run.old_label)
                made.append(draw(width=width, height=height, label=class_label))
            return made

        def done(pictures: list[Pixels]) -> None:
            for run, pixels in zip(runs, pictures, strict=True):
                card = self.cards.get(run.key)
                # Runs of another session may have the same key.
                if card is not None and card.run.result is run.result:
                    card.picture.show_pixels(pixels)
                    self._outdated.discard(run.key)

        self._drawing.start(Job(label="Drawing thumbnails", work=work, done=done, quiet=True))
