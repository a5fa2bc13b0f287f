"""Detection of samples that are unlike all others."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.finding import Finding
from ximstudio.doctor.measured import profiles, scale
from ximstudio.doctor.numeric_labels import label_numbers
from ximstudio.doctor.repairs import counted, drop
from ximstudio.doctor.robust import (
    correlations,
    middle,
    middle_profile,
    quantiles,
    usual_deviation,
)
from ximstudio.doctor.scales import own_units
from ximstudio.doctor.summaries import summary_numbers
from ximstudio.doctor.units import mixture
from ximstudio.load.scale import COUNTS, LINEAR, LOGGED
from ximstudio.model import words
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity
from ximstudio.model.table import FEATURES
from ximstudio.prepare.removal import one_of

FEWEST = 8
"""Number of samples needed to say what is usual."""
FAR = 6.0
"""Robust standard deviations that count as far."""
TWOFOLD = 1.0
"""Shift of a median, in units of logarithms, below which it is negligible."""
SHIFT = 0.25, 0.75
"""The same in widths of the usual sample: for logarithms, and for other values."""
STRETCH = float(np.log(2.5))
"""Change of a width, as a logarithm, below which it is negligible."""
ENOUGH_GENES = 500
"""Number of values that represent a whole sample. Fewer may be co-regulated genes."""
CAUTION = 3.0
"""Factor on all thresholds for samples of fewer values."""
UNLIKE = 0.3
"""Loss of correlation with the others below which it is negligible."""
COMMON = 0.5
"""Usual correlation above which the samples have a common profile at all."""
MANY = 0.2
"""Share of samples above which they are a group and no outliers."""

Reasons = dict[int, list[str]]


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    side = evidence.sample_side
    if evidence.is_empty or evidence.length(side) < FEWEST:
        return
    if side == FEATURES and own_units(evidence) is not None:
        # Columns with different units are no samples.
        return
    candidates = np.setdiff1d(np.arange(evidence.length(side)), _explained(evidence))
    if len(candidates) < FEWEST:
        return
    every = profiles(evidence)
    if every is None:
        reasons = _of_sums(evidence.tally[side].sums[candidates])
    else:
        evidence.halt()
        reasons = _of_profiles(*_compressed(evidence, every[candidates]))
    if not reasons or len(reasons) > MANY * len(candidates):
        return
    found = np.array([candidates[number] for number in sorted(reasons)], dtype=np.int64)
    said = [
        f"{evidence.axis(side).address(int(candidates[number]))}: {', '.join(reasons[number])}"
        for number in sorted(reasons)[:SHOWN]
    ]
    yield Finding(
        key=OUTLIERS.key,
        severity=Severity.WARNING,
        side=side,
        what=f"{counted(side, found)} unlike the {len(candidates) - len(found)} others.",
        where=f"{evidence.table.source}: {some_of(said, total=len(found))}",
        way_out=f"Look whether the {one_of(side)} failed, is another tissue, or was scaled in"
        " another way; remove it if so.",
        addresses=evidence.along(side, found),
        repairs=(drop(evidence, side, found),),
        sure=False,
    )


def _explained(evidence: TableEvidence) -> Ints:
    """Return samples that another check explains, and empty ones."""
    side = evidence.sample_side
    mixed = mixture(evidence)
    return np.concatenate(
        [
            [] if mixed is None else mixed.odd,
            [number for number, _ in label_numbers(evidence, side)],
            [number for number, _ in summary_numbers(evidence, side)],
            np.flatnonzero(evidence.present(side) < 2),
        ]
    ).astype(np.int64)


def _compressed(evidence: TableEvidence, rows: Floats) -> tuple[Floats, bool]:
    """Return profiles that a few large values do not dominate, and if they are logarithms."""
    kind = scale(evidence)[0]
    if kind in {LINEAR, COUNTS}:
        return np.arcsinh(rows), True
    return rows, kind == LOGGED


def _of_profiles(profiles: Floats, logged: bool) -> Reasons:
    """Return why each outlier is one; repeated without those found, until none is left."""
    ordered = np.sort(profiles, axis=1)
    centres = quantiles(ordered, 0.5)
    widths = quantiles(ordered, 0.9) - quantiles(ordered, 0.1)
    with np.errstate(divide="ignore"):
        stretches = np.log(widths)
    kept = np.ones(len(profiles), dtype=np.bool_)
    caution = 1.0 if profiles.shape[1] >= ENOUGH_GENES else CAUTION
    reasons: Reasons = {}
    while kept.sum() >= FEWEST:
        usual_width = middle(widths[kept])
        floor = max(SHIFT[0] * usual_width, TWOFOLD) if logged else SHIFT[1] * usual_width
        shift = _far(centres, kept, caution * floor)
        stretch = _far(stretches, kept, caution * STRETCH)
        unlike = _unlike(profiles, kept)
        found = kept & (shift | stretch | unlike)
        if not found.any():
            break
        for number in np.flatnonzero(found):
            reasons[int(number)] = _reason_parts(
                centres[number],
                middle(centres[kept]),
                widths[number] / usual_width if usual_width else np.inf,
                (bool(shift[number]), bool(stretch[number]), bool(unlike[number])),
            )
        kept &= ~found
    return reasons


def _far(statistic: Floats, kept: Bools, floor: float) -> Bools:
    usual = statistic[kept & np.isfinite(statistic)]
    if len(usual) < FEWEST:
        return np.zeros(len(statistic), dtype=np.bool_)
    limit = max(FAR * usual_deviation(usual), floor)
    return np.asarray(np.abs(statistic - middle(usual)) > limit)


def _unlike(profiles: Floats, kept: Bools) -> Bools:
    alike = correlations(profiles, middle_profile(profiles[kept]))
    usual = middle(alike[kept])
    if not usual > COMMON:
        return np.zeros(len(profiles), dtype=np.bool_)
    return np.asarray(usual - alike > max(FAR * usual_deviation(alike[kept]), UNLIKE))


def _reason_parts(
    centre: float, usual: float, width: float, why: tuple[bool, bool, bool]
) -> list[str]:
    shift, stretch, unlike = why
    said = []
    if shift:
        said.append(f"its median is {words.number(centre)}, usual is {words.number(usual)}")
    if stretch:
        said.append(f"its values spread {words.number(width, 2)} times as wide as usual")
    if unlike:
        said.append("it hardly correlates with the others")
    return said


def _of_sums(sums: Floats) -> Reasons:
    """Find outliers of a sparse table: cells with a far larger or smaller sum than others."""
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes = np.log(sums)
    kept = np.isfinite(sizes)
    reasons: Reasons = {}
    while kept.sum() >= FEWEST:
        found = kept & _far(sizes, kept, np.log(10))
        if not found.any():
            break
        usual = float(np.exp(middle(sizes[kept])))
        reasons |= {
            int(number): [
                f"its sum is {words.number(float(sums[number]))}, usual is {words.number(usual)}"
            ]
            for number in np.flatnonzero(found)
        }
        kept &= ~found
    return reasons


OUTLIERS = Check(
    key="outliers",
    name="Samples unlike all others",
    about="Of eight or more samples, those whose median or spread is far from the others', or that"
    " do not correlate with them. They may be failures, or the discovery.",
    phase=RepairPhase.FILTERS,
    look=_look,
    of_measurements=True,
)
