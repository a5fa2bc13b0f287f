"""Card of a run: picture, name, settings and measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QStackedWidget, QWidget

from ximstudio.measure.catalogue import measure_named
from ximstudio.measure.chance import neighbours_of
from ximstudio.model.grid import Lattice
from ximstudio.model.result import PrototypeMap
from ximstudio.pictures.map_texts import size_text
from ximstudio.pictures.quality_text import KEPT, goodness_text, neighbours_text
from ximstudio.session import Run
from ximstudio.session.run_words import (
    AS_READ,
    metric_text,
    preparation_lines,
    preparation_text,
    side_text,
)
from ximstudio.session.words import Words, share_text
from ximstudio.train import method_named
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.card import Card
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.image import Picture
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, label, tool_button
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.icons import icon

WIDTH, HEIGHT, LOW_HEIGHT = 344, 104, 40
PICTURE, LOW_PICTURE = (96, 80), (36, 30)
"""Sizes of a card and its picture, normal and in low windows."""
SHOWN = {"trustworthiness": "T", "continuity": "C", "spearman": "ρ"}
"""Measures on a card, and their symbols."""
ALWAYS_SHOWN = ("trustworthiness", "continuity")
"""Measures on a low card."""
SHORT = {Lattice.RECTANGULAR: "", Lattice.HEXAGONAL: " hexagons"}
"""Short names of lattices that are not shown by their own name."""


class RunCard(Card):
    """Card that shows its run when clicked, with buttons and a menu for other actions."""

    starred = Signal(bool)
    compared = Signal(bool)
    """The user adds this run to the comparison, or removes it."""
    renamed = Signal(str)
    reuse_wanted = Signal()
    place_wanted = Signal()
    """The user wants to place a file on this map."""
    delete_wanted = Signal()
    measure_wanted = Signal()
    export_wanted = Signal()
    zoom_wanted = Signal()
    further_wanted = Signal()

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run
        self.descent = ""
        """Description of the parent run; '' without one."""
        self.why_not: Callable[[], tuple[str, str]] = lambda: ("", "")
        """Reasons why zooming in and training further are unavailable; '' if available."""
        self.setFixedSize(WIDTH, HEIGHT)
        self.picture = Picture(*PICTURE)
        self.name = Elided(kind="strong")
        self.field = _NameField()
        self._names = QStackedWidget()
        self._names.addWidget(self.name)
        self._names.addWidget(self.field)
        self._names.setFixedHeight(spacing.CONTROL_SMALL)
        self.star = tool_button("star", tip="Star", size=Size.SMALL, checkable=True)
        self.tick = tool_button("compare", tip="", size=Size.SMALL, checkable=True)
        tip = "Show, rename, reuse, export or delete"
        self.more = tool_button("more", tip=tip, size=Size.SMALL)
        self.settings = Elided(kind="muted")
        self.start = Elided(kind="muted")
        self.made_of = Elided(kind="muted")
        """Label with the mapped side and the preparation."""
        self.numbers = {key: QLabel() for key in SHOWN}
        self.neighbours = label(kind="caption")
        self._figures = QWidget()
        self._low = False
        self.state = label("Measuring…", kind="caption")
        self.measure = button("Measure", kind=ButtonKind.LINK, size=Size.SMALL)
        self._lay_out()
        self.field.given.connect(self._take_name)
        self.star.clicked.connect(self.starred)
        self.tick.clicked.connect(self.compared)
        self.show_compared(False)
        self.measure.clicked.connect(self.measure_wanted)
        self.more.clicked.connect(lambda: self.open_menu(self.more.rect().bottomLeft()))
        self.show_run(run)

    def _lay_out(self) -> None:
        self._head = hbox((self._names, 1), self.tick, self.star, self.more, gap=2)
        figures = hbox(into=self._figures, gap=spacing.SMALL, margins=(0, 0, spacing.HAIR, 0))
        for key, shown in self.numbers.items():
            shown.setFont(font(Text.SMALL, tabular=True))
            figures.addWidget(shown)
            if key == KEPT[-1]:
                figures.addWidget(self.neighbours)
        figures.addWidget(self.state)
        figures.addWidget(self.measure)
        figures.addStretch(1)
        self._words = vbox(
            self._head, self.settings, self.start, self.made_of, STRETCH, self._figures, gap=0
        )
        hbox(
            self.picture,
            (self._words, 1),
            into=self,
            gap=spacing.MEDIUM,
            margins=(spacing.MEDIUM, spacing.HAIR, spacing.SMALL, spacing.HAIR),
        )

    def set_low(self, low: bool) -> None:
        """Use the layout for low windows: name and measures in one line."""
        if low is self._low:
            return
        self._low = low
        self.setFixedHeight(LOW_HEIGHT if low else HEIGHT)
        self.picture.setFixedSize(*(LOW_PICTURE if low else PICTURE))
        for written in (self.settings, self.start, self.made_of):
            written.setHidden(low)
        if low:
            self._head.insertWidget(1, self._figures)
        else:
            self._words.addWidget(self._figures)
        self.show_run(self.run)

    def show_run(self, run: Run) -> None:
        """Show a run, or the same one after a change."""
        self.run = run
        self.setAccessibleName(run.name)
        self.name.show_text(run.name)
        self.settings.show_text(", ".join(settings_of(run)))
        descent = (f"↳ {self.descent}",) if self.descent else ()
        self.start.show_text(", ".join((*descent, *start_of(run))))
        prepared = preparation_text(run.input, Words.of_matrix(run.matrix))
        self.made_of.show_text(f"{side_text(run.matrix)}, {prepared}")
        origin = (f"From {self.descent}",) if self.descent else ()
        self.setToolTip("\n".join((run.name, *origin, *whole_settings_of(run))))
        self.star.setChecked(run.starred)
        self.star.setIcon(icon("star-filled" if run.starred else "star"))
        star = "Star this run: you are asked before it is deleted"
        self.star.setToolTip("Remove the star" if run.starred else star)
        n_items = run.matrix.n_items
        self.neighbours.setVisible(not self._low and all(key in run.measures for key in KEPT))
        self.neighbours.setText(neighbours_text(neighbours_of(n_items)))
        self.neighbours.setToolTip("T and C are means over neighbourhoods of these sizes")
        for key, shown in self.numbers.items():
            estimate = run.measures.get(key)
            room = not self._low or key in ALWAYS_SHOWN
            shown.setVisible(estimate is not None and room)
            if estimate is not None:
                measure = measure_named(key)
                shown.setText(f"{SHOWN[key]} {estimate.value:.3f}")
                good = goodness_text(estimate.value, n_items) if key in KEPT else ""
                better = f"Better is {measure.direction}. {good}"
                shown.setToolTip(f"{measure.name}: {measure.meaning} {better}")

    def show_descent(self, text: str) -> None:
        """Show the parent run; '' for none."""
        if text != self.descent:
            self.descent = text
            self.show_run(self.run)

    def show_compared(self, compared: bool) -> None:
        """Show whether the run is in the comparison."""
        self.tick.setChecked(compared)
        tip = "Remove from the comparison" if compared else "Add to the comparison"
        self.tick.setToolTip(tip)
        self.tick.setAccessibleName(tip)

    def show_measuring(self, measuring: bool, *, after: str = "") -> None:
        """Show that the run is being measured, or offer to measure it.

        `after` names the work that comes first.
        """
        self.state.setText("Waiting to be measured" if after else "Measuring…")
        self.state.setToolTip(f"{after} comes first" if after else "")
        self.state.setVisible(measuring and not self.run.measures)
        self.measure.setVisible(not measuring and not self.run.measures)

    def rename(self) -> None:
        """Let the user edit the name."""
        self._names.setCurrentWidget(self.field)
        self.field.begin(self.run.name)

    def open_menu(self, at: QPoint) -> QMenu:
        """Open the menu of the run."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icon("eye"), "Show").triggered.connect(self.clicked)
        menu.addAction(icon("rename"), "Rename").triggered.connect(self.rename)
        again = menu.addAction(icon("reset"), "Use these settings")
        again.triggered.connect(self.reuse_wanted)
        menu.setToolTipsVisible(True)
        why_not_zoom, why_not_further = self.why_not()
        zoom = menu.addAction(icon("zoom-in"), "Zoom in on the selection")
        zoom.triggered.connect(self.zoom_wanted)
        zoom.setEnabled(not why_not_zoom)
        zoom.setToolTip(why_not_zoom or "Train a finer map of the selection")
        further = menu.addAction(icon("further"), "Train further…")
        further.triggered.connect(self.further_wanted)
        further.setEnabled(not why_not_further)
        further.setToolTip(why_not_further or "With more steps, or with new items from the table")
        place = menu.addAction(icon("import"), "Place a file on this map…")
        place.triggered.connect(self.place_wanted)
        export = menu.addAction(icon("export"), "Export…")
        export.triggered.connect(self.export_wanted)
        menu.addSeparator()
        delete = menu.addAction(icon("delete"), "Delete…" if self.run.starred else "Delete")
        delete.triggered.connect(self.delete_wanted)
        menu.popup(self.more.mapToGlobal(at))
        return menu

    def _take_name(self, text: str) -> None:
        self._names.setCurrentWidget(self.name)
        self.setFocus()
        if text.strip() and text.strip() != self.run.name:
            self.renamed.emit(text.strip())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        place = self._names.mapFrom(self, event.position().toPoint())
        if self._names.rect().contains(place):
            self.rename()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        if event.key() == Qt.Key.Key_F2:
            self.rename()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)


