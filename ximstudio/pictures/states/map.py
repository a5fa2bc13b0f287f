"""How the map view is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.map import FIRST, MapPicture, MapWish
from ximstudio.pictures.memory import Memory
from ximstudio.pictures.states.canvas import CanvasState
from ximstudio.session.shown import Shown


@dataclass(frozen=True, kw_only=True)
class MapState(CanvasState):
    """A layer over the nodes, with marks and names.

    Parameters
    ----------
    layer, option
        Key of the layer, and the feature or label that it shows.
    names
        What is written: FIRST, ITEMS, a label, or nothing.
    marks
        Key of the marks.
    """

    view: ClassVar[str] = "map"

    layer: str = ""
    option: str = ""
    names: str = FIRST
    marks: str = ""

    def wish(self, memory: Memory) -> MapWish:
        """What to compute."""
        return MapWish(
            memory=memory,
            layer=self.layer,
            option=self.option,
            names=self.names,
            palettes=self.palettes,
        )

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> MapPicture:  # noqa: ARG002
        """The picture of the map."""
        return self.wish(Memory())(shown)
