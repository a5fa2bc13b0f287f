"""Settings of the Map view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.cache import PictureCache
from ximstudio.pictures.canvas import bordered
from ximstudio.pictures.set_classes import SET, SET_MEAN, seen_sets
from ximstudio.session.shown import Shown
from ximstudio.views.common.state import NO_NEEDS, CanvasState, PictureNeeds
from ximstudio.views.map.picture import FIRST, MapPicture, MapRequest


@dataclass(frozen=True, kw_only=True)
class MapState(CanvasState):
    """A layer over the nodes, with marks and names.

    Parameters
    ----------
    layer, option
        Key of the layer, and the feature or label that it shows.
    names
        Names on the map: FIRST, ITEMS, a label, or nothing.
    marks
        Key of the marks.
    """

    view: ClassVar[str] = "map"

    layer: str = ""
    option: str = ""
    names: str = FIRST
    marks: str = ""

    @classmethod
    def for_command(cls, label: str) -> Self:
        return cls(names=label or FIRST)

    def request(self, memory: PictureCache) -> MapRequest:
        """Return what computes the picture."""
        return MapRequest(memory=memory, state=self)

    def with_sets_renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same settings for sets with other names; old → new."""
        if self.layer not in (SET, SET_MEAN):
            return self
        hidden = tuple(names.get(name, name) for name in self.hidden)
        return replace(self, option=names.get(self.option, self.option), hidden=hidden)

    def work(self, shown: Shown, *, table: bool = False) -> PictureNeeds:
        """Return the user's work that it shows: clusters, items placed later, sets."""
        if not isinstance(shown.result.model, PrototypeMap):
            return NO_NEEDS
        layer, option = self.request(PictureCache()).choice(shown)
        return PictureNeeds(
            sets=seen_sets(shown.sets, layer.key, option),
            clusters=bordered(shown) is not None,
            projected=True,
        )

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> MapPicture:
        """Return the picture of the map."""
        return self.request(PictureCache())(shown)
