"""Settings of the Heat map view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.cache import PictureCache
from ximstudio.session.shown import Shown
from ximstudio.views.common.state import ViewState
from ximstudio.views.heat_map.picture import (
    ALL,
    CHOSEN,
    TABLE,
    Clustered,
    Coloured,
    HeatMapPicture,
    HeatMapRequest,
)


@dataclass(frozen=True, kw_only=True)
class HeatMapState(ViewState):
    """Items × features in colours.

    Parameters
    ----------
    which
        Whether all items are shown, or the selected ones.
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

    @classmethod
    def for_command(cls, label: str) -> Self:
        return cls(which=ALL, label=label)

    def request(
        self, memory: PictureCache, clustered: Clustered, coloured: Coloured, selection: Selection
    ) -> HeatMapRequest:
        """Return what computes the picture."""
        return HeatMapRequest(
            memory=memory, clustered=clustered, coloured=coloured, state=self, selection=selection
        )

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> HeatMapPicture:
        """Return the picture of the values."""
        return self.request(PictureCache(), Clustered(), Coloured(), selection)(shown)
