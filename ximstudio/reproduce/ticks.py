"""Compare a retrained map with what is expected of it.

Where nothing differs in versions and processor, a map must be the same to the last bit. Elsewhere
arithmetic rounds in other places. On the yeast sample, with other instruction sets, another BLAS
and noise in the last digits, maps that are trained item by item, XOM's and PCA kept every place to
2·10⁻⁷ of the map's side. Training in epochs, t-SNE, SNE and UMAP amplify rounding: places differ
visibly, and what holds is how good the map is: T and C differed by up to 0.028, Sammon's error by
up to 0.051 and Spearman's correlation by up to 0.099.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import isnan, nan
from types import MappingProxyType

import numpy as np

from ximstudio.measure.catalogue import measure_named
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.arrays import Floats
from ximstudio.model.identity import Likeness
from ximstudio.model.matrix import Matrix
from ximstudio.model.words import number
from ximstudio.reproduce.making import Made
from ximstudio.session.words import Words
from ximstudio.train.record import MapRecord

ROUNDING = 1e-4
"""Share of the map's longer side by which positions may differ where rounding differs."""
AS_GOOD: Mapping[str, float] = MappingProxyType(
    {"trustworthiness": 0.06, "continuity": 0.06, "sammon": 0.1, "spearman": 0.27}
)
"""By how much measures may differ between maps that are as good as each other.

Twice the most that rounding otherwise made of maps of three tables (`benchmarks.elsewhere`).
"""
EXACT = 1e-9
"""Largest difference in a measure of the same map."""


class Verdict(StrEnum):
    """Degree of agreement with an expectation."""

    SAME = "same"
    """To the last bit."""
    ROUNDED = "rounded"
    """Within rounding."""
    AS_GOOD = "as good"
    """Another map, because rounding grew; but none that is better or worse."""
    UNKNOWN = "unknown"
    """Not comparable here: the record is too old or too short for another machine."""
    DIFFERENT = "different"

    @property
    def holds(self) -> bool:
        return self not in (Verdict.UNKNOWN, Verdict.DIFFERENT)


SIGNS = {
    Verdict.SAME: "✓",
    Verdict.ROUNDED: "≈",
    Verdict.AS_GOOD: "≈",
    Verdict.UNKNOWN: "?",
    Verdict.DIFFERENT: "✗",
}


@dataclass(frozen=True, kw_only=True)
class Tick:
    """One expectation of one run: `what` is "data", "map" or the key of a measure."""

    run: str
    what: str
    verdict: Verdict
    text: str

    @property
    def key(self) -> str:
        """For programs and tests."""
        return f"{self.run}.{self.what}"

    def __str__(self) -> str:
        return f"{SIGNS[self.verdict]} {self.text}"


def data_tick(run: str, record: MapRecord, matrix: Matrix) -> Tick:
    """Compare the data with those that the map was made of."""
    verdict, text = _of_data(record, matrix)
    return Tick(run=run, what="data", verdict=verdict, text=f"data: {text}")


def _of_data(record: MapRecord, matrix: Matrix) -> tuple[Verdict, str]:
    words = Words.of_matrix(matrix)
    size = words.size(matrix.n_items, matrix.n_features)
    wanted = words.size(record.data.n_items, record.data.n_features)
    match record.likeness(matrix):
        case Likeness.SAME:
            return Verdict.SAME, f"the same table, {size}"
        case Likeness.ROUNDED:
            where = ", ".join(record.elsewhere)
            return Verdict.ROUNDED, f"the same table within rounding, {size} (made with {where})"
        case Likeness.UNKNOWN:
            where = ", ".join(record.elsewhere)
            return (
                Verdict.ROUNDED,
                f"a table of the same size, {size}; its values cannot be compared with those of a"
                f" record without checksums (made with {where})",
            )
    other = "other values, names or labels" if wanted == size else f"{size}, not {wanted}"
    return Verdict.DIFFERENT, f"'{record.input.name}' is not the table as it was: {other}"


def map_ticks(run: str, record: MapRecord, made: Made) -> Iterator[Tick]:
    """Compare the map and its measures with those of the record."""
    measured = _measures_of(made)
    verdict, text = _of_map(record, made, measured)
    yield Tick(run=run, what="map", verdict=verdict, text=f"map: {text}")
    # Where a different map is expected, its measures may differ, too.
    tolerant = verdict in (Verdict.ROUNDED, Verdict.AS_GOOD)
    for key, wanted in record.measures.items():
        found = measured(key)
        allowed = AS_GOOD.get(key, 0.0) if tolerant else 0.0
        text = f"{measure_named(key).name}: {number(found, 6)}"
        if abs(found - wanted) <= EXACT:
            of_measure = Verdict.SAME
        elif abs(found - wanted) <= allowed:
            of_measure = Verdict.AS_GOOD
            text += f", within {number(allowed, 2)} of {number(wanted, 6)}"
        else:
            of_measure = Verdict.DIFFERENT
            text += f", not {number(wanted, 6)}"
        yield Tick(run=run, what=key, verdict=of_measure, text=text)


def _of_map(record: MapRecord, made: Made, measured: Callable[[str], float]) -> tuple[Verdict, str]:
    if made.result.hash == record.result_hash:
        return Verdict.SAME, "the same, to the last bit"
    others = record.elsewhere
    if not others:
        return Verdict.DIFFERENT, "another one, although versions and processor are the same"
    where = f"made with {', '.join(others)}"
    apart = _apart(record.landmarks, made)
    if apart <= ROUNDING:
        return Verdict.ROUNDED, f"the same within rounding ({where})"
    if all(
        key in record.measures and abs(measured(key) - record.measures[key]) <= allowed
        for key, allowed in AS_GOOD.items()
    ):
        return Verdict.AS_GOOD, f"another one, as good as expected ({where})"
    if not record.measures:
        lacks = "neither positions nor" if isnan(apart) else "no"
        text = f"another one; the file has {lacks} measures to compare"
        return Verdict.UNKNOWN, f"{text} ({where})"
    return Verdict.DIFFERENT, f"another one ({where})"


def _apart(landmarks: Mapping[str, tuple[float, ...]], made: Made) -> float:
    """Return the largest shift of a landmark, as a share of the map's side."""
    rows = {name: row for row, name in enumerate(made.result.item_ids)}
    if not landmarks.keys() <= rows.keys() or len(set(map(len, landmarks.values()))) != 1:
        return nan
    wanted = np.array(list(landmarks.values()))
    found = made.result.positions[[rows[name] for name in landmarks]]
    if wanted.shape != found.shape:
        return nan
    periods = np.array(made.result.periods)
    apart: Floats = found - wanted
    joined = np.isfinite(periods)
    apart[:, joined] -= periods[joined] * np.round(apart[:, joined] / periods[joined])
    side = float(np.ptp(made.result.positions, axis=0).max()) or 1.0
    return float(np.linalg.norm(apart, axis=1).max()) / side


def _measures_of(made: Made) -> Callable[[str], float]:
    """Return a function for measures of the map that was made, each taken only once."""
    evidence = MapEvidence(matrix=made.matrix, result=made.result)

    @cache
    def measured(key: str) -> float:
        estimate = measure_named(key).of(evidence)
        return nan if estimate is None else estimate.value

    return measured
