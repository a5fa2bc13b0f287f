"""Settings of the Planes view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.cache import PictureCache
from ximstudio.session.shown import Shown
from ximstudio.views.common.planes_picture import KeptEnds, PlanesPicture
from ximstudio.views.common.state import PlanesState
from ximstudio.views.features.picture import FeaturesRequest, PlaneOrder


@dataclass(frozen=True, kw_only=True)
class FeaturesState(PlanesState):
    """A plane of every feature."""

    view: ClassVar[str] = "features"
    described: ClassVar[str] = "planes of the features"

    def request(self, memory: PictureCache, order: PlaneOrder, ends: KeptEnds) -> FeaturesRequest:
        """Return what computes the picture."""
        return FeaturesRequest(memory=memory, order=order, ends=ends, state=self)

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> PlanesPicture:
        """Return the planes of the features."""
        return self.request(PictureCache(), PlaneOrder(), KeptEnds())(shown)
