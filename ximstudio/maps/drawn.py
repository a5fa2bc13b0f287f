"""Drawing places of a map: as they are, or layer beside layer for a map in space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np

from ximstudio.maps.box import Box
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid

GAP = 1.0
"""Between the cells of two layers, in grid units."""
NAME = 1.0 / 20.0
"""Height between two rows of layers, as a share of the whole drawing: a name has to fit in."""


class LayerPanel(NamedTuple):
    """A layer as it is drawn: its number from 1, a frame around its nodes, and room above it."""

    number: int
    of: int
    frame: Box
    above: float

    @property
    def names(self) -> tuple[str, ...]:
        """Return its names, the longest first."""
        return (f"layer {self.number} of {self.of}", f"layer {self.number}", f"{self.number}")


def drawn(grid: Grid | None, places: Floats) -> Floats:
    """Return where places (n, d) of nodes or items are drawn: shape (n, 2).

    Of a map in space, every layer one unit thick is a panel, from left to right and from top to
    bottom, all together about as wide as high. Without a grid the first two coordinates are drawn.
    """
    if places.shape[1] == 2:
        return places
    if grid is None:
        return places[:, :2]
    spread = _Spread.of(grid)
    layers = np.clip(np.rint(places[:, 2]), 0, spread.n_layers - 1)
    return spread.corners(layers) + places[:, :2]


def panels(grid: Grid | None) -> tuple[LayerPanel, ...]:
    """The layers of a map in space, the first one first; none where there is only one."""
    if grid is None or grid.n_axes == 2:
        return ()
    spread = _Spread.of(grid)
    n_layers = spread.n_layers
    begins = spread.corners(np.arange(float(n_layers))) + (grid.nodes[:, :2].min(axis=0) - 0.5)
    ends = begins + np.array([spread.width, spread.height])
    frames = [Box(*corners) for corners in np.column_stack([begins, ends]).tolist()]
    return tuple(
        LayerPanel(number, n_layers, frame, spread.gap)
        for number, frame in enumerate(frames if n_layers > 1 else (), start=1)
    )


def panel_names(every: tuple[LayerPanel, ...], fits: Callable[[str], bool]) -> tuple[str, ...]:
    """The longest names that fit, of the same kind for all layers; '' if none do."""
    kinds = zip(*(panel.names for panel in every), strict=True)
    return next((names for names in kinds if all(map(fits, names))), ("",) * len(every))


def around_panels(every: tuple[LayerPanel, ...]) -> Box:
    """The least rectangle around all layers and their names."""
    box = Box.around(np.array([panel.frame for panel in every]).reshape(-1, 2))
    return box._replace(top=box.top - every[0].above)


@dataclass(frozen=True, kw_only=True)
class _Spread:
    """Arrangement of the layers of a map in space: their size, number, and number in a row."""

    width: float
    height: float
    n_layers: int
    across: int

    @classmethod
    def of(cls, grid: Grid) -> _Spread:
        width, height, depth = (np.ptp(grid.nodes, axis=0) + 1.0).tolist()
        n_layers = round(depth)
        across = ceil(sqrt(n_layers * (height + GAP) / (width + GAP)))
        return cls(width=width, height=height, n_layers=n_layers, across=min(n_layers, across))

    @property
    def gap(self) -> float:
        """Between two rows of layers."""
        return max(GAP, NAME * self.across * (self.width + GAP))

    def corners(self, layers: Floats) -> Floats:
        """By how much these layers are moved to the right and down, (n, 2)."""
        down, right = np.divmod(layers, self.across)
        return np.column_stack([right * (self.width + GAP), down * (self.height + self.gap)])
