"""Centring and scaling of items or features."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.params import Params
from ximstudio.model.problem import Problem
from ximstudio.model.spec import Choice, Switch, param
from ximstudio.model.table import GENES, ITEMS, Table
from ximstudio.model.words import plural
from ximstudio.prepare import summaries
from ximstudio.prepare.cells import refuse_infinite
from ximstudio.prepare.dense import along, with_data, written_out
from ximstudio.prepare.removal import called, counted_in, note, some_on, unlearnt
from ximstudio.prepare.side_words import SideWords
from ximstudio.prepare.step import Course, Remembered, Step, StepGroup, StepResult, side

CENTRES: Mapping[str, Callable[[Table, str], Floats]] = {
    "mean": summaries.means,
    "median": summaries.medians,
}


def _each(label: str, help: str) -> Any:  # noqa: A002
    return side(GENES, label=label, help=help)


@dataclass(frozen=True, kw_only=True)
class CentreParams(Params):
    """The centre that becomes 0."""

    axis: str = _each("Of each", "Whose centre is moved to 0.")
    how: str = param(
        "mean",
        Choice(
            label="Centre",
            help="Value that is subtracted.",
            options={"mean": "the mean", "median": "the median"},
        ),
    )


def _learn_centre(table: Table, params: CentreParams, course: Course) -> Remembered:
    refuse_infinite(table)
    if params.axis != course.stays:
        return {}
    return {"centre": CENTRES[params.how](table, params.axis)}


def _moved(table: Table, which: str, centre: Floats) -> Floats:
    # Lines without known values have no centre; new data may have values there, which stay.
    shift = np.where(np.isnan(centre), 0.0, centre)
    found: Floats = written_out(table) - (shift[:, None] if which == ITEMS else shift)
    return found


def _apply_centre(
    table: Table, params: CentreParams, learnt: Remembered, course: Course
) -> StepResult:
    if params.axis == course.stays:
        centre = np.asarray(learnt["centre"], np.float64)
    else:
        refuse_infinite(table)
        centre = CENTRES[params.how](table, params.axis)
    return StepResult(
        table=table.with_values(_moved(table, params.axis, centre)),
        notes=unlearnt(table, params.axis, np.flatnonzero(np.isnan(centre))),
    )


CENTRE = Step(
    key="centre",
    name="Centre",
    group=StepGroup.WEIGHTS,
    about="Subtracts from every feature, or item, its mean or median.",
    params=CentreParams,
    sentence=lambda p, words: f"Subtract from every {words.one(p.axis)} its {p.how}.",
    learn=_learn_centre,
    apply=_apply_centre,
    values="centred {}",
)

SPREADS = {
    "z": "standard deviation 1 (divided by n − 1), mean 0",
    "robust": f"median absolute deviation · {summaries.TO_SD} = 1, median 0",
    "range": "from 0 to 1",
    "length": "Euclidean length 1; nothing is subtracted",
}


@dataclass(frozen=True, kw_only=True)
class ScaleParams(Params):
    """The spread that becomes equal."""

    axis: str = _each("Of each", "Whose values are scaled.")
    how: str = param(
        "z",
        Choice(label="To", help="Property that is the same for all afterwards.", options=SPREADS),
    )
    centre: bool = param(
        True,
        Switch(
            label="Centre too",
            help="Move mean, median or minimum to 0; without, a sparse table stays sparse.",
        ),
    )

    @property
    def centres(self) -> bool:
        return self.centre and self.how != "length"


def _centre_and_spread(table: Table, params: ScaleParams) -> dict[str, NDArray[Any]]:
    refuse_infinite(table)
    axis = params.axis
    if params.how == "z":
        centre, spread = summaries.means(table, axis), np.sqrt(summaries.variances(table, axis))
    elif params.how == "robust":
        centre = summaries.medians(table, axis)
        spread = summaries.TO_SD * summaries.deviations(table, axis)
    elif params.how == "range":
        centre = summaries.lowest(table, axis)
        spread = summaries.highest(table, axis) - centre
    else:
        spread = summaries.lengths(table, axis)
        centre = np.zeros(len(spread))
    # Rounding leaves a constant line a spread of a few last digits; that counts as 0.
    constant = summaries.lowest(table, axis) == summaries.highest(table, axis)
    if params.how != "length":
        spread = np.where(constant, 0.0, spread)
    # Where most values are equal, the median deviation is 0 even if the others vary.
    instead = (spread == 0) & ~constant & (params.how == "robust")
    if instead.any():
        spread = np.where(instead, np.sqrt(summaries.variances(table, axis)), spread)
    return {"centre": centre, "spread": spread, "instead": instead}


def _learn_scale(table: Table, params: ScaleParams, course: Course) -> Remembered:
    return _centre_and_spread(table, params) if params.axis == course.stays else {}


def _apply_scale(
    table: Table, params: ScaleParams, learnt: Remembered, course: Course
) -> StepResult:
    there = params.axis == course.stays
    found = learnt if there else _centre_and_spread(table, params)
    centre, spread = (np.asarray(found[name], np.float64) for name in ("centre", "spread"))
    flat = ~(spread > 0)
    notes = (
        *_flat_notes(table, params, np.flatnonzero(flat)),
        *_instead_notes(table, params, np.flatnonzero(found["instead"])),
    )
    divisor = np.where(flat, 1.0, spread)
    if not params.centres:
        return StepResult(table=_divided(table, params.axis, divisor), notes=notes)
    values = _moved(table, params.axis, centre)
    values /= divisor[:, None] if params.axis == ITEMS else divisor
    return StepResult(table=table.with_values(values), notes=notes)


def _divided(table: Table, which: str, divisor: Floats) -> Table:
    if isinstance(table.values, np.ndarray):
        return table.with_values(table.values / (divisor[:, None] if which == ITEMS else divisor))
    divided = table.values.data / along(table, which, divisor)
    return table.with_values(with_data(table.values, divided))


def _instead_notes(table: Table, params: ScaleParams, instead: Ints) -> tuple[Problem, ...]:
    if not len(instead):
        return ()
    return (
        note(
            "no_robust_spread",
            f"{counted_in(table, params.axis, len(instead), 'has', 'have')}"
            " a median absolute deviation of"
            " 0, for most values are the same; the standard deviation was taken instead.",
            f"{called(table, params.axis)} {some_on(table, params.axis, instead)}",
            "Take how=z to treat all alike.",
        ),
    )


def _flat_notes(table: Table, params: ScaleParams, flat: Ints) -> tuple[Problem, ...]:
    if not len(flat):
        return ()
    done = "only centred" if params.centres else "left unchanged"
    return (
        note(
            "no_spread",
            f"{counted_in(table, params.axis, len(flat), 'does not vary', 'do not vary')} and"
            f" {plural(len(flat), 'was', 'were')} {done}.",
            f"{called(table, params.axis)} {some_on(table, params.axis, flat)}",
            "Remove them with the step 'drop_constant', before this one.",
        ),
    )


def _scale_sentence(params: ScaleParams, words: SideWords) -> str:
    what = SPREADS[params.how] if params.centres else SPREADS[params.how].split(",")[0]
    return f"Scale every {words.one(params.axis)} to {what}."


SCALE = Step(
    key="scale",
    name="Scale",
    group=StepGroup.WEIGHTS,
    about="Brings every feature, or item, to the same spread: z scores, robust z scores, the range"
    " from 0 to 1, or unit length. What does not vary is only centred.",
    params=ScaleParams,
    sentence=_scale_sentence,
    learn=_learn_scale,
    apply=_apply_scale,
    values="scaled {}",
)
