"""Dialog that ranks items by similarity to an item, a node, or a drawn profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSignalBlocker, QStringListModel
from PySide6.QtWidgets import QLabel, QSpinBox, QWidget

from ximstudio.jobs import Task
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import Problem
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.selection import Combine, Selection
from ximstudio.model.words import grouped
from ximstudio.pictures.map_texts import node_name
from ximstudio.session.similar_query import (
    Query,
    QueryTarget,
    distance_words,
    is_of_distances,
    likeness_name,
    mean_profile,
    profile_of,
    ranges_of,
    ranked,
)
from ximstudio.session.words import Words
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.exploring.rows_table import RowsColumn, RowsTable
from ximstudio.ui.dialogs.exploring.similar_profile import ProfileField
from ximstudio.ui.dialogs.tool_dialog import ToolDialog
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.job_slot import JobSlot
from ximstudio.ui.views.common.chooser import searchable
from ximstudio.ui.widgets.boxes import STRETCH, Stretch, hbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, label, segments
from ximstudio.ui.widgets.look.drop_down import keep_wheel

if TYPE_CHECKING:
    from ximstudio.explore.similar import SimilarItems
    from ximstudio.session import Run

TITLE = "Find similar"
ABOUT = (
    "Ranks all {items} by similarity to one of them, to a node of the map, or to a profile "
    "that you draw. It uses the distance that the map was trained with."
)
FIRST, MOST = 50, 5000


class SimilarDialog(ToolDialog):
    """Dialog with the query, its profile, and the ranked list."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent, title=TITLE, about="", width=380, height=700)
        self._actions = actions
        self._run: Run | None = None
        self._ranked: SimilarItems | None = None
        self._refused: Problem | None = None
        self._drawn: Floats = np.empty(0)
        self._ranking, self._ranging = JobSlot(actions.jobs, self), JobSlot(actions.jobs, self)
        targets = zip(QueryTarget, ("Gene", "Node", "Drawn profile"), strict=True)
        self.to = segments(dict(targets), name="Similar to")
        self._items, self._nodes = QStringListModel(self), QStringListModel(self)
        self.item, self.node = searchable(self._items), searchable(self._nodes)
        self.profile = ProfileField()
        self.begin = button("Start from the selection", kind=ButtonKind.LINK, size=Size.SMALL)
        self.clear = button("Clear", kind=ButtonKind.LINK, size=Size.SMALL)
        self.most = QSpinBox()
        self.most.setRange(1, MOST)
        self.most.setValue(FIRST)
        self.most.setAccessibleName("How many")
        keep_wheel(self.most)
        self.note = label(kind="muted", wrap=True)
        self.table = RowsTable("Most similar")
        self.select = button("Select these", kind=ButtonKind.PRIMARY)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        source = hbox(self.to, (self.item, 1), (self.node, 1), Stretch(0), gap=spacing.SMALL)
        below = hbox(self.begin, STRETCH, self.clear)
        ends = hbox(QLabel("Nearest"), self.most, STRETCH, self.select, gap=spacing.SMALL)
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
        self.profile.drawn.connect(lambda: self._take_drawn(self.profile.profile))
        self.begin.clicked.connect(self._begin_with)
        self.clear.clicked.connect(lambda: self._take_drawn(np.full(len(self._drawn), np.nan)))
        self.most.valueChanged.connect(self._show_ranked)
        self.table.chosen.connect(self._choose)
        self.select.clicked.connect(self._select)
        self._ranking.changed.connect(self._show_state)
        self._actions.store.changed.connect(self._follow)

    # Query

    @property
    def query(self) -> Query | None:
        """The query; None if it is not chosen yet."""
        to = QueryTarget(self.to.value)
        if to is QueryTarget.DRAWN:
            known = np.isfinite(self._drawn).any()
            return Query(to=to, profile=self._drawn) if known else None
        number = self.item.currentIndex() if to is QueryTarget.ITEM else self.node.currentIndex()
        return Query(to=to, number=number) if number >= 0 else None

    def refresh(self) -> None:
        """Offer the items and nodes of the current map, starting with the selection."""
        before, self._run = self._run, self._actions.session.run
        if _result_of(before) is not _result_of(self._run):
            self._show_map()
        words = self._words
        self.introduce(TITLE, ABOUT.format(items=words.items))
        self.to.button(QueryTarget.ITEM).setText(words.item.capitalize())
        self._take_selection()
        self._turn()

    @property
    def _words(self) -> Words:
        return self._actions.inspector.words

    def _show_map(self) -> None:
        """Offer the items and nodes of the map, or nothing without one."""
        run = self._run
        self._ranked = None
        ids, names = ((), ()) if run is None else (run.matrix.item_ids, run.matrix.feature_names)
        model = None if run is None else run.result.model
        grid = model.grid if isinstance(model, PrototypeMap) else None
        nodes = [] if grid is None else [node_name(grid, k) for k in range(grid.n_nodes)]
        with QSignalBlocker(self.item), QSignalBlocker(self.node):
            self._items.setStringList(list(ids))
            self._nodes.setStringList(nodes)
        self.to.button(QueryTarget.NODE).setEnabled(grid is not None)
        self.to.button(QueryTarget.DRAWN).setEnabled(run is not None and not is_of_distances(run))
        if not self.to.button(QueryTarget(self.to.value)).isEnabled():
            self.to.choose(QueryTarget.ITEM)
        self._drawn = unknown = np.full(len(names), np.nan)
        self.profile.show_features(names, unknown, unknown)
        if run is None:
            self._ranging.stop()
            return

        def work(_: Task[float, tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
            return ranges_of(run.matrix)

        def done(found: tuple[Floats, Floats]) -> None:
            self._show_ranges(run, *found)

        self._ranging.start(Job(label="Looking at profiles", work=work, done=done, quiet=True))

    def _take_selection(self) -> None:
        """Choose the first selected item, and the node with most selected items."""
        run = self._run
        if run is None:
            return
        found = np.flatnonzero(self._actions.session.selection.mask(run.matrix.item_ids))
        with QSignalBlocker(self.item), QSignalBlocker(self.node):
            if len(found):
                self.item.setCurrentIndex(int(found[0]))
                if run.result.winners is not None and self.node.count():
                    self.node.setCurrentIndex(int(np.bincount(run.result.winners[found]).argmax()))
            elif self.item.currentIndex() < 0:
                self.item.setCurrentIndex(0)
        self.begin.setEnabled(bool(len(found)))

    def _show_ranges(self, run: Run, low: Floats, high: Floats) -> None:
        # The run may have been measured meanwhile; its map is the same.
        if _result_of(self._run) is run.result:
            self.profile.show_features(run.matrix.feature_names, low, high)
            self._show_profile()

    def _turn(self, _: object = None) -> None:
        """Show the fields of the kind of query, and compare."""
        to = QueryTarget(self.to.value)
        self.item.setVisible(to is QueryTarget.ITEM)
        self.node.setVisible(to is QueryTarget.NODE)
        drawing = to is QueryTarget.DRAWN
        self.profile.set_drawable(drawing)
        for line in (self.begin, self.clear):
            line.setVisible(drawing)
        self._ask()

    def _show_profile(self) -> None:
        query, run = self.query, self._run
        if run is not None and query is not None:
            self.profile.show_profile(profile_of(run, query))
        elif run is not None:
            self.profile.show_profile(np.full(run.matrix.n_features, np.nan))

    def _take_drawn(self, profile: Floats) -> None:
        self._drawn = profile
        self._ask()

    def _begin_with(self) -> None:
        """Start from the mean profile of the selection."""
        run = self._run
        if run is None:
            return
        chosen = self._actions.session.selection.mask(run.matrix.item_ids)
        if chosen.any():
            self._take_drawn(mean_profile(run.matrix.values[chosen]))

    # Results

    def _ask(self, _: object = None) -> None:
        """Compare all items with the query."""
        self._show_profile()
        run, query = self._run, self.query
        if run is None or query is None:
            self._ranking.stop()
            self._ranked = self._refused = None
            self._show_ranked()
            return

        def work(_: Task[float, SimilarItems]) -> SimilarItems:
            return ranked(run, query, most=MOST)

        def done(found: SimilarItems) -> None:
            self._ranked, self._refused = found, None
            self._show_ranked()

        def refused(problems: tuple[Problem, ...]) -> None:
            # Beside the list, not in the window: a profile that is being drawn may be incomplete.
            self._ranked, self._refused = None, problems[0]
            self._show_ranked()

        label = "Comparing profiles"
        self._ranking.start(Job(label=label, work=work, done=done, refused=refused, quiet=True))

    @property
    def _seen(self) -> int:
        """Number of listed items."""
        return 0 if self._ranked is None else min(self.most.value(), len(self._ranked))

    def _show_ranked(self, _: object = None) -> None:
        run, found, n = self._run, self._ranked, self._seen
        if run is None or found is None:
            self.table.show_columns(())
        else:
            items = found.numbers[:n].tolist()
            name, ids = self._words.item.capitalize(), run.matrix.item_ids
            columns = [
                RowsColumn(name="Rank", numbers=np.arange(1, n + 1)),
                RowsColumn(name=name, texts=[ids[item] for item in items], wide=True),
            ]
            class_label = default_class_label(run.matrix, run.old_label)
            if class_label:
                texts = run.matrix.item_labels[class_label]
                columns.append(RowsColumn(name=class_label, texts=[texts[item] for item in items]))
            if found.likeness is None:
                columns.append(RowsColumn(name="Distance", numbers=found.distances[:n]))
            else:
                # The distance follows from the correlation, and names need the room.
                columns.append(RowsColumn(name=likeness_name(run), numbers=found.likeness[:n]))
            self.table.show_columns(columns)
        self.select.setEnabled(n > 0)
        word = self._words.item if n == 1 else self._words.items
        self.select.setText(f"Select these {grouped(n)} {word}" if n else "Select these")
        self._show_state()

    def _show_state(self) -> None:
        """Show what is listed, or what is missing."""
        if self._run is None:
            text = "Train a map first."
        elif self.query is None:
            text = "Choose what to compare with, above."
            if self.to.value == QueryTarget.DRAWN:
                text = f"{self._words.features.capitalize()} without a value are ignored."
        elif self._ranking.busy and self._ranked is None:
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
            self._actions.selecting.select(Selection.of([self._run.matrix.item_ids[item]]), how)

    def _select(self) -> None:
        """Select all listed items."""
        if self._run is not None and self._ranked is not None:
            ids = self._run.matrix.item_ids
            items = self._ranked.numbers[: self._seen].tolist()
            self._actions.selecting.select(Selection.of(ids[item] for item in items))

    def _follow(self) -> None:
        """Update for a new map; a changed selection is used when the user asks again."""
        run = self._actions.session.run
        if not self.isVisible():
            return
        if _result_of(run) is not _result_of(self._run):
            self.refresh()
        else:
            self._run = run
            self.begin.setEnabled(run is not None and self._actions.selecting.n_here > 0)


def _result_of(run: Run | None) -> Result | None:
    """Return the map of a run, which does not depend on its name or measures."""
    return None if run is None else run.result
