"""The Map view: a layer over the nodes, with items and names above it."""

from ximstudio.views.common.kind import ViewKind

MAP = ViewKind(
    key="map",
    name="Map",
    icon="map",
    about="The nodes of the map: where groups are, what they have in common, and their members.",
    state="ximstudio.views.map.state:MapState",
    figure="ximstudio.views.map.figure:draw_map",
    legend="ximstudio.views.map.legend:describe_map",
    needs_nodes=True,
)
