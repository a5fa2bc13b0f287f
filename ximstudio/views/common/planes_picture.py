"""Compute a gallery of planes: one map per feature or sample. No Qt."""

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
from ximstudio.pictures.cache import Latest
from ximstudio.pictures.quantity import sided_scale
from ximstudio.pictures.raster.tiles import Inks, MapTiles
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words
from ximstudio.views.common.state import COMMON, OWN

EDGES = 0.5, 99.5
"""Percentiles that get the last colours where items are drawn, so that outliers do not."""
PALE = 0.12
"""A plane that uses less than this share of all colours looks pale."""
FEW, SAMPLE = 200, 4000
"""Number of items up to which all count; of more, a sample yields the percentiles."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlaneEnds:
    """The least and largest value of every plane, shape (P,); NaN where there is none.

    `blank` says whether any value is blank.
    """

    low: Floats
    high: Floats
    blank: bool

    def ordered(self, order: Ints) -> PlaneEnds:
        """Return the ends of the same planes in another order."""
        return PlaneEnds(low=self.low[order], high=self.high[order], blank=self.blank)


class KeptEnds(Latest[PlaneEnds]):
    """The ends of the planes that were shown last."""

    def of(self, shown: Shown) -> PlaneEnds:
        """Return the ends of all features, in the order of the table."""
        model = shown.result.model
        made_of = model if isinstance(model, PrototypeMap) else shown.matrix
        points = made_of is shown.matrix
        return self.kept((made_of,), lambda: plane_ends(plane_values(shown), points=points))


@dataclass(frozen=True, kw_only=True, eq=False)
class PlaneScales:
    """Mapping of values to colours.

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
        """Return the scale of one plane."""
        return sided_scale(np.array([self.ends.low[plane], self.ends.high[plane]]))

    @property
    def first(self) -> str:
        """Return what suits the planes: one scale, unless most would have one colour."""
        reaches = self.ends.high - self.ends.low
        known = reaches[np.isfinite(reaches)]
        span = self.common.high - self.common.low
        return OWN if len(known) and np.median(known) < PALE * span else COMMON


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanesPicture:
    """Planes of one map in the order of display.

    Parameters
    ----------
    names, captions
        Name of every plane, and the line below it; captions may be empty.
    values
        A number per plane and node, or item where there are no nodes; shape (P, M) or (P, N).
    scales
        The colours that all planes share, and those that every plane has for itself.
    quantity
        Name of the numbers, for the colour bar.
    note
        A note for the user; '' for none.
    refused
        Title and text that explain why there are no planes; None if there are.
    by, option
        The order or the subject of the planes, and the feature or label that it depends on.
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
        """Return the colours of a plane."""
        assert self.scales is not None
        scale = self.scales.own(plane) if scaling == OWN else self.scales.common
        table = self.scales.palettes[scale.scheme].table
        return Inks(table=table, low=scale.low, high=scale.high)

    def chosen(self, selection: Selection) -> Bools:
        """Return a mask of the selected items, shape (N,)."""
        return selection.mask(self.matrix.item_ids)

    def chosen_nodes(self, selection: Selection) -> Bools:
        """Return a mask of the nodes with a selected item, shape (M,)."""
        assert self.grid is not None
        winners = self.shown.result.winners
        assert winners is not None
        nodes = np.zeros(self.grid.n_nodes, dtype=np.bool_)
        nodes[winners[self.chosen(selection)]] = True
        return nodes

    def members(self, node: int) -> Ints:
        """Return the items whose winner is this node."""
        assert self.shown.result.winners is not None
        return np.flatnonzero(self.shown.result.winners == node)


def map_of(result: Result) -> MapTiles:
    """Return a map, for drawing it small."""
    grid = result.model.grid if isinstance(result.model, PrototypeMap) else None
    return MapTiles(grid, _drawn(result))


def drawn_positions(shown: Shown) -> Floats:
    """Return where items are drawn, shape (N, 2); y points up on a projection, as in Positions."""
    return _drawn(shown.result)


def _drawn(result: Result) -> Floats:
    grid = result.model.grid if isinstance(result.model, PrototypeMap) else None
    places = drawn(grid, np.asarray(result.positions, dtype=np.float64))
    return places * [1.0, -1.0] if isinstance(result.model, LinearMap) else places


def plane_values(shown: Shown) -> Floats:
    """Return the value of every feature at every node, (D, M); without nodes, of every item."""
    model = shown.result.model
    return model.prototypes.T if isinstance(model, PrototypeMap) else shown.matrix.values.T


def plane_scales(ends: PlaneEnds, palettes: tuple[tuple[PaletteScheme, str], ...]) -> PlaneScales:
    """Return the scales of planes with these ends."""
    chosen = dict(palettes)
    return PlaneScales(
        common=sided_scale(np.concatenate([ends.low, ends.high])),
        ends=ends,
        palettes={scheme: palette_named(chosen[scheme]) for scheme in PaletteScheme},
    )


def plane_ends(values: Floats, *, points: bool) -> PlaneEnds:
    """Return the ends of planes of nodes, or of `points`."""
    blank = np.isnan(values)
    nothing = blank.all(axis=1)
    low = np.where(blank, np.inf, values).min(axis=1, initial=np.inf)
    high = np.where(blank, -np.inf, values).max(axis=1, initial=-np.inf)
    low[nothing] = high[nothing] = np.nan
    if points and values.shape[1] > FEW:
        # Leave out outliers, on all planes whose sample has any values.
        sample = values[:, :: -(-values.shape[1] // SAMPLE)]
        seen = ~np.isnan(sample).all(axis=1)
        low[seen], high[seen] = np.nanpercentile(sample[seen], EDGES, axis=1)
    return PlaneEnds(low=low, high=high, blank=bool(blank.any()))
