"""Settings of the Portraits view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.cache import PictureCache
from ximstudio.session.shown import Shown
from ximstudio.views.common.planes_picture import PlanesPicture
from ximstudio.views.common.state import COMMON, PlanesState
from ximstudio.views.portraits.picture import PortraitsRequest


@dataclass(frozen=True, kw_only=True)
class PortraitsState(PlanesState):
    """A portrait of every sample or group."""

    view: ClassVar[str] = "portraits"
    described: ClassVar[str] = "portraits on the map"
    # Samples are compared: equal colours have to mean equal values.
    scalings: ClassVar[tuple[str, ...]] = (COMMON,)

    def request(self, memory: PictureCache) -> PortraitsRequest:
        """Return what computes the picture."""
        return PortraitsRequest(memory=memory, state=self)

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> PlanesPicture:
        """Return the portraits."""
        return self.request(PictureCache())(shown)
