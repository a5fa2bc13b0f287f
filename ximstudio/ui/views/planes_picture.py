"""What a gallery of planes draws: a map once per feature or sample. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ximstudio.maps.drawn import drawn
from ximstudio.maps.palettes import Palette, Scale, Scheme, palette_named, scale_of
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import LinearMap, PrototypeMap
from ximstudio.model.selection import Selection
from ximstudio.session.shown import Shown
from ximstudio.ui.drawing.tiles import Inks, MapTiles
from ximstudio.ui.words import Words

COMMON, OWN = "common", "own"
"""Whether equal colours mean equal values on all planes, or each has all colours."""
NO_SCALE = Scale(Scheme.SEQUENTIAL, 0.0, 1.0)
EDGES = 0.5, 99.5
"""Percentiles that get the last colours where items are drawn: outliers would take them all."""
FEW, SAMPLE = 200, 4000
"""With fewer items all of them count; of more than a sample some tell the percentiles."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanesPicture:
    """Planes of one map in the order in which they are seen.

    Parameters
    ----------
    names, captions
        What every plane is called, and a quiet line below it; no captions if there are none.
    values
        A number per plane and node, or item where there are no nodes; shape (P, M) or (P, N).
    scale, palette
        The colours that all planes share.
    own
        The least and largest value of every plane's own scale, shape (P, 2).
    quantity
        What the numbers are, for the colour bar.
    note
        What a person has to know about them; '' if nothing.
    refused
        Title and text if there are no planes to see, and why; None if there are.
    """

    shown: Shown
    words: Words
    tiles: MapTiles
    names: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    values: Floats = field(default_factory=lambda: np.empty((0, 0)))
    scale: Scale = NO_SCALE
    palette: Palette
    own: Floats = field(default_factory=lambda: np.empty((0, 2)))
    quantity: str = "value"
    note: str = ""
    refused: tuple[str, str] | None = None

    @property
    def matrix(self) -> Matrix:
        return self.shown.matrix

    @property
    def grid(self) -> Grid | None:
        return self.tiles.grid

    def inks(self, plane: int, scaling: str) -> Inks:
        """The colours of a plane."""
        low, high = self.scale.low, self.scale.high
        if scaling == OWN:
            low, high = (float(end) for end in self.own[plane])
        return Inks(table=self.palette.table, low=low, high=high)

    def chosen(self, selection: Selection) -> Bools:
        """Which items are chosen, shape (N,)."""
        return selection.mask(self.matrix.item_ids)

    def chosen_nodes(self, selection: Selection) -> Bools:
        """Which nodes have a chosen item, shape (M,)."""
        assert self.grid is not None
        winners = self.shown.result.winners
        assert winners is not None
        nodes = np.zeros(self.grid.n_nodes, dtype=np.bool_)
        nodes[winners[self.chosen(selection)]] = True
        return nodes

    def members(self, node: int) -> Ints:
        """The items that a node wins."""
        assert self.shown.result.winners is not None
        return np.flatnonzero(self.shown.result.winners == node)


def map_tiles(shown: Shown) -> MapTiles:
    """The map that is shown, to be drawn small."""
    model = shown.result.model
    grid = model.grid if isinstance(model, PrototypeMap) else None
    return MapTiles(grid, drawn_positions(shown))


def drawn_positions(shown: Shown) -> Floats:
    """Where items are drawn, shape (N, 2); y points up on a projection, as in Positions."""
    model = shown.result.model
    grid = model.grid if isinstance(model, PrototypeMap) else None
    places = drawn(grid, np.asarray(shown.result.positions, dtype=np.float64))
    return places * [1.0, -1.0] if isinstance(model, LinearMap) else places


def plane_values(shown: Shown) -> Floats:
    """The value of every feature at every node, shape (D, M); without nodes of every item."""
    model = shown.result.model
    return model.prototypes.T if isinstance(model, PrototypeMap) else shown.matrix.values.T


def plane_scales(
    values: Floats, palettes: tuple[tuple[Scheme, str], ...], *, points: bool
) -> tuple[Scale, Palette, Floats]:
    """The scale of all planes, its palette, and the ends of every plane's own, shape (P, 2).

    All are on both sides of 0 if the common one is, so that 0 has one colour everywhere.
    """
    low, high = _ends(values, points=points)
    known = np.isfinite(low)
    together = np.array([low[known].min(), high[known].max()]) if known.any() else np.zeros(0)
    scale = scale_of(together, Scheme.DIVERGING)
    if scale.scheme is Scheme.DIVERGING:
        high = np.maximum(-low, high)
        low = -high
    palette = palette_named(dict(palettes)[scale.scheme])
    return scale, palette, np.nan_to_num(np.column_stack([low, high]))


def _ends(values: Floats, *, points: bool) -> tuple[Floats, Floats]:
    """Least and largest value of every plane; NaN where all are blank."""
    blank = np.isnan(values)
    if points and values.shape[1] > FEW and not blank.all(axis=1).any():
        sample = values[:, :: -(-values.shape[1] // SAMPLE)]
        if not np.isnan(sample).all(axis=1).any():
            low, high = np.nanpercentile(sample, EDGES, axis=1)
            return low, high
    nothing = blank.all(axis=1)
    low = np.where(blank, np.inf, values).min(axis=1, initial=np.inf)
    high = np.where(blank, -np.inf, values).max(axis=1, initial=-np.inf)
    low[nothing] = high[nothing] = np.nan
    return low, high
