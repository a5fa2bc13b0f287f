"""Compute the Heat map view in the background. No Qt."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.explore.row_order import MOST_ROWS, HeatOrder, by_clustering, by_label, by_map
from ximstudio.maps.classes import Classes, classes_of
from ximstudio.maps.label_kinds import has_classes, label_kinds
from ximstudio.maps.palettes import Palette, Scale, default_palette, palette_named
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.model.words import grouped
from ximstudio.pictures.cache import Latest, PictureCache
from ximstudio.pictures.quantity import sided_scale, value_words
from ximstudio.pictures.raster.heat_raster import Codes, HeatTable, heat_codes
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words
from ximstudio.views.heat_map.rows import HeatMapRows, rows_of

if TYPE_CHECKING:
    from ximstudio.views.heat_map.state import HeatMapState

MAP, CLUSTERED, LABEL, TABLE = "map", "clustered", "label", "table"
"""Orders of rows and, except for the map's, of columns."""
CHOSEN, ALL = "chosen", "all"
"""Items that are rows: the selection, or all."""
MOST_STRIPS = 3
EDGES = 1.0, 99.0
"""Percentiles that get the last colours, so that outliers do not take them all."""
MANY = 200
"""Number of values up to which all of them count."""
SAMPLE = 300_000
"""Number of values from which percentiles are estimated."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SideOrder:
    """Order of rows or columns, and the tree above them, if they are clustered."""

    order: Ints
    tree: Floats = field(default_factory=lambda: np.empty((0, 2, 2)))


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatMapPicture:
    """A heat map, ready to be drawn.

    Parameters
    ----------
    selection
        The selection at the time of computing.
    rows
        The rows, not in order.
    row_order, column_order
        Order of the rows and columns.
    table
        Colours of all values in that order.
    row_labels
        Labels by which rows of items can be ordered, even if rows are means now.
    row_classes, column_classes
        Label → classes, for the strips beside the rows and above the columns; none beside means.
    by, label
        The order of rows, and the label that it follows.
    """

    shown: Shown
    words: Words
    selection: Selection
    rows: HeatMapRows
    row_order: SideOrder
    column_order: SideOrder
    table: HeatTable
    scale: Scale
    palette: Palette
    row_labels: tuple[str, ...]
    row_classes: dict[str, Classes]
    column_classes: dict[str, Classes]
    note: str = ""
    by: str = ""
    label: str = ""

    @property
    def printed_note(self) -> str:
        """Return the note on the rows without the advice, which a reader of paper cannot follow."""
        advice = self.rows.advice
        return self.note.replace(f" {advice}", "", 1) if advice else self.note

    @property
    def matrix(self) -> Matrix:
        return self.shown.matrix

    @property
    def place_of(self) -> Ints:
        """Return the place of the row of every item, shape (N,); −1 for items not shown."""
        places = np.empty(len(self.rows.names) + 1, dtype=np.int64)
        places[self.row_order.order] = np.arange(len(self.rows.names))
        places[-1] = -1
        return places[self.rows.row_of]

    def value(self, row: int, column: int) -> float:
        """Return the value that is drawn there."""
        return float(self.rows.values[self.row_order.order[row], self.column_order.order[column]])

    def item(self, row: int) -> int:
        """Return the item of a row; −1 where rows are means."""
        if self.rows.means:
            return -1
        return int(np.flatnonzero(self.rows.row_of == self.row_order.order[row])[0])


class Clustered:
    """Trees that were computed last. Used in the background thread only."""

    def __init__(self) -> None:
        self._known: defaultdict[str, Latest[SideOrder]] = defaultdict(Latest)

    def of(self, side: str, key: tuple[object, ...], values: Floats) -> SideOrder:
        """Return the order and tree of rows of values; `key` identifies them."""
        return self._known[side].kept(key, lambda: side_order(by_clustering(values)))


class Coloured(Latest[tuple[Scale, Codes]]):
    """Colours of the values that were shown last.

    During training the values of items stay, and only their order changes.
    """

    def of(self, key: tuple[object, ...], values: Floats) -> tuple[Scale, Codes]:
        """Return the scale of rows of values, and the colour of each; `key` identifies them."""
        return self.kept(key, lambda: _scaled(values))


def _scaled(values: Floats) -> tuple[Scale, Codes]:
    scale = value_scale(values)
    # All palettes have the same number of colours.
    n_colours = len(default_palette(scale.scheme).table)
    return scale, heat_codes(values, n_colours, low=scale.low, high=scale.high)


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatMapRequest:
    """Current options of a heat map; called in the background."""

    memory: PictureCache
    clustered: Clustered
    coloured: Coloured
    state: HeatMapState
    selection: Selection = NOTHING

    def __call__(self, shown: Shown) -> HeatMapPicture:
        """Return the heat map, its rows in the chosen order, if the table has it."""
        labels = row_labels(shown.matrix)
        by, label = self.state.by or MAP, self.state.label
        if by == LABEL and label not in labels:
            by = MAP
        state = replace(self.state, by=by, label=label if by == LABEL else "")
        return replace(self, state=state)._picture(shown, labels)

    def _picture(self, shown: Shown, labels: tuple[str, ...]) -> HeatMapPicture:
        matrix, words = shown.matrix, self.memory.words(shown.matrix)
        wanted = self.selection.mask(matrix.item_ids)
        chosen = self.state.which != ALL and bool(wanted.any())
        if not chosen:
            wanted = np.ones(matrix.n_items, dtype=np.bool_)
        rows = rows_of(shown, words, wanted, chosen=chosen)
        key = (matrix, shown.result if rows.means else None, self.selection if chosen else None)
        row_order = self._row_order(shown, rows, key)
        column_order = self._column_order(shown, rows, key)
        scale, codes = self.coloured.of(key, rows.values)
        classes = () if rows.means else labels
        return HeatMapPicture(
            shown=shown,
            words=words,
            selection=self.selection,
            rows=rows,
            row_order=row_order,
            column_order=column_order,
            table=HeatTable.of(codes[row_order.order].take(column_order.order, axis=1)),
            scale=scale,
            palette=palette_named(dict(self.state.palettes)[scale.scheme]),
            row_labels=labels,
            row_classes={name: self.memory.classes(shown, name) for name in classes},
            column_classes=column_classes(matrix),
            note=" ".join(filter(None, (rows.note, rows.advice, *self._notes(shown, rows)))),
            by=self.state.by,
            label=self.state.label,
        )

    def _notes(self, shown: Shown, rows: HeatMapRows) -> list[str]:
        """Explain why rows or columns are not in the chosen order."""
        n_rows, n_columns = rows.values.shape
        chosen = ((self.state.by, n_rows), (self.state.columns_by, n_columns))
        numbers = [number for by, number in chosen if by == CLUSTERED]
        notes = []
        if self.state.by == LABEL and rows.means:
            notes.append("In map order, because means have no labels.")
        if self.state.by == CLUSTERED and n_rows > MOST_ROWS:
            notes.append("In map order, because there are too many rows to cluster.")
        if self.state.columns_by == CLUSTERED and n_columns > MOST_ROWS:
            notes.append(f"{grouped(n_columns)} columns are too many to cluster.")
        if shown.live and any(number <= MOST_ROWS for number in numbers):
            notes.append("Clustered once training has ended.")
        return notes

    def _row_order(self, shown: Shown, rows: HeatMapRows, key: tuple[object, ...]) -> SideOrder:
        """Return the order of rows; `key` identifies them."""
        n_rows, matrix = len(rows.names), shown.matrix
        if self.state.by == TABLE:
            return SideOrder(order=np.arange(n_rows))
        if self.state.by == CLUSTERED and not shown.live and n_rows <= MOST_ROWS:
            return self.clustered.of("rows", key, rows.values)
        everyone = np.arange(matrix.n_items)
        along = rows.row_of[by_map(shown.result, everyone).order]
        _, first = np.unique(along[along >= 0], return_index=True)
        order = along[along >= 0][np.sort(first)]
        if self.state.by == LABEL and not rows.means:
            items = np.empty(n_rows, dtype=np.int64)
            seen = np.flatnonzero(rows.row_of >= 0)
            items[rows.row_of[seen]] = seen
            texts = matrix.item_labels[self.state.label]
            # Within a class by the map.
            order = order[by_label([texts[item] for item in items[order].tolist()]).order]
        return SideOrder(order=order)

    def _column_order(self, shown: Shown, rows: HeatMapRows, key: tuple[object, ...]) -> SideOrder:
        matrix = shown.matrix
        as_given = np.arange(matrix.n_features)
        if self.state.columns_by == CLUSTERED and len(as_given) <= MOST_ROWS and not shown.live:
            return self.clustered.of("columns", key, np.ascontiguousarray(rows.values.T))
        if self.state.columns_by in matrix.feature_labels:
            return side_order(by_label(matrix.feature_labels[self.state.columns_by]))
        return SideOrder(order=as_given)


def side_order(found: HeatOrder) -> SideOrder:
    """Return an order with its tree for drawing: heights from 0 to 1, and places of middles."""
    if found.tree is None:
        return SideOrder(order=found.order)
    places, heights = found.tree.lines[..., 0], found.tree.lines[..., 1]
    highest = float(heights.max(initial=0.0)) or 1.0
    tree = np.stack([heights / highest, places + 0.5], axis=-1)
    return SideOrder(order=found.order, tree=tree)


def row_labels(matrix: Matrix) -> tuple[str, ...]:
    """Return the labels of items that have classes, the main label first."""
    kinds = label_kinds(matrix)
    names = sorted(kinds.classes, key=lambda name: name != kinds.class_label)
    return tuple(name for name in names if has_classes(matrix.item_labels[name]))[:MOST_STRIPS]


def column_classes(matrix: Matrix) -> dict[str, Classes]:
    """Return the classes of the labels of features that have some."""
    labels = matrix.feature_labels.items()
    found = {name: classes_of(texts) for name, texts in labels if has_classes(texts)}
    return dict(list(found.items())[:MOST_STRIPS])


def value_scale(values: Floats) -> Scale:
    """Return the scale of values: diverging if they have both signs, without the last percent."""
    step = -(-values.size // SAMPLE)
    if len(values) >= MANY * step:
        # Sample whole rows: every n-th value could come from a few columns only.
        values = values[::step]
    known = values[~np.isnan(values)]
    if len(known) > MANY:
        low, high = np.percentile(known, EDGES)
        # Rare values above a constant floor, such as counts, would all be cut off.
        known = np.clip(known, low, high) if low < high else known
    return sided_scale(known)


def value_name(picture: HeatMapPicture) -> str:
    """Return the name of the values for the colour bar."""
    words = value_words(picture.shown)
    return f"mean {words}" if picture.rows.means else words