class _NameField(QLineEdit):
    """Field that edits a name: Enter or losing the focus accepts it, Esc cancels."""

    given = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        # As high as the label it replaces; other fields are higher.
        height = spacing.CONTROL_SMALL - 4
        self.setStyleSheet(
            f"QLineEdit, QLineEdit:focus {{ min-height: {height}px; max-height: {height}px;"
            f" padding: 0 {spacing.HAIR}px; }}"
        )
        self.setMaxLength(80)
        self.editingFinished.connect(self._give)
        self._open = False

    def begin(self, name: str) -> None:
        """Start editing this name."""
        self._open = True
        self.setText(name)
        self.selectAll()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  (Qt's name)
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self._give()
        else:
            super().keyPressEvent(event)
            # QLineEdit passes Enter on to the card, which would show its run.
            event.accept()

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window's shortcut while the user edits a name."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return event.isAccepted() or super().event(event)
        return super().event(event)

    def _give(self) -> None:
        # Enter also makes the field lose the focus; end editing only once.
        if self._open:
            self._open = False
            self.given.emit(self.text())


def settings_of(run: Run) -> Iterator[str]:
    """Return a short description of method and map."""
    result = run.result
    yield method_named(result.method).name
    if isinstance(result.model, PrototypeMap):
        grid = result.model.grid
        lattice = SHORT.get(grid.lattice, f" {grid.lattice.value}")
        yield f"{size_text(grid)}{lattice}"


def start_of(run: Run) -> Iterator[str]:
    """Return a short description of distance, edges, seed and progress of training."""
    result = run.result
    yield metric_text(result.params)
    if isinstance(result.model, PrototypeMap) and result.model.grid.toroidal:
        yield "torus"
    yield f"seed {result.seed}"
    if not result.finished:
        yield f"stopped at {share_text(result.step / max(result.n_steps, 1))}"


def whole_settings_of(run: Run) -> Iterator[str]:
    """Return all settings, line by line."""
    result = run.result
    yield method_named(result.method).name
    if isinstance(result.model, PrototypeMap):
        grid = result.model.grid
        edges = "joined edges (a torus)" if grid.toroidal else "open edges"
        joinable = f", {edges}" if grid.structure.joinable else ""
        yield f"{size_text(grid)} nodes, {grid.lattice.value}{joinable}"
    metric, *start = (each for each in start_of(run) if each != "torus")
    yield f"compared by {metric}"
    yield ", ".join(start)
    prepared = AS_READ if preparation_text(run.input) == AS_READ else "prepared:"
    yield f"{side_text(run.matrix)}, {prepared}"
    words = Words.of_matrix(run.matrix)
    yield from (f"  {sentence}" for sentence in preparation_lines(run.input, words))
