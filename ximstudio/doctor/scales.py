"""Detection of features with different units: grams, years and percent side by side."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import TableEvidence, once
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.measured import measured, some_values
from ximstudio.doctor.numeric_labels import describes_samples
from ximstudio.doctor.robust import quantiles
from ximstudio.doctor.roles import measurements_first
from ximstudio.load.scale import COUNTS, LINEAR, LOGGED, UNCLEAR, looks_logged
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity
from ximstudio.model.table import FEATURES, ITEMS
from ximstudio.model.words import number
from ximstudio.prepare.planned import planned

FEWEST_ITEMS = 8
FEWEST, MOST = 2, 60
"""Number of features of such a table; more are rather genes or probes with unknown names."""
APART = 10.0
"""Ratio of the spreads of two features if their units differ."""
APART_BY_NAME = 3.0
"""The same, where most names are those of measurements in different units."""
LOPSIDED = 6.0
"""Ratio of the distances of the 95th and 5th percentile from the median that needs logarithms."""
SHARE_LOPSIDED = 0.5
"""Share of such features from which the table needs logarithms."""
FEWEST_NAMED = 2
"""Number of descriptive names (age, BMI, glucose) that rule out counts."""


@once
def own_units(evidence: TableEvidence) -> Ints | None:
    """Return the features if every one has its own unit; else None."""
    table = evidence.table
    if evidence.is_empty or table.is_sparse or evidence.gene_side is not None:
        return None
    features = measured(evidence, FEATURES)
    if not FEWEST <= len(features) <= MOST or table.n_items < FEWEST_ITEMS:
        return None
    values = table.dense[np.ix_(measured(evidence, ITEMS), features)].T
    values = np.where(np.isfinite(values), values, np.nan)
    kind = looks_logged(some_values(evidence))[0]
    whole = _whole_ones(values)
    mixed = whole.any() and not whole.all()
    named = sum(describes_samples(evidence.axis(FEATURES).names[int(n)]) for n in features)
    if kind not in {LINEAR, COUNTS, UNCLEAR, LOGGED} or (
        kind in {COUNTS, LOGGED} and named < FEWEST_NAMED
    ):
        return None
    ordered = np.sort(values, axis=1)
    known = named >= FEWEST_NAMED and len(features) <= 2 * named
    spans = quantiles(ordered, 0.95) - quantiles(ordered, 0.05)
    if _is_scaled(spans, APART_BY_NAME if known else APART):
        return None
    lopsided = _lopsided(values)
    asks_for_logs = lopsided.mean() > SHARE_LOPSIDED and not mixed and named < FEWEST_NAMED
    return None if asks_for_logs else features


def _whole_ones(rows: Floats) -> Bools:
    return np.asarray((np.isnan(rows) | (rows == np.rint(rows))).all(axis=1))


def _lopsided(rows: Floats) -> Bools:
    """Return features with a long tail of large values only."""
    ordered = np.sort(rows, axis=1)
    low, middle, high = (quantiles(ordered, share) for share in (0.05, 0.5, 0.95))
    return np.asarray(high - middle > LOPSIDED * (middle - low))


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    features = own_units(evidence)
    if features is None:
        return
    axis = evidence.axis(FEATURES)
    low, high = evidence.tally[FEATURES].low, evidence.tally[FEATURES].high
    spans = (high - low)[features]
    shown = [
        f"{axis.address(int(n))} from {number(float(low[n]))} to {number(float(high[n]))}"
        for n in features[np.argsort(-spans, kind="stable")][[0, -1]]
    ]
    yield Finding(
        key=SCALES.key,
        severity=Severity.WARNING,
        side=FEATURES,
        what=f"The {len(features)} features are on quite different scales, as if each were measured"
        " in a unit of its own: those with the largest numbers would dominate the map.",
        where=f"{evidence.table.source}: {some_of(shown[:SHOWN])}",
        way_out="Scale every feature to mean 0 and standard deviation 1. Logarithms do not help"
        " here.",
        addresses=evidence.along(FEATURES, features),
        repairs=(
            Repair(
                label="Scale every feature to mean 0 and standard deviation 1",
                steps=(*measurements_first(evidence), planned("scale", axis=FEATURES, how="z")),
            ),
            Repair(
                label="Scale every feature to the range from 0 to 1",
                steps=(
                    *measurements_first(evidence),
                    planned("scale", axis=FEATURES, how="range"),
                ),
            ),
        ),
    )


def _is_scaled(spans: Floats, apart: float) -> bool:
    spans = spans[np.isfinite(spans) & (spans > 0)]
    return len(spans) < FEWEST or bool(spans.max() < apart * spans.min())


SCALES = Check(
    key="scales",
    name="Features on different scales",
    about="Grams, years and percent side by side, as in tables of chemical or clinical"
    " measurements: the largest numbers would decide alone.",
    phase=RepairPhase.SCALE,
    look=_look,
    of_measurements=True,
)
