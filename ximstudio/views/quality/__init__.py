"""The Quality view: measures, curves over k, Shepard diagram and co-ranking."""

from ximstudio.views.common.kind import ViewKind

QUALITY = ViewKind(
    key="quality",
    name="Quality",
    icon="quality",
    about="Map quality: how well neighbourhoods and distances are preserved, with all measures.",
    state="ximstudio.views.quality.state:QualityState",
    figure="ximstudio.views.quality.figure:draw_quality",
    legend="ximstudio.views.quality.legend:describe_quality",
    marks_chosen=False,
    shows_measures=True,
)
