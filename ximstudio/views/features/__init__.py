"""The Planes view: the map once per feature."""

from ximstudio.views.common.kind import ViewKind

FEATURES = ViewKind(
    key="features",
    name="Planes",
    icon="features",
    about="One small map per column of the table, coloured by its values; similar ones "
    "side by side.",
    state="ximstudio.views.features.state:FeaturesState",
    figure="ximstudio.views.common.planes_figure:draw_planes",
    legend="ximstudio.views.common.legend:describe_planes",
)
