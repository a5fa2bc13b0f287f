"""Pattern matching: who is most like a gene, a node, or a profile that a person draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSignalBlocker, QStringListModel
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QWidget

from ximstudio.maps.label_kinds import telling_label
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.selection import Combine, Selection
from ximstudio.model.words import grouped
from ximstudio.pictures.node_name import node_name
from ximstudio.session.words import Words
from ximstudio.ui.dialogs.import_newest import Newest
from ximstudio.ui.dialogs.rows_table import Column, RowsTable
from ximstudio.ui.dialogs.similar_profile import ProfileField
from ximstudio.ui.dialogs.similar_query import (
    Query,
    To,
    distance_words,
    is_of_distances,
    likeness_name,
    mean_profile,
    profile_of,
    ranges_of,
    ranked,
)
from ximstudio.ui.dialogs.tool_dialog import ToolDialog
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, Size, button, label, segments
from ximstudio.ui.look.wheel import keep_wheel
from ximstudio.ui.studio import Studio
from ximstudio.ui.views.chooser import searchable

if TYPE_CHECKING:
    from ximstudio.explore.similar import Similar
    from ximstudio.load import Report
    from ximstudio.session import Run

TITLE = "Find similar"
ABOUT = (
    "Ranks all {items} by how like they are to one of them, to a node of the map, or to a profile"
    " that you draw, in the distance that the map was trained with."
)
HINTS = {
    To.DRAWN: "Press and drag to draw a profile",
    To.ITEM: "",
    To.NODE: "",
}
FIRST, MOST = 50, 5000


class SimilarDialog(ToolDialog):
    """What to compare with above, its profile, and the ranked list below."""

    def __init__(self, studio: Studio, parent: QWidget) -> None:
        super().__init__(parent, title=TITLE, about="", width=380, height=700)
        self._studio = studio
        self._run: Run | None = None
        self._ranked: Similar | None = None
        self._refused: Problem | None = None
        self._drawn: Floats = np.empty(0)
        self._newest = Newest(studio.desk, "Comparing profiles", self)
        self._ranging = Newest(studio.desk, "Looking at profiles", self)
        self.to = segments({To.ITEM: "Gene", To.NODE: "Node", To.DRAWN: "Drawn profile"})
        self.to.setAccessibleName("Similar to")
        self._items, self._nodes = QStringListModel(self), QStringListModel(self)
        self.item, self.node = searchable(self._items), searchable(self._nodes)
        self.profile = ProfileField()
        self.begin = button("Begin with what is selected", kind=Kind.LINK, size=Size.SMALL)
        self.clear = button("Clear", kind=Kind.LINK, size=Size.SMALL)
        self.most = QSpinBox()
        self.most.setRange(1, MOST)
        self.most.setValue(FIRST)
        self.most.setAccessibleName("How many")
        keep_wheel(self.most)
        self.note = label(kind="muted")
        self.note.setWordWrap(True)
        self.table = RowsTable("Most similar")
        self.select = button("Select these", kind=Kind.PRIMARY)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        source = QHBoxLayout()
        source.setSpacing(spacing.SMALL)
        source.addWidget(self.to)
        source.addWidget(self.item, 1)
        source.addWidget(self.node, 1)
        source.addStretch(0)
        below = QHBoxLayout()
        below.addWidget(self.begin)
        below.addStretch(1)
        below.addWidget(self.clear)
        ends = QHBoxLayout()
        ends.setSpacing(spacing.SMALL)
        ends.addWidget(QLabel("Nearest"))
        ends.addWidget(self.most)
        ends.addStretch(1)
        ends.addWidget(self.select)
        self.select.setAutoDefault(False)
        for line in (self.begin, self.clear):
            line.setAutoDefault(False)
        self.column.addLayout(source)
        self.column.addWidget(self.profile)
        self.column.addLayout(below)
        self.column.addWidget(self.note)
        self.column.addWidget(self.table, 1)
        self.column.addLayout(ends)

    def _connect(self) -> None:
        self.to.chosen.connect(self._turn)
        self.item.activated.connect(self._ask)
        self.node.activated.connect(self._ask)
        self.profile.drawn.connect(self._take_drawn)
        self.begin.clicked.connect(self._begin_with)
        self.clear.clicked.connect(self._clear)
        self.most.valueChanged.connect(self._show_ranked)
        self.table.chosen.connect(self._choose)
        self.select.clicked.connect(self._select)
        self._newest.changed.connect(self._show_state)
        self._studio.desk.changed.connect(self._follow)

    # What is compared with

    @property
    def query(self) -> Query | None:
        """What a person wants to compare with; None if that is not said yet."""
        to = To(self.to.value)
        if to is To.DRAWN:
            known = np.isfinite(self._drawn).any()
            return Query(to=to, profile=self._drawn) if known else None
        number = self.item.currentIndex() if to is To.ITEM else self.node.currentIndex()
        return Query(to=to, number=number) if number >= 0 else None

    def compare_with(self, to: To, number: int = -1) -> None:
        """Compare with an item or a node as if a person had chosen it."""
        self.to.choose(to)
        if to is not To.DRAWN:
            (self.item if to is To.ITEM else self.node).setCurrentIndex(number)
        self._turn()

    def refresh(self) -> None:
        """Offer the items and nodes of the shown map, beginning with what is selected."""
        before, self._run = self._run, self._studio.session.run
        if _result_of(before) is not _result_of(self._run):
            self._show_map()
        words = self._words
        self.introduce(TITLE, ABOUT.format(items=words.items))
        self.to.button(To.ITEM).setText(words.item.capitalize())
        self._take_selection()
        self._turn()

    @property
    def _words(self) -> Words:
        return self._studio.inspecting.words

    def _show_map(self) -> None:
        """Offer what the map has, or nothing without one."""
        run = self._run
        self._ranked = None
        ids, names = ((), ()) if run is None else (run.matrix.item_ids, run.matrix.feature_names)
        grid = None
        if run is not None and isinstance(run.result.model, PrototypeMap):
            grid = run.result.model.grid
        nodes = [] if grid is None else [node_name(grid, k) for k in range(grid.n_nodes)]
        with QSignalBlocker(self.item), QSignalBlocker(self.node):
            self._items.setStringList(list(ids))
            self._nodes.setStringList(nodes)
        self.to.button(To.NODE).setEnabled(grid is not None)
        self.to.button(To.DRAWN).setEnabled(run is not None and not is_of_distances(run))
        if not self.to.button(To(self.to.value)).isEnabled():
            self.to.choose(To.ITEM)
        self._drawn = unknown = np.full(len(names), np.nan)
        self.profile.show_features(names, unknown, unknown)
        if run is None:
            self._ranging.stop()
            return
        self._ranging.ask(
            lambda _: ranges_of(run.matrix),
            lambda found: self._show_ranges(run, *found),
            at_once=True,
        )

    def _take_selection(self) -> None:
        """Point at what is selected: the first item, and the node that has most of it."""
        run = self._run
        chosen = self._studio.session.selection
        if run is None:
            return
        found = np.flatnonzero(chosen.mask(run.matrix.item_ids))
        with QSignalBlocker(self.item), QSignalBlocker(self.node):
            if len(found):
                self.item.setCurrentIndex(int(found[0]))
                if run.result.winners is not None and self.node.count():
                    self.node.setCurrentIndex(int(np.bincount(run.result.winners[found]).argmax()))
            elif self.item.currentIndex() < 0:
                self.item.setCurrentIndex(0)
        self.begin.setEnabled(bool(len(found)))

    def _show_ranges(self, run: Run, low: Floats, high: Floats) -> None:
        # The same map may have measures by now.
        if _result_of(self._run) is run.result:
            self.profile.show_features(run.matrix.feature_names, low, high)
            self._show_profile()

    def _turn(self, _: object = None) -> None:
        """Show the fields of what is compared with, and compare."""
        to = To(self.to.value)
        self.item.setVisible(to is To.ITEM)
        self.node.setVisible(to is To.NODE)
        self.profile.set_drawable(to is To.DRAWN)
        self.profile.show_hint(HINTS[to])
        for line in (self.begin, self.clear):
            line.setVisible(to is To.DRAWN)
        self._ask()

    def _show_profile(self) -> None:
        query, run = self.query, self._run
        if run is not None and query is not None:
            self.profile.show_profile(profile_of(run, query))
        elif run is not None:
            self.profile.show_profile(np.full(run.matrix.n_features, np.nan))

    def _take_drawn(self) -> None:
        self._drawn = self.profile.profile
        self._ask()

    def _begin_with(self) -> None:
        """Begin with the mean profile of what is selected."""
        run = self._run
        if run is None:
            return
        chosen = self._studio.session.selection.mask(run.matrix.item_ids)
        if chosen.any():
            self._drawn = mean_profile(run.matrix.values[chosen])
            self._ask()

    def _clear(self) -> None:
        self._drawn = np.full(len(self._drawn), np.nan)
        self._ask()

    # Who is like it

    def _ask(self, _: object = None) -> None:
        """Have all compared with it."""
        self._show_profile()
        run, query = self._run, self.query
        if run is None or query is None:
            self._newest.stop()
            self._ranked = self._refused = None
            self._show_ranked()
            return

        def work(_: Report) -> Similar | Problem:
            try:
                return ranked(run, query, most=MOST)
            except UserError as error:
                # Said beside the list: a profile that is being drawn may be none for a moment.
                return error.problems[0]

        def done(found: Similar | Problem) -> None:
            self._refused = found if isinstance(found, Problem) else None
            self._ranked = None if isinstance(found, Problem) else found
            self._show_ranked()

        self._newest.ask(work, done, at_once=True)

    @property
    def _seen(self) -> int:
        """How many are listed."""
        return 0 if self._ranked is None else min(self.most.value(), len(self._ranked))

    def _show_ranked(self, _: object = None) -> None:
        run, found, n = self._run, self._ranked, self._seen
        if run is None or found is None:
            self.table.show_columns(())
        else:
            items = found.numbers[:n].tolist()
            columns = [
                Column(name="Rank", numbers=np.arange(1, n + 1)),
                Column(
                    name=self._words.item.capitalize(),
                    texts=[run.matrix.item_ids[item] for item in items],
                    wide=True,
                ),
            ]
            telling = telling_label(run.matrix, run.told_by)
            if telling:
                texts = run.matrix.item_labels[telling]
                columns.append(Column(name=telling, texts=[texts[item] for item in items]))
            if found.likeness is None:
                columns.append(Column(name="Distance", numbers=found.distances[:n]))
            else:
                # The distance follows from it, and names need the room.
                columns.append(Column(name=likeness_name(run), numbers=found.likeness[:n]))
            self.table.show_columns(columns)
        self.select.setEnabled(n > 0)
        word = self._words.item if n == 1 else self._words.items
        self.select.setText(f"Select these {grouped(n)} {word}" if n else "Select these")
        self._show_state()

    def _show_state(self) -> None:
        """Say what the list is, or what is missing for it."""
        if self._run is None:
            text = "Train a map first."
        elif self.query is None:
            drawing = self.to.value == To.DRAWN
            text = (
                f"{self._words.features.capitalize()} without a value do not count."
                if drawing
                else "Choose what to compare with."
            )
        elif self._newest.busy and self._ranked is None:
            text = "Comparing…"
        elif self._refused is not None:
            text = self._words.said(f"{self._refused.what} {self._refused.way_out}")
        else:
            text = "" if self._ranked is None else distance_words(self._run)
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _choose(self, row: int, how: Combine) -> None:
        if self._run is not None and self._ranked is not None:
            item = int(self._ranked.numbers[row])
            self._studio.choosing.select(Selection.of([self._run.matrix.item_ids[item]]), how)

    def _select(self) -> None:
        """Select all that are listed."""
        if self._run is not None and self._ranked is not None:
            ids = self._run.matrix.item_ids
            items = self._ranked.numbers[: self._seen].tolist()
            self._studio.choosing.select(Selection.of(ids[item] for item in items))

    def _follow(self) -> None:
        """Follow the map; what is selected meanwhile is compared with when a person asks again."""
        run = self._studio.session.run
        if not self.isVisible():
            return
        if _result_of(run) is not _result_of(self._run):
            self.refresh()
        else:
            self._run = run
            self.begin.setEnabled(run is not None and self._studio.choosing.n_here > 0)


def _result_of(run: Run | None) -> Result | None:
    """The map of a run, which is the same however the run is called or measured."""
    return None if run is None else run.result
