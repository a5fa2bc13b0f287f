"""Widgets of the views. `VIEWS` lists one for each of `ximstudio.views.VIEWS`."""

from __future__ import annotations

from ximstudio.ui.views.common.view import AnyView
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.ui.views.features.view import FeaturesView
from ximstudio.ui.views.heat_map.view import HeatMapView
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.portraits.view import PortraitsView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.views.quality.view import QualityView

VIEWS: tuple[type[AnyView], ...] = (
    MapView,
    PositionsView,
    QualityView,
    FeaturesView,
    HeatMapView,
    PortraitsView,
    CompareView,
)


def view_widget(key: str) -> AnyView:
    """Build the widget of a view."""
    return next(widget for widget in VIEWS if widget.kind.key == key)()


__all__ = ["VIEWS", "AnyView", "view_widget"]
