"""Dialog that finds, names and selects clusters of the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ximstudio.model.arrays import Ints
from ximstudio.model.problem import UserError
from ximstudio.model.words import counted, grouped
from ximstudio.pictures.ticks import number_text
from ximstudio.session.words import Words
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.exploring.rows_table import RowsColumn, RowsTable
from ximstudio.ui.dialogs.tool_dialog import ToolDialog
from ximstudio.ui.views.common.class_colours import cluster_colours
from ximstudio.ui.widgets.boxes import STRETCH, hbox
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.ui.widgets.forms.form import ParamsForm
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, combo_box, label
from ximstudio.ui.widgets.look.drop_down import explained, fill
from ximstudio.ui.widgets.look.theme import the_theme

if TYPE_CHECKING:
    from ximstudio.maps.clusters import Clustering, ClusterMethod
    from ximstudio.maps.clusters.clustering import Criterion
    from ximstudio.model.result import Result

HEIGHT = 140
DOT = 9.0
ABOUT = (
    "Divides the map into regions and draws their borders on the map, above any layer. Click "
    "a cluster in the list to select its members."
)
NONE = np.empty(0, dtype=np.int64)


class CriterionPlot(Curves):
    """Curve of a criterion; a click chooses the number of clusters."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self._criterion: Criterion | None = None
        self.number = 0
        """The marked number."""
        self._mark = pg.ScatterPlotItem(size=DOT, pen=None)
        self._mark.setZValue(2.0)
        self.addItem(self._mark)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        the_theme().follow(self._tint)
        self._tint()

    def show_criterion(self, criterion: Criterion, number: int) -> None:
        """Show the values of a criterion, and mark the number of clusters that there are."""
        self._criterion, self.number = criterion, number
        numbers = np.array(criterion.numbers, dtype=np.float64)
        self.show_curve("criterion", numbers, np.asarray(criterion.values))
        self.name_axes("number of clusters", "")
        found = np.flatnonzero(numbers == number)
        self._mark.setData(numbers[found], np.asarray(criterion.values)[found])
        self.view.autoRange()
        said = ", ".join(
            f"{k}: {number_text(float(value))}"
            for k, value in zip(criterion.numbers, criterion.values, strict=True)
        )
        self.setAccessibleName(f"{criterion.name} by number of clusters: {said}")
        self.setToolTip("Click a number of clusters to use it")

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  (Qt's name)
        """Choose the nearest number of clusters."""
        if self._criterion is None or event.button() != Qt.MouseButton.LeftButton:
            return
        scene = self.mapToScene(event.position().toPoint())
        at = float(self.view.mapSceneToView(scene).x())
        self.chosen.emit(min(self._criterion.numbers, key=lambda number: abs(number - at)))

    def _tint(self) -> None:
        self._mark.setBrush(QColor(the_theme().colours.accent))


class ClustersDialog(ToolDialog):
    """Dialog with method and number of clusters, the criterion, and a list of clusters."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent, title="Clusters of the map", about=ABOUT, width=380, height=680)
        self._actions = actions
        self._clusters = actions.clusters
        self._ways: tuple[ClusterMethod, ...] = ()
        self._result: Result | None = None
        self._shown: Clustering | None = None
        self._counted: tuple[Clustering | None, Ints, int] = (None, NONE, 0)
        self.method = combo_box(name="Method")
        explained(self.method)
        self._form_room = QVBoxLayout()
        self.form: ParamsForm | None = None
        self.start = button("Find clusters", kind=ButtonKind.PRIMARY)
        self.start.setAutoDefault(False)
        self.note = label(kind="muted", wrap=True)
        self.plot = CriterionPlot()
        self.criterion = label(kind="caption")
        self.table = RowsTable("Clusters")
        self.keep = button(
            "Save as sets",
            icon_name="save",
            tip="Save each cluster as a set, to combine and to colour by",
        )
        self.remove = button("Remove", icon_name="delete", tip="Remove the clusters from the map")
        self._lay_out()
        self._connect()
        self._offer()

    def _lay_out(self) -> None:
        finding = hbox((self.note, 1), (self.start, Qt.AlignmentFlag.AlignTop), gap=spacing.SMALL)
        last = hbox(self.keep, STRETCH, self.remove, gap=spacing.SMALL)
        self.column.addWidget(self.method)
        self.column.addLayout(self._form_room)
        self.column.addLayout(finding)
        self.column.addWidget(self.criterion)
        self.column.addWidget(self.plot)
        self.column.addWidget(self.table, 1)
        # Keep its space while it is hidden.
        policy = self.table.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.table.setSizePolicy(policy)
        self.column.addLayout(last)

    def _connect(self) -> None:
        self.method.activated.connect(self._show_way)
        self.start.clicked.connect(self._find)
        self.table.chosen.connect(self._clusters.select)
        self.table.edited.connect(self._rename)
        self.plot.chosen.connect(self._take_number)
        self.keep.clicked.connect(self._clusters.keep_as_sets)
        self.remove.clicked.connect(self._clusters.remove)
        self._actions.store.changed.connect(self._follow)
        for signal in (self._actions.jobs.began, self._actions.jobs.ended):
            signal.connect(self._follow)
        the_theme().follow(self._recolour)

    @property
    def way(self) -> ClusterMethod:
        """The chosen method."""
        return self._ways[self.method.currentIndex()]

    def refresh(self) -> None:
        """Show the clusters of the current map."""
        self._offer()
        clustering, before = self._clusters.clustering, self._shown
        # Renamed clusters are the same; settings that the user has changed stay.
        if clustering is not None and (
            before is None or clustering.clusters is not before.clusters
        ):
            self._show_settings(clustering)
        self._shown = clustering
        criterion = None if clustering is None else clustering.criterion
        for part in (self.plot, self.criterion):
            part.setVisible(criterion is not None)
        if criterion is not None and clustering is not None:
            self.plot.show_criterion(criterion, len(clustering))
            name = self._words.said(criterion.name)
            self.criterion.setText(f"{name[:1].upper()}{name[1:]}, by the number of clusters")
        self.table.show_columns(() if clustering is None else self._columns(clustering))
        self.table.setVisible(clustering is not None and len(clustering) > 0)
        for each in (self.keep, self.remove):
            each.setEnabled(clustering is not None)
        self._show_state()

    def _offer(self) -> None:
        """Offer the methods that support the current map, starting with the previous one."""
        from ximstudio.maps.clusters import CLUSTERINGS, clusterings_of

        run = self._clusters.run
        result = None if run is None else run.result
        if self._ways and result is self._result:
            return
        self._result = result
        ways = CLUSTERINGS if result is None else clusterings_of(result)
        before = self.way if self._ways else None
        if ways != self._ways:
            self._ways = ways
            with QSignalBlocker(self.method):
                fill(self.method, ((way.name, self._words.said(way.about)) for way in ways))
                self.method.setCurrentIndex(ways.index(before) if before in ways else 0)
        if self.form is None or self.way is not before:
            self._show_way()
        else:
            self.form.show_params(self.form.params, n_items=self._n_items)

    def _show_settings(self, clustering: Clustering) -> None:
        """Show the settings of the current clusters."""
        keys = [way.key for way in self._ways]
        if clustering.method in keys and clustering.method != self.way.key:
            with QSignalBlocker(self.method):
                self.method.setCurrentIndex(keys.index(clustering.method))
            self._show_way()
        if self.form is not None and isinstance(clustering.params, self.way.params):
            self.form.show_params(clustering.params, n_items=self._n_items)

    def _columns(self, clustering: Clustering) -> tuple[RowsColumn, ...]:
        from ximstudio.maps.clusters.clustering import ClusteredUnit

        n = len(clustering)
        texts, colours = clustering.names, cluster_colours(n)
        columns = [
            RowsColumn(name="Name", texts=texts, colours=colours, editable=True, wide=True),
            RowsColumn(name=self._words.items.capitalize(), numbers=self._sizes(clustering)[0]),
        ]
        if clustering.over is ClusteredUnit.NODES:
            inside = clustering.clusters[clustering.clusters >= 0]
            columns.append(RowsColumn(name="Nodes", numbers=np.bincount(inside, minlength=n)))
        return tuple(columns)

    @property
    def _words(self) -> Words:
        return self._actions.inspector.words

    def _show_way(self, _: int = 0) -> None:
        """Show the fields of the method."""
        if self.form is not None:
            self._form_room.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
        self.form = ParamsForm(self.way.params(), n_items=self._n_items, words=self._words)
        self.form.judged.connect(self._show_state)
        self._form_room.addWidget(self.form)
        self.method.setToolTip(self._words.said(self.way.about))
        self._show_state()

    def _show_state(self, _: object = None) -> None:
        """Show the result, or that it is being computed."""
        clustering, run = self._clusters.clustering, self._clusters.run
        valid = self.form is None or self.form.valid
        self.start.setEnabled(run is not None and valid and not self._clusters.busy)
        if self._clusters.busy:
            text = "Finding clusters…"
        elif run is None:
            text = "Train a map first."
        elif clustering is None:
            text = f"No clusters of {run.name} yet."
        else:
            n_none = self._sizes(clustering)[1]
            outside = f"; {grouped(n_none)} {self._words.items} in none" if n_none else ""
            text = f"{counted(len(clustering), 'cluster')} of {run.name}{outside}."
        self.note.setText(text)

    def _sizes(self, clustering: Clustering) -> tuple[Ints, int]:
        """Sizes of the clusters, and the number of items in none; counted once."""
        from ximstudio.maps.clusters import items_of

        run = self._clusters.run
        assert run is not None
        if self._counted[0] is not clustering:
            of_item = items_of(clustering, run.result.winners)
            sizes = np.bincount(of_item[of_item >= 0], minlength=len(clustering))
            self._counted = clustering, sizes, len(of_item) - int(sizes.sum())
        return self._counted[1:]

    @property
    def _n_items(self) -> int | None:
        run = self._clusters.run
        return None if run is None else run.matrix.n_items

    def _find(self) -> None:
        assert self.form is not None
        run = self._clusters.run
        seed = 0 if run is None else run.result.seed
        self._clusters.find(self.way, self.form.params, seed=seed)
        self._show_state()

    def _take_number(self, number: int) -> None:
        """Find as many clusters as the user clicked in the plot."""
        assert self.form is not None
        if "n_clusters" in self.form.params.specs():
            values = {**self.form.params.as_values(), "n_clusters": number}
            self.form.show_params(self.way.params.from_values(values), n_items=self._n_items)
            self._find()

    def _rename(self, cluster: int, name: str) -> None:
        try:
            self._clusters.rename(cluster, name)
        except UserError as error:
            self._actions.jobs.refused.emit(error.problems)

    def _follow(self, _: object = None) -> None:
        if not self.isVisible():
            return
        run = self._clusters.run
        result = None if run is None else run.result
        if self._clusters.clustering is not self._shown or result is not self._result:
            self.refresh()
        else:
            self._show_state()

    def _recolour(self) -> None:
        if self._shown is not None and self._shown is self._clusters.clustering:
            self.table.show_columns(self._columns(self._shown))
