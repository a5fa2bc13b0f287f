"""What a person chose in the views, as values. `STATES` lists one per view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ximstudio.model.params import known
from ximstudio.pictures.states.compare import CompareState
from ximstudio.pictures.states.heat_map import HeatMapState
from ximstudio.pictures.states.map import MapState
from ximstudio.pictures.states.planes import FeaturesState, PlanesState, PortraitsState
from ximstudio.pictures.states.positions import PositionsState
from ximstudio.pictures.states.quality import QualityState
from ximstudio.pictures.states.state import ViewState

STATES: tuple[type[ViewState], ...] = (
    MapState,
    PositionsState,
    QualityState,
    FeaturesState,
    HeatMapState,
    PortraitsState,
    CompareState,
)


def state_named(view: str, values: Mapping[str, Any] | None = None) -> ViewState:
    """The state of a view by its key, from plain values; an unknown view is refused."""
    known("view", view, [kind.view for kind in STATES])
    kind = next(kind for kind in STATES if kind.view == view)
    return kind.from_values({} if values is None else values)


__all__ = [
    "STATES",
    "CompareState",
    "FeaturesState",
    "HeatMapState",
    "MapState",
    "PlanesState",
    "PortraitsState",
    "PositionsState",
    "QualityState",
    "ViewState",
    "state_named",
]
