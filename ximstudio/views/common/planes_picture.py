"""What a gallery of planes draws: a map once per feature or sample. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ximstudio.maps.drawn import drawn
from ximstudio.maps.palettes import Palette, PaletteScheme, Scale, palette_named
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import LinearMap, PrototypeMap, Result
from ximstudio.model.selection import Selection
from ximstudio.pictures.quantity import sided_scale
from ximstudio.pictures.raster.tiles import Inks, MapTiles
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words

COMMON, OWN = "common", "own"
"""Whether equal colours mean equal values on all planes, or each has all colours."""
EDGES = 0.5, 99.5
"""Percentiles that get the last colours where items are drawn: outliers would take them all."""
PALE = 0.12
"""A plane that has less than this share of all colours looks pale."""
FEW, SAMPLE = 200, 4000
"""With fewer items all of them count; of more than a sample some tell the percentiles."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlaneEnds:
    """The least and largest value of every plane, shape (P,); NaN where there is none.

    `blank` says whether any value is blank.
    """

    low: Floats
    high: Floats
    blank: bool

    def ordered(self, order: Ints) -> PlaneEnds:
        """Those of the same planes in another order."""
        return PlaneEnds(low=self.low[order], high=self.high[order], blank=self.blank)


class KeptEnds:
    """The ends of the planes that were shown last. Used in the lane only."""

    def __init__(self) -> None:
        self._known: tuple[object, PlaneEnds] | None = None

    def of(self, shown: Shown) -> PlaneEnds:
        """Those of all features as in the table."""
        model = shown.result.model
        made_of = model if isinstance(model, PrototypeMap) else shown.matrix
        if self._known is None or self._known[0] is not made_of:
            points = made_of is shown.matrix
            self._known = made_of, plane_ends(plane_values(shown), points=points)
        return self._known[1]


@dataclass(frozen=True, kw_only=True, eq=False)
class PlaneScales:
    """Which values get which colours.

    Parameters
    ----------
    common
        For all planes together.
    ends
        The least and largest value of every plane.
    palettes
        The colours of each scheme.
    """

    common: Scale
    ends: PlaneEnds
    palettes: Mapping[PaletteScheme, Palette]

    def own(self, plane: int) -> Scale:
        """The scale of one plane."""
        return sided_scale(np.array([self.ends.low[plane], self.ends.high[plane]]))

    @property
    def first(self) -> str:
        """What suits the planes: one scale, unless most of them would be of one colour."""
        reaches = self.ends.high - self.ends.low
        known = reaches[np.isfinite(reaches)]
        span = self.common.high - self.common.low
        return OWN if len(known) and np.median(known) < PALE * span else COMMON


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanesPicture:
    """Planes of one map in the order in which they are seen.

    Parameters
    ----------
    names, captions
        What every plane is called, and a quiet line below it; no captions if there are none.
    values
        A number per plane and node, or item where there are no nodes; shape (P, M) or (P, N).
    scales
        The colours that all planes share, and those that every plane has for itself.
    quantity
        What the numbers are, for the colour bar.
    note
        What a person has to know about them; '' if nothing.
    refused
        Title and text if there are no planes to see, and why; None if there are.
    by, option
        The order of the planes or what they are of, and the feature or label that it depends on.
    """

    shown: Shown
    words: Words
    tiles: MapTiles
    names: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    values: Floats = field(default_factory=lambda: np.empty((0, 0)))
    scales: PlaneScales | None = None
    quantity: str = "value"
    note: str = ""
    refused: tuple[str, str] | None = None
    by: str = ""
    option: str = ""

    @property
    def matrix(self) -> Matrix:
        return self.shown.matrix

    @property
    def grid(self) -> Grid | None:
        return self.tiles.grid

    def inks(self, plane: int, scaling: str) -> Inks:
        """The colours of a plane."""
        assert self.scales is not None
        scale = self.scales.own(plane) if scaling == OWN else self.scales.common
        table = self.scales.palettes[scale.scheme].table
        return Inks(table=table, low=scale.low, high=scale.high)

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
    return map_of(shown.result)


def map_of(result: Result) -> MapTiles:
    """A map, to be drawn small."""
    grid = result.model.grid if isinstance(result.model, PrototypeMap) else None
    return MapTiles(grid, _drawn(result))


def drawn_positions(shown: Shown) -> Floats:
    """Where items are drawn, shape (N, 2); y points up on a projection, as in Positions."""
    return _drawn(shown.result)


def _drawn(result: Result) -> Floats:
    grid = result.model.grid if isinstance(result.model, PrototypeMap) else None
    places = drawn(grid, np.asarray(result.positions, dtype=np.float64))
    return places * [1.0, -1.0] if isinstance(result.model, LinearMap) else places


def plane_values(shown: Shown) -> Floats:
    """The value of every feature at every node, shape (D, M); without nodes of every item."""
    model = shown.result.model
    return model.prototypes.T if isinstance(model, PrototypeMap) else shown.matrix.values.T


def plane_scales(ends: PlaneEnds, palettes: tuple[tuple[PaletteScheme, str], ...]) -> PlaneScales:
    """The scales of planes with these ends."""
    chosen = dict(palettes)
    return PlaneScales(
        common=sided_scale(np.concatenate([ends.low, ends.high])),
        ends=ends,
        palettes={scheme: palette_named(chosen[scheme]) for scheme in PaletteScheme},
    )


def plane_ends(values: Floats, *, points: bool) -> PlaneEnds:
    """The ends of planes of nodes, or of `points`."""
    blank = np.isnan(values)
    nothing = blank.all(axis=1)
    low = np.where(blank, np.inf, values).min(axis=1, initial=np.inf)
    high = np.where(blank, -np.inf, values).max(axis=1, initial=-np.inf)
    low[nothing] = high[nothing] = np.nan
    if points and values.shape[1] > FEW:
        # Outliers are left out, of all planes whose sample has any values.
        sample = values[:, :: -(-values.shape[1] // SAMPLE)]
        seen = ~np.isnan(sample).all(axis=1)
        low[seen], high[seen] = np.nanpercentile(sample[seen], EDGES, axis=1)
    return PlaneEnds(low=low, high=high, blank=bool(blank.any()))
