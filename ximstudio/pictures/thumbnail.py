"""A map as a small picture: nodes shaded by the distance of their prototypes, items as dots.

No Qt: pictures are made in the background.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from ximstudio.maps.box import Box
from ximstudio.maps.cells import bounds, tiles
from ximstudio.maps.classes import Classes, classes_of
from ximstudio.maps.drawn import drawn
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.pictures.colouring import colour_rows, node_shades
from ximstudio.pictures.colours import Colours
from ximstudio.pictures.raster.cell_raster import cell_raster, colour_table
from ximstudio.pictures.raster.dots import stamp_points
from ximstudio.pictures.raster.frame import Bytes, Pixels, fitted, packed

MARGIN = 0.03
"""Margin around positions without nodes, as a share of the picture's sides."""


def thumbnail(
    result: Result,
    matrix: Matrix,
    colours: Colours,
    *,
    width: int,
    height: int,
    label: str | None = None,
    closer: bool = False,
    coloured: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ratio: float = 1.0,
) -> Pixels:
    """Return the pixels of the map, (height, width); transparent where it is not.

    Items are coloured by `label`, or by the one that is shown first; `coloured` classes keep the
    colours of an earlier map. A `closer` look shows the part of the map where items are. `ratio`
    says how much finer the picture is than on the screen.
    """
    frame = fitted(_box(result, closer=closer, aspect=width / height), width, height)
    picture = np.zeros((height, width), dtype=np.uint32)
    if isinstance(result.model, PrototypeMap):
        laid_out = tiles(result.model.grid)
        table = colour_table(node_shades(result.model.spacing, colours), laid_out)
        picture = np.ascontiguousarray(cell_raster(laid_out, frame).painted(table))
    x, y = (np.ascontiguousarray(axis) for axis in _places(result).T)
    size = 0.5 * min(width, height) / np.sqrt(max(len(x), 1))
    size = float(np.clip(size, 2.0 * ratio, 9.0 * ratio))
    order, inks = np.arange(len(x)), packed(_item_colours(matrix, colours, label, coloured))
    stamp_points(picture, x, y, order=order, colours=inks, diameter=size, frame=frame)
    return picture


def _places(result: Result) -> Floats:
    """Return where the items are drawn."""
    grid = result.model.grid if isinstance(result.model, PrototypeMap) else None
    return drawn(grid, np.asarray(result.positions, dtype=np.float64))


def _box(result: Result, *, closer: bool, aspect: float) -> Box:
    around = Box.around(_places(result))
    room = MARGIN * max(around.right - around.left, around.bottom - around.top, 1e-9)
    if not isinstance(result.model, PrototypeMap):
        return Box(*(np.array(around) + room * np.array([-1.0, -1.0, 1.0, 1.0])).tolist())
    whole = bounds(result.model.grid)
    if not closer:
        return whole
    # As wide as the picture is, no larger than the map, and moved so that it lies on it.
    wanted = max(around.bottom - around.top, (around.right - around.left) / aspect) + 2.0 * room
    height = min(wanted, whole.bottom - whole.top, (whole.right - whole.left) / aspect)
    left, right = _moved(around.left, around.right, height * aspect, whole.left, whole.right)
    top, bottom = _moved(around.top, around.bottom, height, whole.top, whole.bottom)
    return Box(left, top, right, bottom)


def _moved(
    low: float, high: float, length: float, first: float, last: float
) -> tuple[float, float]:
    """Return a stretch of that length around the middle of another, inside the bounds."""
    begin = 0.5 * (low + high - length)
    begin = max(first, min(begin, last - length))
    return begin, begin + length


def _item_colours(
    matrix: Matrix, colours: Colours, label: str | None, coloured: Mapping[str, tuple[str, ...]]
) -> Bytes:
    chosen = label if label is not None else default_class_label(matrix)
    if chosen is None:
        return np.tile(colour_rows((colours.accent,)), (matrix.n_items, 1))
    classes = classes_of(matrix.item_labels[chosen], coloured.get(chosen, ()))
    return colour_rows(dot_colours(classes, colours))[classes.codes]


def dot_colours(classes: Classes, colours: Colours) -> tuple[str, ...]:
    """Return a colour per class as "#rrggbb", grey for all without a colour of their own."""
    own = (colours.classes[number % len(colours.classes)] for number in classes.colours)
    return (*own, *([colours.axis] * (len(classes.names) - classes.n_own)))
