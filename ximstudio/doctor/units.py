"""Detection of values that are not logarithms, and of samples in different units."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import TableEvidence, once
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.measured import measured, measurements, profiles, scale
from ximstudio.doctor.repairs import counted, drop
from ximstudio.doctor.robust import middle, quantiles
from ximstudio.doctor.roles import measurements_first
from ximstudio.doctor.scales import own_units
from ximstudio.load.scale import COUNTS, HIGHEST_LOG, LINEAR, RATIOS, UNSURE
from ximstudio.model.arrays import Ints
from ximstudio.model.problem import Severity
from ximstudio.model.words import number
from ximstudio.prepare.planned import planned
from ximstudio.prepare.removal import one_of

FEWEST = 4
"""Number of samples needed to say what is usual."""
APART = 30.0
"""Ratio of the sizes of two groups of samples if they are in different units."""
LOGGED_APART = 15.0
"""The same, if one group has the range of logarithms and the other has not."""
SMALLEST_LINEAR = 100.0
LARGEST_COFACTOR = 1e300
SMALL = 5.0
"""Size below which all samples are logarithms of ratios, some of them close to 0."""


@dataclass(frozen=True, kw_only=True)
class Mixture:
    """Two groups of samples in different units: the smaller group, and the difference."""

    odd: Ints
    times: float
    logs: bool
    odd_are_larger: bool


@once
def mixture(evidence: TableEvidence) -> Mixture | None:
    """Find the samples whose values are of another order of magnitude than the others'."""
    rows = profiles(evidence)
    if own_units(evidence) is not None:
        return None
    if rows is None or len(rows) < FEWEST or not rows.shape[1]:
        return None
    evidence.halt()
    sizes = quantiles(np.sort(np.abs(rows), axis=1), 0.9)
    numbers = measured(evidence, evidence.sample_side)
    numbers = numbers[sizes[numbers] > 0]
    if len(numbers) < FEWEST:
        return None
    numbers = numbers[np.argsort(sizes[numbers], kind="stable")]
    ordered = sizes[numbers]
    cut = 1 + int(np.argmax(ordered[1:] / ordered[:-1]))
    times = float(ordered[cut] / ordered[cut - 1])
    small, large = numbers[:cut], numbers[cut:]
    highest = np.fmax.reduce(rows, axis=1)
    logs = highest[small].max() < HIGHEST_LOG and highest[large].min() > SMALLEST_LINEAR
    if ordered[cut] < SMALL or times < (LOGGED_APART if logs else APART):
        return None
    larger = len(large) < len(small)
    return Mixture(
        odd=np.sort(large if larger else small),
        times=times,
        logs=bool(logs),
        odd_are_larger=larger,
    )


def _look_for_mixture(evidence: TableEvidence) -> Iterable[Finding]:
    found = mixture(evidence)
    if found is None:
        return
    side = evidence.sample_side
    size = "larger" if found.odd_are_larger else "smaller"
    logs = " Some seem to be logarithms and others not." if found.logs else ""
    yield Finding(
        key=MIXED_UNITS.key,
        severity=Severity.WARNING,
        side=side,
        what=f"The values of {counted(side, found.odd)} are {found.times:.0f} times or more {size}"
        f" than those of the others.{logs}",
        where=evidence.where(side, found.odd),
        way_out="Bring all to one unit in the file; or remove these; or scale each"
        f" {one_of(side)} by itself if the units are meant to differ.",
        addresses=evidence.along(side, found.odd),
        repairs=(
            drop(evidence, side, found.odd),
            Repair(
                label=f"Scale every {one_of(side)} to mean 0 and standard deviation 1",
                steps=(planned("scale", axis=side, how="z"),),
            ),
        ),
        sure=False,
    )


def _look_for_linear(evidence: TableEvidence) -> Iterable[Finding]:
    kind, reason = scale(evidence)
    if kind not in {LINEAR, COUNTS, RATIOS}:
        return
    if own_units(evidence) is not None:
        return
    mixed = mixture(evidence)
    if mixed is not None and mixed.logs:
        # Some of them would get a second logarithm.
        return
    yield Finding(
        key=UNLOGGED.key,
        severity=Severity.WARNING,
        what=f"The values do not seem to be logarithms. {reason}",
        where=f"{evidence.table.source}: all values",
        way_out="Take logarithms, so that a few large values do not dominate all distances.",
        repairs=_logarithms(evidence, kind),
        # Counts are divided by the sums of samples first, if their side is known.
        sure=kind not in UNSURE and (kind != COUNTS or evidence.gene_side is not None),
    )


def _logarithms(evidence: TableEvidence, kind: str) -> tuple[Repair, ...]:
    stored = measurements(evidence).stored
    there = np.isfinite(stored)
    lowest = float(np.min(stored, where=there, initial=np.inf))
    first = measurements_first(evidence)
    if kind == RATIOS:
        # 1 becomes 0, as only the ratio is logarithmised.
        log = Repair(label="Take log2(x)", steps=(*first, planned("log2", offset=0.0)))
        return (log,) if lowest > 0 else ()
    if lowest < 0:
        # Values below 0 are background noise: their size is that of the noise.
        noise = float(f"{middle(-stored[there & (stored < 0)]):.1g}")
        largest = float(np.max(np.abs(stored), where=there, initial=0.0))
        if not 0 < noise <= LARGEST_COFACTOR or not np.isfinite(largest / noise):
            return ()
        label = f"Take arcsinh(x / {number(noise)}), which allows values below 0"
        return (Repair(label=label, steps=(*first, planned("arcsinh", cofactor=noise))),)
    log2 = planned("log2", offset=1.0)
    plain = Repair(label="Take log2(x + 1)", steps=(*first, log2))
    if kind != COUNTS or evidence.gene_side is None:
        return (plain,)
    samples = evidence.sample_side
    return (
        Repair(
            label=f"Bring every {one_of(samples)} to the same sum, take log2(x + 1)",
            steps=(*first, planned("library_size", samples=samples), log2),
        ),
        plain,
    )


MIXED_UNITS = Check(
    key="mixed_units",
    name="Mixed units",
    about="Some samples are logarithms and others not, or are larger by orders of magnitude.",
    phase=RepairPhase.UNITS,
    look=_look_for_mixture,
    of_measurements=True,
)
UNLOGGED = Check(
    key="unlogged",
    name="Values that are not logarithms",
    about="Raw intensities, counts, TPM and the like: a few large values would dominate all"
    " distances.",
    phase=RepairPhase.SCALE,
    look=_look_for_linear,
    of_measurements=True,
)
