"""Settings that the Planes and Portraits views share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.views.common.planes_picture import COMMON, OWN
from ximstudio.views.common.state import ViewState


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
        Only planes whose names contain these words are shown.
    enlarged
        The plane that is shown alone; '' for all.
    """

    scalings: ClassVar[tuple[str, ...]] = (COMMON, OWN)
    """Values of `scaling`."""

    by: str = ""
    option: str = ""
    scaling: str = ""
    search: str = ""
    enlarged: str = ""
