"""How the compare view is set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.compare import CompareMemory, ComparePicture, CompareWish, is_repeated
from ximstudio.pictures.positions import CLUSTERS, WANDER
from ximstudio.pictures.set_classes import seen_sets
from ximstudio.pictures.states.state import ViewState
from ximstudio.pictures.sweep import GRID
from ximstudio.pictures.work import NO_WORK, Work
from ximstudio.session.shown import Shown

MAPS, MEASURES, SWEEP, STABILITY = "maps", "measures", "sweep", "stability"
"""Pages of the view."""
OF_COMPARED = (MAPS, MEASURES)
"""Those that show the runs that are compared; a sweep is of its own, and stability of one run."""


@dataclass(frozen=True, kw_only=True)
class CompareState(ViewState):
    """Runs side by side.

    Parameters
    ----------
    page
        What is compared.
    by, option
        What the colours of items tell, and of which label, feature or set.
    hidden
        Names of the classes that are switched off in the legend.
    order
        The order of the maps of a sweep.
    """

    view: ClassVar[str] = "compare"

    page: str = MAPS
    by: str = ""
    option: str = ""
    hidden: tuple[str, ...] = ()
    order: str = GRID

    def wish(self, memory: CompareMemory) -> CompareWish:
        """What to compute."""
        return CompareWish(memory=memory, by=self.by, option=self.option, palettes=self.palettes)

    def work(self, shown: Shown, *, table: bool = False) -> Work:
        """What colours of maps tell of, and what measures and stability are made of."""
        if self.page == STABILITY:
            return Work(steadiness=True)
        if self.page not in OF_COMPARED or not shown.compared:
            return NO_WORK
        repeated, table = is_repeated(shown), table or self.page == MEASURES
        measured = Work(repeated=table and repeated, seconds=table and not repeated)
        if self.page == MEASURES:
            return measured
        by, option = self.wish(CompareMemory()).choice(shown)
        return replace(
            measured,
            sets=seen_sets(shown.sets, by, option),
            clusters=by == CLUSTERS,
            wander=by == WANDER,
        )

    def picture(
        self,
        shown: Shown,
        selection: Selection = NOTHING,  # noqa: ARG002
    ) -> ComparePicture:
        """The runs that are compared."""
        return self.wish(CompareMemory())(shown)
