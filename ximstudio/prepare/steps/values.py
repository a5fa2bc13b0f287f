"""Logarithm, inverse hyperbolic sine and square root of every value; infinite values blanked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.params import Params
from ximstudio.model.spec import Number, param
from ximstudio.model.table import Table
from ximstudio.model.words import counted, number
from ximstudio.prepare.cells import n_cells, refuse_cells, some_cells
from ximstudio.prepare.dense import each_value, written_out
from ximstudio.prepare.removal import note
from ximstudio.prepare.step import (
    Course,
    NoParams,
    Remembered,
    Step,
    StepGroup,
    StepResult,
    learn_nothing,
)


@dataclass(frozen=True, kw_only=True)
class Log2Params(Params):
    """The number added before the logarithm."""

    offset: float = param(
        1.0,
        Number(
            label="Add",
            help="Number added to every value first, so that 0 has a logarithm.",
            symbol="c",
            low=0,
            high=1e300,
        ),
    )


def _log2(table: Table, params: Log2Params, learnt: Remembered, course: Course) -> StepResult:  # noqa: ARG001
    offset = params.offset

    def too_low(values: Floats) -> Bools:
        return np.asarray(values <= -offset)

    refuse_cells(
        table,
        too_low,
        key="no_logarithm",
        what=f"{number(-offset)} or lower, without a log2(x + {number(offset)})"
        if offset
        else "0 or lower, without a logarithm",
        way_out="If the values are logarithms already, take this step out;"
        " if not, add more before the logarithm is taken.",
    )
    if offset == 1.0:
        # 0 stays 0, so that a sparse table stays sparse.
        return StepResult(table=each_value(table, lambda values: _log2_of(values, 1.0)))
    return StepResult(table=table.with_values(_log2_of(written_out(table), offset)))


def _log2_of(values: Floats, offset: float) -> Floats:
    moved = values + offset
    return np.log2(moved, out=moved)


LOG2 = Step(
    key="log2",
    name="Logarithm",
    group=StepGroup.VALUES,
    about="Takes log2(x + c), which turns factors into differences: for counts and intensities.",
    params=Log2Params,
    sentence=lambda p, _: (
        f"Take the logarithm log2(x + {number(p.offset, 6)})."
        if p.offset
        else "Take the logarithm log2(x)."
    ),
    learn=learn_nothing,
    apply=_log2,
    values="log2 {}",
    value_by_value=True,
)


@dataclass(frozen=True, kw_only=True)
class ArcsinhParams(Params):
    """The point where the curve changes from linear to logarithmic."""

    cofactor: float = param(
        5.0,
        Number(
            label="Cofactor",
            help="Values far below it stay proportional, values far above become logarithms.",
            low=0,
            high=1e300,
            above=True,
        ),
    )


def _arcsinh(table: Table, params: ArcsinhParams, learnt: Remembered, course: Course) -> StepResult:  # noqa: ARG001
    return StepResult(table=each_value(table, lambda values: np.arcsinh(values / params.cofactor)))


ARCSINH = Step(
    key="arcsinh",
    name="Inverse hyperbolic sine",
    group=StepGroup.VALUES,
    about="Takes arcsinh(x / cofactor), a logarithm that negative values have too: for cytometry.",
    params=ArcsinhParams,
    sentence=lambda p, _: f"Take arcsinh(x / {number(p.cofactor, 6)}).",
    learn=learn_nothing,
    apply=_arcsinh,
    values="arcsinh {}",
    value_by_value=True,
)


def _square_root(table: Table, params: NoParams, learnt: Remembered, course: Course) -> StepResult:  # noqa: ARG001
    refuse_cells(
        table,
        lambda values: np.asarray(values < 0),
        key="negative",
        what="negative, without a square root",
        way_out="Take this step out; 'arcsinh' is a transformation that negative values have.",
    )
    return StepResult(table=each_value(table, np.sqrt))


SQUARE_ROOT = Step(
    key="square_root",
    name="Square root",
    group=StepGroup.VALUES,
    about="Takes the square root, which makes the spread of counts independent of their size.",
    params=NoParams,
    sentence=lambda _, __: "Take the square root.",
    learn=learn_nothing,
    apply=_square_root,
    values="root {}",
    value_by_value=True,
)


def _blanked(values: Floats) -> Floats:
    return np.where(np.isinf(values), np.nan, values)


def _infinite(table: Table, params: NoParams, learnt: Remembered, course: Course) -> StepResult:  # noqa: ARG001
    count = n_cells(table, np.isinf)
    if not count:
        return StepResult(table=table)
    blanked = note(
        "blanked",
        f"{counted(count, 'infinite value')} became missing.",
        some_cells(table, np.isinf, count),
        "Nothing has to be done.",
    )
    return StepResult(table=each_value(table, _blanked), notes=(blanked,))


INFINITE = Step(
    key="infinite",
    name="Make infinite values missing",
    group=StepGroup.BLANKS,
    about="Infinite values, such as the logarithm of 0, count as missing from here on.",
    params=NoParams,
    sentence=lambda _, __: "Make infinite values missing.",
    learn=learn_nothing,
    apply=_infinite,
    of_values=False,
)
