"""Settings of the Positions view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.cache import PictureCache
from ximstudio.pictures.set_classes import SET, SET_MEAN, seen_sets
from ximstudio.session.shown import Shown
from ximstudio.views.common.state import CanvasState, PictureNeeds
from ximstudio.views.positions.picture import (
    CLUSTERS,
    LABEL,
    WANDER,
    PositionsPicture,
    PositionsRequest,
)

AUTOMATIC, POINTS, DENSITY = "automatic", "points", "density"
"""Ways of drawing items."""
MANY = 100_000
"""Number of items from which on a density is drawn, unless the user wants points."""


@dataclass(frozen=True, kw_only=True)
class PositionsState(CanvasState):
    """Items at their positions, and the subject of their colours.

    Parameters
    ----------
    by, option
        The subject of the colours, and its label, feature or set.
    mode
        Points, a density, or what suits the number of items.
    size
        Diameter of points in pixels of a screen; 0 for what suits their number.
    opacity
        Of points, 0 to 1.
    """

    view: ClassVar[str] = "positions"

    by: str = ""
    option: str = ""
    mode: str = AUTOMATIC
    size: float = 0.0
    opacity: float = 0.85

    @classmethod
    def for_command(cls, label: str) -> Self:
        return cls(by=LABEL if label else "", option=label)

    def request(self, memory: PictureCache) -> PositionsRequest:
        """Return what computes the picture."""
        return PositionsRequest(memory=memory, state=self)

    def with_sets_renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same settings for sets with other names; old → new."""
        if self.by not in (SET, SET_MEAN):
            return self
        hidden = tuple(names.get(name, name) for name in self.hidden)
        return replace(self, option=names.get(self.option, self.option), hidden=hidden)

    def work(self, shown: Shown, *, table: bool = False) -> PictureNeeds:
        """Return the user's work that it shows: what colours depend on, and items placed later."""
        by, option = self.request(PictureCache()).choice(shown)
        return PictureNeeds(
            sets=seen_sets(shown.sets, by, option),
            clusters=by == CLUSTERS,
            projected=True,
            wander=by == WANDER,
        )

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> PositionsPicture:
        """Return the picture of the items."""
        return self.request(PictureCache())(shown)

    def is_dense(self, n_items: int) -> bool:
        """Return whether so many items are drawn as a density."""
        return n_items > MANY if self.mode == AUTOMATIC else self.mode == DENSITY
