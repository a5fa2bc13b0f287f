"""A measure, added to its registry before anything else is imported."""

from __future__ import annotations

from dataclasses import replace

from ximstudio.measure import catalogue

DUMMY = replace(
    catalogue.measure_named("trustworthiness"),
    key="dummy",
    name="Census",
    symbol="",
    meaning="Counts for a test.",
    reference="Nobody 2026",
    in_text="a census of parishes",
    works=("N. Nobody, On parishes (2026).",),
)

catalogue.MEASURES = (*catalogue.MEASURES, DUMMY)
