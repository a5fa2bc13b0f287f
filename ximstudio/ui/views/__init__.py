"""Ways of looking at a map. `VIEWS` lists every one there is."""

from __future__ import annotations

from ximstudio.ui.views.compare.view import CompareView
from ximstudio.ui.views.features_view import FeaturesView
from ximstudio.ui.views.heat_map_view import HeatMapView
from ximstudio.ui.views.map_view import MapView
from ximstudio.ui.views.portraits_view import PortraitsView
from ximstudio.ui.views.positions_view import PositionsView
from ximstudio.ui.views.quality_view import QualityView
from ximstudio.ui.views.view import View

VIEWS: tuple[type[View], ...] = (
    MapView,
    PositionsView,
    QualityView,
    FeaturesView,
    HeatMapView,
    PortraitsView,
    CompareView,
)

__all__ = ["VIEWS", "View"]
