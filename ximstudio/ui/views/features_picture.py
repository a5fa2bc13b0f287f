"""What the features view draws, computed in the lane. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.explore.planes import MOST_IN_TREE, correlations_with, similarity_order
from ximstudio.explore.tree import tree_of
from ximstudio.maps.palettes import Scheme
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.directions import directions
from ximstudio.model.distances import distances_between
from ximstudio.model.result import PrototypeMap
from ximstudio.model.words import natural
from ximstudio.session.shown import Shown
from ximstudio.ui.drawing.ticks import number_text
from ximstudio.ui.views.memory import Memory
from ximstudio.ui.views.planes_picture import (
    PlanesPicture,
    map_tiles,
    plane_scales,
    plane_values,
)
from ximstudio.ui.views.quantity import value_words

LIKENESS, TABLE, NAME, CORRELATION = "likeness", "table", "name", "correlation"
"""Orders of the planes."""


class Order:
    """The order of one map's planes by likeness, worked out once. Used in the lane only."""

    def __init__(self) -> None:
        self._known: tuple[object, Ints] | None = None

    def of(self, shown: Shown) -> Ints:
        """Planes that are alike beside each other."""
        if self._known is None or self._known[0] is not shown.result:
            self._known = shown.result, likeness_order(shown)
        return self._known[1]


@dataclass(frozen=True, kw_only=True, eq=False)
class FeaturesWish:
    """The options of a features view, as they are now; called in the lane."""

    memory: Memory
    order: Order
    by: str = ""
    option: str = ""
    palettes: tuple[tuple[Scheme, str], ...] = ()

    def __call__(self, shown: Shown) -> PlanesPicture:
        """The planes of what is shown."""
        planes = plane_values(shown)
        tiles = map_tiles(shown)
        order, captions, note = self._ordered(shown)
        values = planes[order]
        names = shown.matrix.feature_names
        return PlanesPicture(
            shown=shown,
            words=self.memory.words(shown.matrix),
            tiles=tiles,
            names=tuple(names[number] for number in order.tolist()),
            captions=captions,
            values=values,
            scales=plane_scales(values, self.palettes, points=tiles.grid is None),
            quantity=value_words(shown),
            note=note,
        )

    def _ordered(self, shown: Shown) -> tuple[Ints, tuple[str, ...], str]:
        """Which plane comes where, what stands below them, and a note."""
        names = shown.matrix.feature_names
        as_given = np.arange(len(names))
        by = self.by or LIKENESS
        if by == NAME:
            return np.array(sorted(as_given, key=lambda number: natural(names[number]))), (), ""
        if by == TABLE:
            return as_given, (), ""
        if shown.live:
            # Thirty times a second everything would change its place.
            return as_given, (), "In the order of the table until training has ended"
        if by == CORRELATION and self.option in names:
            found = likeness_to(shown, names.index(self.option))
            order = np.argsort(-np.nan_to_num(found, nan=-2.0), kind="stable")
            captions = tuple(f"r = {number_text(float(found[n]), digits=2)}" for n in order)
            return order, captions, ""
        return self.order.of(shown), (), ""


def likeness_order(shown: Shown) -> Ints:
    """Features so that those whose planes are alike are beside each other, shape (D,)."""
    model, values = shown.result.model, shown.matrix.values
    if isinstance(model, PrototypeMap):
        return similarity_order(model)
    n_features = values.shape[1]
    return tree_of(values.T).order if n_features <= MOST_IN_TREE else np.arange(n_features)


def likeness_to(shown: Shown, feature: int) -> Floats:
    """Correlation of every feature with a chosen one, over nodes or else over items, (D,)."""
    model = shown.result.model
    if isinstance(model, PrototypeMap):
        return correlations_with(model, feature)
    lines = directions(shown.matrix.values.T, centred=True)
    every = np.arange(len(lines))
    # Between directions d² = 2 (1 − r).
    squares = distances_between(lines, every, np.full(len(lines), feature)) ** 2
    return np.asarray(np.clip(1.0 - 0.5 * squares, -1.0, 1.0))
