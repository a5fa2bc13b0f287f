"""Removal of technical differences between samples: sequencing depth, brightness of a chip.

Samples are either the items or the features. Where new data have new samples, their sums and
medians are computed anew and only the target is remembered; where samples are the same, the change
of each of them is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.spec import Choice, Number, param
from ximstudio.model.table import ITEMS, SAMPLES, Table
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_cells, refuse_infinite
from ximstudio.prepare.dense import multiplied, written_out
from ximstudio.prepare.removal import called, counted_in, note, some_on, unlearnt
from ximstudio.prepare.side_words import SideWords
from ximstudio.prepare.step import Course, Remembered, Step, StepGroup, StepResult, side


def samples_side() -> Any:
    """Return the parameter for the side of the samples."""
    return side(
        SAMPLES,
        label="Samples",
        help="The side of the table with the samples (cells, chips, arrays).",
    )


@dataclass(frozen=True, kw_only=True)
class LibraryParams(Params):
    """The side of the samples, and their common sum."""

    samples: str = samples_side()
    target: float | None = param(
        None,
        Number(
            label="Sum",
            help="Sum of every sample afterwards; 1e6 gives counts per million.",
            low=0,
            high=1e300,
            above=True,
            automatic="the median of the sums",
        ),
    )


def _sums(table: Table, samples: str) -> Floats:
    refuse_infinite(table)
    refuse_cells(
        table,
        lambda values: np.asarray(values < 0),
        key="negative",
        what="negative: these are no counts",
        way_out="Take this step out, or put it before logarithms are taken.",
    )
    return summaries.totals(table, samples)


def _factors(sums: Floats, target: float) -> Floats:
    return np.where(sums > 0, target / np.where(sums > 0, sums, 1.0), 1.0)


def _learn_library(table: Table, params: LibraryParams, course: Course) -> Remembered:
    sums = _sums(table, params.samples)
    target = params.target
    if target is None:
        # Samples without counts do not contribute to the target.
        target = float(np.median(sums[sums > 0])) if (sums > 0).any() else 1.0
    remembered = {"target": np.array([target])}
    if params.samples == course.stays:
        remembered["sums"] = sums
    return remembered


def _apply_library(
    table: Table, params: LibraryParams, learnt: Remembered, course: Course
) -> StepResult:
    there = params.samples == course.stays
    sums = np.asarray(learnt["sums"], np.float64) if there else _sums(table, params.samples)
    empty = np.flatnonzero(~(sums > 0))
    notes: tuple[Problem, ...] = ()
    if len(empty):
        notes = (
            note(
                "no_sum",
                f"{counted_in(table, params.samples, len(empty), 'adds', 'add')} up to 0 and stayed"
                " unchanged.",
                f"{called(table, params.samples)} {some_on(table, params.samples, empty)}",
                "Remove them with the step 'drop_constant'.",
            ),
        )
    factors = _factors(sums, float(learnt["target"][0]))
    return StepResult(table=multiplied(table, params.samples, factors), notes=notes)


def _library_sentence(params: LibraryParams, words: SideWords) -> str:
    target = "the median of their sums" if params.target is None else f"{params.target:g}"
    return f"Scale the {words.several(params.samples)} so that each adds up to {target}."


LIBRARY_SIZE = Step(
    key="library_size",
    name="Equal library sizes",
    group=StepGroup.SAMPLES,
    about="Multiplies every sample so that all add up to the same: counts per million, or the"
    " median of the sums. Missing values count as 0 in the sums.",
    params=LibraryParams,
    sentence=_library_sentence,
    learn=_learn_library,
    apply=_apply_library,
)


@dataclass(frozen=True, kw_only=True)
class MediansParams(Params):
    """The side of the samples, and the way their medians are moved."""

    samples: str = samples_side()
    how: str = param(
        "add",
        Choice(
            label="By",
            help="Way to bring every sample's median to the common one.",
            options={
                "add": "adding: for logarithms",
                "multiply": "multiplying: for counts and intensities",
            },
        ),
    )


def _middles(table: Table, params: MediansParams) -> Floats:
    refuse_infinite(table)
    found = summaries.medians(table, params.samples)
    low = np.flatnonzero(found <= 0)
    if params.how == "multiply" and len(low):
        raise UserError(
            key="prepare.no_median",
            what=f"The median of {counted_in(table, params.samples, len(low))}"
            " is 0 or negative: no factor"
            " makes it another.",
            where=f"{table.source}: {some_on(table, params.samples, low)}",
            way_out="Scale samples to the same sum ('library_size'), or shift them by adding.",
            fields=("how",),
        )
    return found


def _learn_medians(table: Table, params: MediansParams, course: Course) -> Remembered:
    found = _middles(table, params)
    known = found[~np.isnan(found)]
    remembered = {"common": np.array([np.median(known) if len(known) else 0.0])}
    if params.samples == course.stays:
        remembered["medians"] = found
    return remembered


def _apply_medians(
    table: Table, params: MediansParams, learnt: Remembered, course: Course
) -> StepResult:
    there = params.samples == course.stays
    found = np.asarray(learnt["medians"], np.float64) if there else _middles(table, params)
    common = float(learnt["common"][0])
    notes = unlearnt(table, params.samples, np.flatnonzero(np.isnan(found)))
    # A sample without values has no median.
    found = np.where(np.isnan(found), common, found)
    if params.how == "multiply":
        moved = multiplied(table, params.samples, common / found)
        return StepResult(table=moved, notes=notes)
    shift = common - found
    wide = shift[:, None] if params.samples == ITEMS else shift
    return StepResult(table=table.with_values(written_out(table) + wide), notes=notes)


EQUAL_MEDIANS = Step(
    key="equal_medians",
    name="Equal medians",
    group=StepGroup.SAMPLES,
    about="Moves every sample so that its median is the common one, the median of all medians.",
    params=MediansParams,
    sentence=lambda p, words: (
        f"Bring the medians of the {words.several(p.samples)} to the common one by"
        f" {'adding' if p.how == 'add' else 'multiplying'}."
    ),
    learn=_learn_medians,
    apply=_apply_medians,
)
