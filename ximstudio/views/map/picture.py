"""Compute the Map view in the background. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.explore.sets import set_layers
from ximstudio.maps import Layer, LayerKind, LayerNeed, hits, layers_of
from ximstudio.maps.classes import Classes
from ximstudio.maps.drawn import drawn
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.maps.palettes import palette_named, scale_of
from ximstudio.model.arrays import Ints
from ximstudio.model.grid import Grid
from ximstudio.model.result import PrototypeMap
from ximstudio.pictures.cache import PictureCache
from ximstudio.pictures.canvas import CanvasPicture
from ximstudio.pictures.colouring import INKS, are_light, colour_rows
from ximstudio.pictures.map_texts import MapTexts, class_texts, item_texts
from ximstudio.pictures.point_looks import ROOMY, SMALLER, default_size
from ximstudio.pictures.quantity import value_words
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.session.shown import Shown

if TYPE_CHECKING:
    from ximstudio.views.map.state import MapState

FIRST = "\0first"
"""Default of the names on the map: those of the main label, if there is one."""
ITEMS = "\0items"
"""Names on the map: those of items. No label has this name."""

NOTHING, POINTS, NODES, HITS = "nothing", "points", "nodes", "hits"
"""Marks on the map."""
MOST_DOTS = 5000
"""Up to this number items are drawn as dots in rings; more are small points without."""
MOST_POINTS = 20_000
"""More items than this would hide the map, and are only drawn if the user chooses so."""
CLOSE = 0.5
"""Diameter of small points, relative to the side of the square that each has on the map."""
LEAST_POINT = 1.5
"""Least diameter of points on a map, in pixels on a canvas of full size."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MapPicture(CanvasPicture):
    """A layer over the nodes of a map, with their values and names.

    Its values are (M,), or (M, classes) for shares, which have no scale. Without a grid there are
    none.

    Parameters
    ----------
    layers, layer
        All layers, and the displayed one.
    hits
        Number of items per node, (M,).
    label
        The label with the classes: the one that is shown or written.
    texts
        Names on the map.
    """

    layers: tuple[Layer, ...] = ()
    layer: Layer | None = None
    hits: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    label: str = ""
    texts: MapTexts = field(default_factory=MapTexts)

    @property
    def winners(self) -> Ints:
        assert self.shown.result.winners is not None
        return self.shown.result.winners

    def members(self, node: int) -> Ints:
        """Return the items whose winner is this node."""
        return np.flatnonzero(self.winners == node)


@dataclass(frozen=True, kw_only=True, eq=False)
class MapRequest:
    """Current options of a Map view; called in the background."""

    memory: PictureCache
    state: MapState

    def __call__(self, shown: Shown) -> MapPicture:
        """Return the picture of the displayed map."""
        model = shown.result.model
        words = self.memory.words(shown.matrix)
        if not isinstance(model, PrototypeMap):
            return MapPicture(shown=shown, words=words)
        layer, option = self.choice(shown)
        values = None
        if LayerNeed.RANKS not in layer.needs or shown.evidence is not None:
            values = layer.of(self.memory.layers(shown), option)
        label = self._label(layer, option, shown)
        classes = self.memory.classes(shown, label) if label else None
        picture = MapPicture(
            shown=shown,
            words=words,
            grid=model.grid,
            layers=all_layers(shown),
            layer=layer,
            option=option,
            values=values,
            hits=hits(shown.result),
            classes=classes,
            label=label,
            texts=self._texts(shown, model.grid, classes),
            overlaid=self.memory.overlaid(shown, lines=True),
        )
        if values is None or layer.kind is LayerKind.SHARES:
            return picture
        scale = scale_of(values, layer.scheme)
        return picture.coloured(
            values, scale, palette_named(dict(self.state.palettes)[scale.scheme])
        )

    def choice(self, shown: Shown) -> tuple[Layer, str]:
        """Return the layer and its feature, label or set: as chosen, if the table has it."""
        layers = all_layers(shown)
        layer = next((one for one in layers if one.key == self.state.layer), layers[0])
        option = self.state.option
        if option not in layer.options(shown.result, shown.matrix):
            option = layer.first_option(shown.result, shown.matrix, old_label=shown.old_label)
        return layer, option

    def _label(self, layer: Layer, option: str, shown: Shown) -> str:
        """Return the label that colours classes: the one shown or written, or the main label."""
        if LayerNeed.LABEL in layer.needs:
            return option
        written = self.state.names in label_kinds(shown.matrix).classes
        return self.state.names if written else shown.class_label

    def _texts(self, shown: Shown, grid: Grid, classes: Classes | None) -> MapTexts:
        result = shown.result
        assert result.winners is not None
        positions = drawn(grid, result.positions)
        if self.state.names == ITEMS:
            return item_texts(result.item_ids, result.winners, positions, grid)
        # A label that this table lacks counts as no choice.
        if self.state.names and classes is not None:
            return class_texts(classes, positions, grid)
        return MapTexts()


def all_layers(shown: Shown) -> tuple[Layer, ...]:
    """Return all layers of a map, those of sets last."""
    return (*layers_of(shown.result, shown.matrix), *set_layers(shown.sets))


def first_marks(picture: MapPicture) -> str:
    """Return the default marks."""
    # Pies show the same as points, which would hide them.
    numbers = picture.layer is not None and picture.layer.kind is LayerKind.NUMBERS
    return POINTS if numbers and not would_hide(picture) else NOTHING


def would_hide(picture: MapPicture) -> bool:
    """Return whether so many points would hide the map."""
    return picture.matrix.n_items > MOST_POINTS


def point_size(n_items: int, scale: float) -> float:
    """Return the diameter of items on a map, in pixels; smaller the more there are."""
    usual = SMALLER * scale * default_size(n_items)
    if n_items <= MOST_DOTS:
        return usual
    apart: float = scale * ROOMY / n_items**0.5
    return max(min(usual, CLOSE * apart), scale * LEAST_POINT)


def point_colours(picture: MapPicture, classes: Bytes | None, text: Bytes, empty: Bytes) -> Bytes:
    """Return colours of all items, (N, 3): of their classes, or legible on the map below.

    `classes` are the colours of the classes; `text` that of items without classes and `empty`
    that of nodes without a value, (1, 3) each.
    """
    n_items = picture.matrix.n_items
    if picture.classes is not None and classes is not None:
        return np.asarray(classes[picture.classes.codes])
    if n_items <= MOST_DOTS or picture.colours is None:
        return np.tile(text, (n_items, 1))
    # Points have no rings, so they are light on dark cells and dark on light ones.
    below = np.where(picture.colours[:, 3:] > 0, picture.colours[:, :3], empty)
    inks = colour_rows(INKS)[are_light(below).astype(np.int64)]
    return np.asarray(inks[picture.winners])


def bar_name(picture: MapPicture) -> str:
    """Name the numbers of the colour bar, with their feature or label."""
    assert picture.layer is not None
    if LayerNeed.FEATURE in picture.layer.needs:
        return f"{picture.option}, {value_words(picture.shown)}"
    legend = picture.words.said(picture.layer.legend)
    return f"{picture.option}, {legend}" if picture.option else legend
