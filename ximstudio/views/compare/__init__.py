"""The Compare view: runs side by side, their measures, sweeps and stability."""

from ximstudio.views.common.kind import ViewKind

COMPARE = ViewKind(
    key="compare",
    name="Compare",
    icon="compare",
    about="Several maps side by side: aligned, linked, and compared by the same measures.",
    state="ximstudio.views.compare.state:CompareState",
    figure="ximstudio.views.compare.figure:draw_compare",
    legend="ximstudio.views.compare.legend:describe_compare",
    compares=True,
)
