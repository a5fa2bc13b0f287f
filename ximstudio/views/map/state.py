"""How the map view is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.map import FIRST, MapPicture, MapWish
from ximstudio.pictures.memory import Memory
from ximstudio.pictures.overlaid import bordered
from ximstudio.pictures.set_classes import seen_sets
from ximstudio.pictures.states.canvas import CanvasState
from ximstudio.pictures.work import NO_WORK, Work
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

    def work(self, shown: Shown, *, table: bool = False) -> Work:  # noqa: ARG002
        """Borders of clusters, items that came later, and the set of a layer."""
        if not isinstance(shown.result.model, PrototypeMap):
            return NO_WORK
        layer, option = self.wish(Memory()).choice(shown)
        return Work(
            sets=seen_sets(shown.sets, layer.key, option),
            clusters=bordered(shown) is not None,
            brought=True,
        )

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> MapPicture:  # noqa: ARG002
        """The picture of the map."""
        return self.wish(Memory())(shown)
