"""How the compare view is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.compare import CompareMemory, ComparePicture, CompareWish
from ximstudio.pictures.states.state import ViewState
from ximstudio.session.shown import Shown

MAPS, MEASURES, SWEEP, STABILITY = "maps", "measures", "sweep", "stability"
"""Pages of the view."""


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
    """

    view: ClassVar[str] = "compare"

    page: str = MAPS
    by: str = ""
    option: str = ""
    hidden: tuple[str, ...] = ()

    def wish(self, memory: CompareMemory) -> CompareWish:
        """What to compute."""
        return CompareWish(memory=memory, by=self.by, option=self.option, palettes=self.palettes)

    def picture(
        self,
        shown: Shown,
        selection: Selection = NOTHING,  # noqa: ARG002
    ) -> ComparePicture:
        """The runs that are compared."""
        return self.wish(CompareMemory())(shown)
