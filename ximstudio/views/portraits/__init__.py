"""The Portraits view: the map of genes once per sample or group of samples."""

from ximstudio.views.common.kind import ViewKind

PORTRAITS = ViewKind(
    key="portraits",
    name="Portraits",
    icon="portraits",
    about="One map per sample or group of samples, showing which genes are above or below "
    "their mean.",
    state="ximstudio.views.portraits.state:PortraitsState",
    figure="ximstudio.views.common.planes_figure:draw_planes",
    legend="ximstudio.views.common.legend:describe_planes",
    needs_nodes=True,
    marks_chosen=False,
)
