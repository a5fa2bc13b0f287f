"""Results of a comparison of methods: all runs, means and deviations, and the best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import floor, log10

import numpy as np

from ximstudio.measure.catalogue import WANDER, Better, Definition, Measure
from ximstudio.measure.stability import Stability
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.params import Params
from ximstudio.train import Method

DIGITS, MOST_DECIMALS = 3, 6
"""Significant digits that are printed of the largest mean of a measure; the others follow."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Summary:
    """One measure over the runs of every method: mean and standard deviation, each (methods,).

    NaN where a method has none: the measure does not apply, or one run has no deviation.
    """

    definition: Definition
    means: Floats
    deviations: Floats

    @cached_property
    def decimals(self) -> int:
        """Number of decimals that are printed."""
        largest = np.abs(self.means[np.isfinite(self.means)]).max(initial=0.0)
        wanted = DIGITS - 1 - floor(log10(largest)) if largest > 0 else DIGITS
        return min(max(0, wanted), MOST_DECIMALS)

    @cached_property
    def best(self) -> Bools:
        """The methods with the best mean in the printed digits: several if they tie.

        None where no direction is better, or there is nothing to compare with.
        """
        printed = np.array([float(self.mean_text(number)) for number in range(len(self.means))])
        if self.definition.better is Better.NEITHER or np.count_nonzero(~np.isnan(printed)) < 2:
            return np.zeros(len(printed), dtype=np.bool_)
        best = np.nanmax(printed) if self.definition.better is Better.HIGHER else np.nanmin(printed)
        return np.asarray(printed == best)

    def mean_text(self, method: int) -> str:
        """Return the mean of one method as it is printed, 'nan' where there is none."""
        return f"{self.means[method]:z.{self.decimals}f}"

    def text(self, method: int) -> str:
        """Return mean and standard deviation in brackets like the report, '–' for nothing."""
        if np.isnan(self.means[method]):
            return "–"
        deviation = self.deviations[method]
        spread = "" if np.isnan(deviation) else f" ({deviation:.{self.decimals}f})"
        return self.mean_text(method) + spread


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """Several methods, each trained several times on random shares of the items.

    Parameters
    ----------
    entries
        The methods, with their parameters.
    share, seed
        Run r trained on this share of the items, with the seed `seed` + r.
    label
        The label whose classes were measured, if any.
    items
        The items of every run, shape (runs, n); the same for all methods.
    measures
        Those that apply to at least one of the methods.
    values, errors
        Every measure of every run, and its standard error of sampling, shape (methods, runs,
        measures); NaN where a measure does not apply, and of runs that were refused.
    n_made
        Number of runs of every method that succeeded, at least one: a random share of the items may
        not suit a method. All else is about these alone.
    stability
        The aligned runs of every method, and the wander of items between them.
    """

    entries: tuple[tuple[Method, Params], ...]
    share: float
    seed: int
    label: str | None
    items: Ints
    measures: tuple[Measure, ...]
    values: Floats
    errors: Floats
    n_made: tuple[int, ...]
    stability: tuple[Stability, ...]

    @property
    def n_runs(self) -> int:
        return len(self.items)

    @property
    def methods(self) -> tuple[Method, ...]:
        return tuple(method for method, _ in self.entries)

    @cached_property
    def sampled(self) -> dict[str, float]:
        """Keys of the measures that used a sample, with their largest standard error."""
        largest = np.nanmax(self.errors, axis=(0, 1), initial=0.0).tolist()
        return {
            measure.key: error
            for measure, error in zip(self.measures, largest, strict=True)
            if error > 0
        }

    @property
    def wander(self) -> Floats:
        """Wander of every item between the runs of every method, shape (methods, N)."""
        return np.stack([of_method.wander for of_method in self.stability])

    @cached_property
    def summaries(self) -> tuple[Summary, ...]:
        """All measures over the runs, and the wander of items if there were several runs."""
        found = []
        for number, measure in enumerate(self.measures):
            known = [runs[~np.isnan(runs)] for runs in self.values[:, :, number]]
            means = [runs.mean() if len(runs) else np.nan for runs in known]
            # Unbiased; a single run has none.
            deviations = [runs.std(ddof=1) if len(runs) > 1 else np.nan for runs in known]
            found.append(
                Summary(definition=measure, means=np.array(means), deviations=np.array(deviations))
            )
        wander = np.array([of_method.mean_wander for of_method in self.stability])
        if not np.isnan(wander).all():
            nothing = np.full(len(wander), np.nan)
            found.append(Summary(definition=WANDER, means=wander, deviations=nothing))
        return tuple(found)
