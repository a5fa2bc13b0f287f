"""The Positions view: every item as a point."""

from ximstudio.views.common.kind import ViewKind

POSITIONS = ViewKind(
    key="positions",
    name="Positions",
    icon="positions",
    about="Exact positions: what lies close together has similar profiles, as far as the "
    "map is reliable.",
    state="ximstudio.views.positions.state:PositionsState",
    figure="ximstudio.views.positions.figure:draw_positions",
    legend="ximstudio.views.positions.legend:describe_positions",
)
