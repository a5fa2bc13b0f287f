"""Parts that the pictures of map and positions have in common. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ximstudio.maps.classes import Classes
from ximstudio.maps.drawn import drawn
from ximstudio.maps.palettes import Palette, Scale
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.pictures.overlaid import BARE, Overlaid
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words


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
