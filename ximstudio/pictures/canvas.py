"""Values shared by the pictures of map and positions, and marks drawn above both."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from ximstudio.maps.classes import Classes
from ximstudio.maps.clusters import ClusteredUnit, Clustering, borders
from ximstudio.maps.drawn import drawn
from ximstudio.maps.palettes import Palette, Scale
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import PrototypeMap
from ximstudio.pictures.colouring import colours_of
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.session.projection import ProjectedFile
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words


@dataclass(frozen=True, kw_only=True, eq=False)
class Overlaid:
    """Lines and marks in the coordinates of what is drawn.

    Parameters
    ----------
    grid
        The grid of the map; None where it has no nodes.
    clusters, borders
        The cluster of every node, and the lines between them, (S, 2, 2), of an unmoved map.
    places
        Where new items lie, (n, 2).
    ids, files
        Their names, and the file of each.
    winners
        The node of each; None where the map has none.
    novelty
        Dissimilarity of each to the items of the map, and whether it is too large.
    """

    grid: Grid | None = None
    clusters: Ints | None = None
    borders: Floats = field(default_factory=lambda: np.empty((0, 2, 2)))
    places: Floats = field(default_factory=lambda: np.empty((0, 2)))
    ids: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    winners: Ints | None = None
    novelty: Floats = field(default_factory=lambda: np.empty(0))
    strange: Bools = field(default_factory=lambda: np.empty(0, dtype=np.bool_))


BARE = Overlaid()
"""No overlays."""


def overlaid(shown: Shown, *, lines: bool) -> Overlaid:
    """Return the overlays of the displayed map; none while it trains. Borders only with `lines`."""
    run, model = shown.run, shown.result.model
    if run is None:
        return BARE
    grid = model.grid if isinstance(model, PrototypeMap) else None
    made = replace(_overlaid(run.projected, grid), grid=grid)
    clustering = bordered(shown)
    if not lines or grid is None or clustering is None:
        return made
    return replace(made, clusters=clustering.clusters, borders=borders(grid, clustering.clusters))


def bordered(shown: Shown) -> Clustering | None:
    """Return the clusters whose borders are drawn on the map: those of nodes; None without."""
    clustering = None if shown.run is None else shown.run.clustering
    return None if clustering is None or clustering.over is not ClusteredUnit.NODES else clustering


def _overlaid(projected: tuple[ProjectedFile, ...], grid: Grid | None) -> Overlaid:
    """Return the projected items of all files."""
    if not projected:
        return BARE
    placed = [each.items for each in projected]
    winners = [each.winners for each in placed if each.winners is not None]
    return Overlaid(
        places=drawn(grid, np.concatenate([each.positions for each in placed])),
        ids=tuple(item for each in placed for item in each.ids),
        files=tuple(each.name for each in projected for _ in each.items.ids),
        winners=np.concatenate(winners) if len(winners) == len(placed) else None,
        novelty=np.concatenate([each.novelty for each in placed]),
        strange=np.concatenate([each.strange for each in placed]),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class CanvasPicture:
    """A displayed map and the meaning of its colours.

    Parameters
    ----------
    grid
        The grid of the map; None where it has no nodes.
    option
        The feature or label that determines the colours; '' where there is no choice.
    classes
        The classes that have colours; None where there are none.
    values
        A number per node or item; None if there are none, or none so far.
    colours, scale, palette
        Colours of the numbers, (…, 4), and what they mean; None without numbers.
    overlaid
        What lies above: borders of clusters, and new items.
    """

    shown: Shown
    words: Words
    grid: Grid | None = None
    option: str = ""
    classes: Classes | None = None
    values: Floats | None = None
    colours: Bytes | None = None
    scale: Scale | None = None
    palette: Palette | None = None
    overlaid: Overlaid = BARE

    @cached_property
    def positions(self) -> Floats:
        """Return where the items are drawn, shape (N, 2)."""
        return drawn(self.grid, self.shown.result.positions)

    @property
    def matrix(self) -> Matrix:
        return self.shown.matrix

    def coloured(self, values: Floats, scale: Scale, palette: Palette) -> Self:
        """Return the same picture with these values, in the colours of a palette."""
        colours = colours_of(values, palette.table, low=scale.low, high=scale.high)
        return replace(self, values=values, colours=colours, scale=scale, palette=palette)
