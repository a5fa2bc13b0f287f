"""How the views of features and of portraits are set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.features import FeaturesWish, Order
from ximstudio.pictures.memory import Memory
from ximstudio.pictures.planes import KeptEnds, PlanesPicture
from ximstudio.pictures.portraits import PortraitsWish
from ximstudio.pictures.states.state import ViewState
from ximstudio.session.shown import Shown


@dataclass(frozen=True, kw_only=True)
class PlanesState(ViewState):
    """Planes of a map, all or one.

    Parameters
    ----------
    by, option
        The order of the planes, and the feature or label that it depends on.
    scaling
        Whether equal colours mean equal values on all planes; '' for what suits them.
    search
        Only planes whose names have these words are seen.
    enlarged
        The plane that is seen alone; '' for all.
    """

    by: str = ""
    option: str = ""
    scaling: str = ""
    search: str = ""
    enlarged: str = ""


@dataclass(frozen=True, kw_only=True)
class FeaturesState(PlanesState):
    """A plane of every feature."""

    view: ClassVar[str] = "features"

    def wish(self, memory: Memory, order: Order, ends: KeptEnds) -> FeaturesWish:
        """What to compute."""
        return FeaturesWish(
            memory=memory,
            order=order,
            ends=ends,
            by=self.by,
            option=self.option,
            palettes=self.palettes,
        )

    def picture(
        self,
        shown: Shown,
        selection: Selection = NOTHING,  # noqa: ARG002
    ) -> PlanesPicture:
        """The planes of the features."""
        return self.wish(Memory(), Order(), KeptEnds())(shown)


@dataclass(frozen=True, kw_only=True)
class PortraitsState(PlanesState):
    """A portrait of every sample or group."""

    view: ClassVar[str] = "portraits"

    def wish(self, memory: Memory) -> PortraitsWish:
        """What to compute."""
        return PortraitsWish(memory=memory, by=self.by, option=self.option, palettes=self.palettes)

    def picture(
        self,
        shown: Shown,
        selection: Selection = NOTHING,  # noqa: ARG002
    ) -> PlanesPicture:
        """The portraits."""
        return self.wish(Memory())(shown)
