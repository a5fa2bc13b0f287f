"""Quantile normalisation: the same distribution of values for all samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.model.arrays import Floats
from ximstudio.model.params import Params
from ximstudio.model.table import ITEMS, Table
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.dense import must_fit, written_out
from ximstudio.prepare.removal import unlearnt
from ximstudio.prepare.step import Course, Remembered, Step, StepGroup, StepResult, other
from ximstudio.prepare.steps.samples import samples_side


@dataclass(frozen=True, kw_only=True)
class QuantileParams(Params):
    """The side of the samples."""

    samples: str = samples_side()


def _at(reference: Floats, ranks: Floats, n_ranks: int) -> Floats:
    """Return the reference at ranks, counted from 0, of n; exact if n is its own size."""
    last = len(reference) - 1
    stretch = last / (n_ranks - 1) if n_ranks > 1 else 0.0
    # A single value has the middle rank.
    places = ranks * stretch if n_ranks > 1 else np.full(len(ranks), last / 2)
    below = np.minimum(places.astype(np.int64), last)
    part = places - below
    above = np.minimum(below + 1, last)
    found: Floats = reference[below] * (1.0 - part) + reference[above] * part
    return found


def _sorted_known(values: Floats) -> Floats:
    """Return the known values in order, without blanks."""
    ordered: Floats = np.sort(values)
    return ordered[: len(values) - int(np.isnan(values).sum())]


def _learn(table: Table, params: QuantileParams, course: Course) -> Remembered:
    refuse_infinite(table)
    must_fit(table)
    n = len(table.axis(other(params.samples)))
    sums: dict[int, Floats] = {}
    n_samples = 0
    ordered = []
    stays = params.samples == course.stays
    for _, block in summaries.blocks(table, params.samples):
        for sample in block:
            known = _sorted_known(sample)
            if len(known):
                sums[len(known)] = sums.get(len(known), 0.0) + known
                n_samples += 1
            ordered += [known] if stays else []
    # Samples with blanks are stretched, so that they count like those without: in this order, as
    # the sum of stretched samples is the stretched sum.
    ranks = np.arange(n, dtype=np.float64)
    total = sum((_at(sums[size], ranks, n) for size in sorted(sums)), start=np.zeros(n))
    remembered: dict[str, NDArray[Any]] = {"reference": total / max(n_samples, 1)}
    if stays:
        remembered["values"] = np.concatenate(ordered)
        remembered["counts"] = np.array([len(known) for known in ordered], dtype=np.int64)
    return remembered


def _mean_ranks(ordered: Floats) -> Floats | None:
    """Return the ranks of ordered values, counted from 0; ties share theirs. None if all differ."""
    new = np.append(True, ordered[1:] != ordered[:-1])
    if new.all():
        return None
    begins = np.flatnonzero(new)
    ends = np.append(begins[1:], len(ordered))
    return np.repeat((begins + ends - 1) / 2, ends - begins)


def _ranks_among(values: Floats, ordered: Floats) -> Floats:
    """Return the mean ranks of ordered values among other ordered values.

    A value between two of them gets a rank between theirs; one beyond all of them, the rank of the
    last.
    """
    below = np.searchsorted(ordered, values, side="left")
    after = np.searchsorted(ordered, values, side="right")
    ranks = (below + after - 1) / 2
    between = (below == after) & (below > 0) & (below < len(ordered))
    low, high = ordered[below[between] - 1], ordered[below[between]]
    # Between the mean ranks of both neighbours, so that the order of values is kept.
    first, last = (_ranks_among(each, ordered) if len(each) else each for each in (low, high))
    ranks[between] = first + (last - first) * ((values[between] - low) / (high - low))
    return np.clip(ranks, 0, len(ordered) - 1)


class _Reference:
    """The reference at ranks; those of n different values are cached."""

    def __init__(self, values: Floats) -> None:
        self.values = values
        self._plain: dict[int, Floats] = {}

    def at(self, ranks: Floats | None, n_ranks: int) -> Floats:
        if ranks is not None:
            return _at(self.values, ranks, n_ranks)
        if n_ranks not in self._plain:
            plain = np.arange(n_ranks, dtype=np.float64)
            self._plain[n_ranks] = _at(self.values, plain, n_ranks)
        return self._plain[n_ranks]


def _normalised(sample: Floats, learnt: Floats | None, reference: _Reference) -> Floats:
    """Return a sample with values of the reference, at its own ranks or among learnt values."""
    ranks: Floats | None
    order = np.argsort(sample)
    order = order[: len(sample) - int(np.isnan(sample).sum())]
    values = sample[order]
    if learnt is None or np.array_equal(values, learnt):
        ranks, n_ranks = _mean_ranks(values), len(values)
    elif len(learnt):
        ranks, n_ranks = _ranks_among(values, learnt), len(learnt)
    else:
        # This sample had no values when the recipe was made.
        return sample
    found = np.array(sample)
    found[order] = reference.at(ranks, n_ranks)
    return found


def _apply(table: Table, params: QuantileParams, learnt: Remembered, course: Course) -> StepResult:
    refuse_infinite(table)
    reference = _Reference(np.asarray(learnt["reference"], np.float64))
    dense = table.with_values(written_out(table))
    found = np.empty(dense.values.shape)
    lines = found if params.samples == ITEMS else found.T
    own: Floats | None = None
    ends = np.cumsum(learnt["counts"]) if params.samples == course.stays else None
    for part, block in summaries.blocks(dense, params.samples):
        for number, sample in enumerate(block, start=part.start):
            if ends is not None:
                own = learnt["values"][ends[number] - learnt["counts"][number] : ends[number]]
            lines[number] = _normalised(sample, own, reference)
    empty = np.flatnonzero(learnt["counts"] == 0 if ends is not None else [])
    notes = unlearnt(table, params.samples, empty)
    return StepResult(table=table.with_values(found), notes=notes)


QUANTILE = Step(
    key="quantile",
    name="Equal distributions",
    group=StepGroup.SAMPLES,
    about="Quantile normalisation: all samples get the same values, the mean of the samples rank by"
    " rank. Equal values get the value at their mean rank; missing ones stay missing.",
    params=QuantileParams,
    sentence=lambda p, words: (
        f"Give all {words.several(p.samples)} the same distribution of values."
    ),
    learn=_learn,
    apply=_apply,
    values="ranked {}",
)
