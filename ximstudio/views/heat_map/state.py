"""How the heat map is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.heat_map import (
    CHOSEN,
    TABLE,
    Clustered,
    Coloured,
    HeatMapPicture,
    HeatMapWish,
)
from ximstudio.pictures.memory import Memory
from ximstudio.pictures.states.state import ViewState
from ximstudio.session.shown import Shown


@dataclass(frozen=True, kw_only=True)
class HeatMapState(ViewState):
    """Items × features in colours.

    Parameters
    ----------
    which
        Whether all items are seen, or those that are chosen.
    by, label
        The order of rows, and the label that it follows.
    columns_by
        The order of columns, or the label that it follows.
    hidden
        Names of the classes that are switched off in the legend.
    """

    view: ClassVar[str] = "heat_map"

    which: str = CHOSEN
    by: str = ""
    label: str = ""
    columns_by: str = TABLE
    hidden: tuple[str, ...] = ()

    def wish(
        self, memory: Memory, clustered: Clustered, coloured: Coloured, selection: Selection
    ) -> HeatMapWish:
        """What to compute."""
        return HeatMapWish(
            memory=memory,
            clustered=clustered,
            coloured=coloured,
            selection=selection,
            which=self.which,
            by=self.by,
            label=self.label,
            columns_by=self.columns_by,
            palettes=self.palettes,
        )

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> HeatMapPicture:
        """The values of what is chosen, in order."""
        return self.wish(Memory(), Clustered(), Coloured(), selection)(shown)
