"""What the map view draws, computed in the lane. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ximstudio.explore.set_layers import set_layers
from ximstudio.maps import Layer, LayerKind, LayerNeed, hits, layers_of
from ximstudio.maps.classes import Classes
from ximstudio.maps.drawn import drawn
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.maps.palettes import Palette, PaletteScheme, Scale, palette_named, scale_of
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.result import PrototypeMap
from ximstudio.pictures.cache import PictureCache
from ximstudio.pictures.canvas import CanvasPicture
from ximstudio.pictures.class_colours import colour_rows
from ximstudio.pictures.colouring import colours_of
from ximstudio.pictures.inks import INKS, are_light
from ximstudio.pictures.map_texts import MapTexts, class_texts, item_texts
from ximstudio.pictures.point_looks import ROOMY, SMALLER, default_size
from ximstudio.pictures.quantity import value_words
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.session.shown import Shown

FIRST = "\0first"
"""Names on the map, unless a person chooses: those of the telling label, if there is one."""
ITEMS = "\0items"
"""Names on the map: those of items. No label is called that."""

NOTHING, POINTS, NODES, HITS = "nothing", "points", "nodes", "hits"
"""Marks on the map."""
MOST_DOTS = 5000
"""Up to so many items are drawn as dots in rings; more are small points without."""
MOST_POINTS = 20_000
"""More items than this would hide the map, and are only drawn if the user wants them."""
CLOSE = 0.5
"""Diameter of small points, of the side of the square that each would have of the map."""
LEAST_POINT = 1.5
"""Diameter of the smallest points on a map, in pixels on a canvas of full size."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MapPicture(CanvasPicture):
    """A layer over the nodes of a map, and what is known about them.

    Its values are (M,), for shares (M, classes), and shares have no scale. Without a grid there is
    nothing else.

    Parameters
    ----------
    layers, layer
        What can be shown, and what is.
    hits
        How many items every node has, (M,).
    label
        The label that the classes are of: the one that is shown or written.
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
        """The items that a node wins."""
        return np.flatnonzero(self.winners == node)


@dataclass(frozen=True, kw_only=True, eq=False)
class MapRequest:
    """The options of a map view, as they are now; called in the lane."""

    memory: PictureCache
    layer: str = ""
    option: str = ""
    names: str = FIRST
    palettes: tuple[tuple[PaletteScheme, str], ...] = ()

    def __call__(self, shown: Shown) -> MapPicture:
        """The picture of what is shown."""
        model = shown.result.model
        words = self.memory.words(shown.matrix)
        if not isinstance(model, PrototypeMap):
            return MapPicture(shown=shown, words=words)
        layers = all_layers(shown)
        layer, option = self.choice(shown)
        values = None
        if LayerNeed.RANKS not in layer.needs or shown.evidence is not None:
            values = layer.of(self.memory.layers(shown), option)
        colours, scale, palette = self._coloured(layer, values)
        label = self._label(layer, option, shown)
        classes = self.memory.classes(shown, label) if label else None
        return MapPicture(
            shown=shown,
            words=words,
            grid=model.grid,
            layers=layers,
            layer=layer,
            option=option,
            values=values,
            colours=colours,
            scale=scale,
            palette=palette,
            hits=hits(shown.result),
            classes=classes,
            label=label,
            texts=self._texts(shown, model.grid, classes),
            overlaid=self.memory.overlaid(shown, lines=True),
        )

    def choice(self, shown: Shown) -> tuple[Layer, str]:
        """The layer, and the feature, label or set that it shows: as chosen, if it is there."""
        layers = all_layers(shown)
        layer = next((one for one in layers if one.key == self.layer), layers[0])
        option = self.option
        if option not in layer.options(shown.result, shown.matrix):
            option = layer.first_option(shown.result, shown.matrix, told_by=shown.told_by)
        return layer, option

    def _coloured(
        self, layer: Layer, values: Floats | None
    ) -> tuple[Bytes | None, Scale | None, Palette | None]:
        if values is None or layer.kind is LayerKind.SHARES:
            return None, None, None
        scale = scale_of(values, layer.scheme)
        palette = palette_named(dict(self.palettes)[scale.scheme])
        colours = colours_of(values, palette.table, low=scale.low, high=scale.high)
        return colours, scale, palette

    def _label(self, layer: Layer, option: str, shown: Shown) -> str:
        """The label whose classes have colours: the one that is shown, written, or the telling."""
        if LayerNeed.LABEL in layer.needs:
            return option
        written = self.names in label_kinds(shown.matrix).classes
        return self.names if written else shown.telling

    def _texts(self, shown: Shown, grid: Grid, classes: Classes | None) -> MapTexts:
        result = shown.result
        assert result.winners is not None
        positions = drawn(grid, result.positions)
        if self.names == ITEMS:
            return item_texts(result.item_ids, result.winners, positions, grid)
        # A label that this table lacks is as if nothing were chosen.
        if self.names and classes is not None:
            return class_texts(classes, positions, grid)
        return MapTexts()


def all_layers(shown: Shown) -> tuple[Layer, ...]:
    """All that can be seen on the nodes of a map, those of sets behind its own."""
    return (*layers_of(shown.result, shown.matrix), *set_layers(shown.sets))


def first_marks(picture: MapPicture) -> str:
    """Marks unless a person chooses."""
    # Pies tell what points would, and points would hide them.
    numbers = picture.layer is not None and picture.layer.kind is LayerKind.NUMBERS
    return POINTS if numbers and not would_hide(picture) else NOTHING


def would_hide(picture: MapPicture) -> bool:
    """Whether there are so many items that their points would hide the map."""
    return picture.matrix.n_items > MOST_POINTS


def point_size(n_items: int, scale: float) -> float:
    """Diameter of items on a map, in pixels; many leave most of the map to be seen."""
    usual = SMALLER * scale * default_size(n_items)
    if n_items <= MOST_DOTS:
        return usual
    apart: float = scale * ROOMY / n_items**0.5
    return max(min(usual, CLOSE * apart), scale * LEAST_POINT)


def point_colours(picture: MapPicture, classes: Bytes | None, text: Bytes, empty: Bytes) -> Bytes:
    """Colours of all items, (N, 3): of their classes, or what is read on the map below.

    `classes` are the colours of the classes; `text` that of items without classes and `empty`
    that of nodes without a value, (1, 3) each.
    """
    n_items = picture.matrix.n_items
    if picture.classes is not None and classes is not None:
        return np.asarray(classes[picture.classes.codes])
    if n_items <= MOST_DOTS or picture.colours is None:
        return np.tile(text, (n_items, 1))
    # No ring parts them from the cells: light points on dark cells, dark ones on light cells.
    below = np.where(picture.colours[:, 3:] > 0, picture.colours[:, :3], empty)
    inks = colour_rows(INKS)[are_light(below).astype(np.int64)]
    return np.asarray(inks[picture.winners])


def bar_name(picture: MapPicture) -> str:
    """What the numbers of the colour bar are, and of which feature or label."""
    assert picture.layer is not None
    if LayerNeed.FEATURE in picture.layer.needs:
        return f"{picture.option}, {value_words(picture.shown)}"
    legend = picture.words.said(picture.layer.legend)
    return f"{picture.option}, {legend}" if picture.option else legend
