"""The Heat map view: values of selected items as colours."""

from ximstudio.views.common.kind import ViewKind

HEAT_MAP = ViewKind(
    key="heat_map",
    name="Heat map",
    icon="heat-map",
    about="The values of the selection, row by row, in map order or clustered.",
    state="ximstudio.views.heat_map.state:HeatMapState",
    figure="ximstudio.views.heat_map.figure:draw_heat_map",
    legend="ximstudio.views.heat_map.legend:describe_heat_map",
    marks_chosen=False,
    shows_chosen=True,
)
