"""A way to cluster, added to its registry before anything else is imported."""

from __future__ import annotations

from dataclasses import replace

from ximstudio.maps import clusters
from ximstudio.maps.clusters.ward import WARD

DUMMY = replace(
    WARD,
    key="dummy",
    name="Parish",
    about="Groups for a test.",
    reference="Nobody 2026",
    in_text="the parish rule",
    works=("N. Nobody, On parishes (2026).",),
)

clusters.CLUSTERINGS = (*clusters.CLUSTERINGS, DUMMY)
