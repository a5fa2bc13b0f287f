"""How the positions view is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.memory import Memory
from ximstudio.pictures.positions import CLUSTERS, WANDER, PositionsPicture, PositionsWish
from ximstudio.pictures.set_classes import seen_sets
from ximstudio.pictures.states.canvas import CanvasState
from ximstudio.pictures.work import Work
from ximstudio.session.shown import Shown

AUTOMATIC, POINTS, DENSITY = "automatic", "points", "density"
"""How items are drawn."""
MANY = 100_000
"""From so many items on a density is drawn, unless a person wants points."""


@dataclass(frozen=True, kw_only=True)
class PositionsState(CanvasState):
    """Items in their places, and what their colours tell.

    Parameters
    ----------
    by, option
        What colours tell, and of which label, feature or set.
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

    def wish(self, memory: Memory) -> PositionsWish:
        """What to compute."""
        return PositionsWish(memory=memory, by=self.by, option=self.option, palettes=self.palettes)

    def work(self, shown: Shown, *, table: bool = False) -> Work:  # noqa: ARG002
        """What colours tell of, and items that came later."""
        by, option = self.wish(Memory()).choice(shown)
        return Work(
            sets=seen_sets(shown.sets, by, option),
            clusters=by == CLUSTERS,
            brought=True,
            wander=by == WANDER,
        )

    def picture(
        self,
        shown: Shown,
        selection: Selection = NOTHING,  # noqa: ARG002
    ) -> PositionsPicture:
        """The picture of the items."""
        return self.wish(Memory())(shown)

    def is_dense(self, n_items: int) -> bool:
        """Whether so many items are drawn as a density."""
        return n_items > MANY if self.mode == AUTOMATIC else self.mode == DENSITY
