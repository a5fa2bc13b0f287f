"""Histograms of the values before and after a step of a recipe, computed in the background."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.arrays import Floats
from ximstudio.prepare.stage import Stage
from ximstudio.prepare.statistics import TableStatistics, shared_edges

N_BINS = 40

ALIKE = 0.2
"""Two ranges of values share bins if the narrower one covers at least this share of their union."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Histogram:
    """Counts of values between edges."""

    edges: Floats
    counts: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Change:
    """Histograms before and after a step, with the same edges if the ranges are similar."""

    before: Histogram
    after: Histogram


def change_of(stage: Stage) -> Change:
    """Compute the histograms of a step."""
    before, after = stage.before, stage.after
    if _alike(before, after):
        edges = shared_edges((before, after), N_BINS)
        return Change(before=_with(before, edges), after=_with(after, edges))
    return Change(
        before=_with(before, shared_edges((before,), N_BINS)),
        after=_with(after, shared_edges((after,), N_BINS)),
    )


def _with(statistics: TableStatistics, edges: Floats) -> Histogram:
    return Histogram(edges=edges, counts=statistics.histogram(edges))


def _alike(before: TableStatistics, after: TableStatistics) -> bool:
    if not before.n_finite or not after.n_finite:
        return True
    widths = sorted(each.maximum - each.minimum for each in (before, after))
    together = max(before.maximum, after.maximum) - min(before.minimum, after.minimum)
    return widths[0] >= ALIKE * together
