"""All sections of a report, in their order. `SECTIONS` lists them."""

from __future__ import annotations

from ximstudio.report.context import Section
from ximstudio.report.sections import (
    clusters,
    data,
    doctor,
    maps,
    methods,
    quality,
    recipe,
    reproducing,
    selections,
)

SECTIONS: tuple[Section, ...] = (
    data.SECTION,
    doctor.SECTION,
    recipe.SECTION,
    maps.SECTION,
    quality.SECTION,
    clusters.SECTION,
    selections.SECTION,
    methods.SECTION,
    reproducing.SECTION,
)
