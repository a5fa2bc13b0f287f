"""Parameter sweeps: one method over a grid of settings, and the Pareto-optimal maps."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod, sqrt
from types import MappingProxyType
from typing import Any

import numpy as np

from ximstudio.measure.catalogue import MEASURES, Better, Measure
from ximstudio.measure.trials import Trial, TrialProgress, TrialResult, found_all
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.matrix import Matrix, repeated
from ximstudio.model.params import Params, known
from ximstudio.model.problem import Problem, UserError, refuse
from ximstudio.model.spec import Choice, Number, Pair, Spec, Switch
from ximstudio.train import Method

MOST_MAPS = 100
MOST_AXES = 3
WIDE = 100.0
"""Ratio of bounds from which values are spaced by equal factors."""
FACTOR = 2.0
DIGITS = 3
"""Significant digits of a suggested value."""
FINER = 12
"""Number of times that steps are halved if they leave the bounds too soon."""

Move = Callable[[float], Any]
"""Function that returns the value some steps up or, below 0, down from the present one."""


@dataclass(frozen=True)
class SweepAxis:
    """A parameter, by its name in the method's declarations, and its values."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant:
    """One combination of values: all parameters, the swept ones by name, and a name.

    The name is written as on the command line: "shape=10x10, repulsion=0.25".
    """

    params: Params
    settings: Mapping[str, Any]

    @property
    def name(self) -> str:
        specs = self.params.specs()
        return ", ".join(
            f"{name}={specs[name].show(value)}" for name, value in self.settings.items()
        )


def variants(params: Params, axes: Sequence[SweepAxis]) -> tuple[Variant, ...]:
    """Return all combinations of the values of the axes, the last axis fastest; `params` for the
    rest.

    Invalid sweeps are refused with all problems: no axis or too many, an unknown or repeated
    parameter, a value out of bounds or repeated, more than `MOST_MAPS` combinations, and values
    that are valid one by one but not together.
    """
    refuse(_axes_problems(params, axes))
    specs = params.specs()
    values = [[specs[axis.name].normal(value) for value in axis.values] for axis in axes]
    made: list[Variant] = []
    # Values that conflict do so in many combinations: the first stands for all.
    wrong: dict[tuple[str, str], Problem] = {}
    for combined in product(*values):
        settings = {axis.name: value for axis, value in zip(axes, combined, strict=True)}
        try:
            changed = params.replace(**settings)
            made.append(Variant(params=changed, settings=MappingProxyType(settings)))
        except UserError as error:
            for problem in error.problems:
                wrong.setdefault((problem.key, problem.what), problem)
    refuse(wrong.values())
    return tuple(made)


def sweep(
    matrix: Matrix,
    method: Method,
    params: Params,
    axes: Sequence[SweepAxis],
    *,
    seed: int = 0,
    measures: Sequence[Measure] = MEASURES,
    label: str | None = None,
) -> Generator[TrialProgress, None, tuple[TrialResult, ...]]:
    """Train and measure a map for every variant, all with the same seed; see `found_all`.

    The maps are kept. A map that is refused on these data is returned with its problems, and the
    others go on. If the metric is swept, every map is measured in its own metric.
    """
    made = variants(params.sized(matrix.n_items), axes)
    if label is not None:
        known("label", label, matrix.item_labels)
    trials = [Trial(matrix, method, one.params, seed, one.name, keeps=True) for one in made]
    return found_all(trials, measures, label=label, forgiving=True)


def pareto(values: Floats, better: Sequence[Better]) -> Bools:
    """Return the mask of Pareto-optimal maps, shape (n,), from their measures (n, m).

    A map is dominated by one that is as good in every measure and better in one: of equal maps all
    stay. Measures without a better direction do not count. A map that lacks a measure that counts
    is never optimal.
    """
    counts = [number for number, way in enumerate(better) if way is not Better.NEITHER]
    signs = np.array([1.0 if better[number] is Better.HIGHER else -1.0 for number in counts])
    good = np.asarray(values, dtype=np.float64)[:, counts] * signs
    complete = ~np.isnan(good).any(axis=1)
    as_good = (good[:, None] >= good[None]).all(axis=2)
    better_in_one = (good[:, None] > good[None]).any(axis=2)
    bettered = (as_good & better_in_one & complete[:, None]).any(axis=0)
    return np.asarray(complete & ~bettered)


def _axes_problems(params: Params, axes: Sequence[SweepAxis]) -> Iterator[Problem]:
    """Yield problems of the axes, separately and together."""
    specs = params.specs()
    if not 1 <= len(axes) <= MOST_AXES:
        yield Problem(
            key="sweep.axes",
            what=f"A sweep goes over 1 to {MOST_AXES} parameters, not over {len(axes)}.",
            where=f"parameters {', '.join(axis.name for axis in axes) or '(none)'}",
            fields=tuple(axis.name for axis in axes),
            way_out="Choose the parameters that matter most.",
        )
    for name in repeated([axis.name for axis in axes]):
        yield Problem(
            key="sweep.axis_twice",
            what=f"The parameter '{name}' is swept more than once.",
            where=f"parameter '{name}'",
            fields=(name,),
            way_out="Name it once, with all its values.",
        )
    for axis in axes:
        try:
            known("parameter", axis.name, specs)
        except UserError as error:
            yield from error.problems
            continue
        yield from _value_problems(params, axis)
    n_maps = prod(len(axis.values) for axis in axes)
    if n_maps > MOST_MAPS:
        yield Problem(
            key="sweep.too_many",
            what=f"The values combine to {n_maps} maps; {MOST_MAPS} are the most.",
            where=", ".join(f"{len(axis.values)} values of '{axis.name}'" for axis in axes),
            way_out="Give fewer values, or sweep fewer parameters.",
        )


def _value_problems(params: Params, axis: SweepAxis) -> Iterator[Problem]:
    if not axis.values:
        yield Problem(
            key="sweep.no_values",
            what=f"There are no values of '{axis.name}' to take.",
            where=f"parameter '{axis.name}'",
            fields=(axis.name,),
            way_out="Give one value at least, or leave the parameter out.",
        )
    spec = params.specs()[axis.name]
    shown: list[str] = []
    for value in axis.values:
        try:
            params.replace(**{axis.name: value})
        except UserError as error:
            bounds = [problem for problem in error.problems if problem.key == "params.bounds"]
            yield from bounds
            if bounds:
                continue
        shown.append(spec.show(spec.normal(value)))
    for text in repeated(shown):
        yield Problem(
            key="sweep.value_twice",
            what=f"The value {text} is given more than once.",
            where=f"parameter '{axis.name}'",
            fields=(axis.name,),
            way_out="Give every value once.",
        )


def suggested_values(spec: Spec, value: Any, n: int = 4) -> tuple[Any, ...]:
    """Return about n values within bounds, in rising order, with the present one among them.

    Numbers above 0 with wide bounds go by factors of 2, others by equal steps of half the present
    value; whole numbers stay whole. Both parts of a pair move together, by factors of √2 so that
    their product doubles; an open part stays open. For a choice these are all options, for a switch
    both. Fewer than n where the bounds hold no more; an open number and a text have only
    themselves.
    """
    if isinstance(spec, Switch):
        return (False, True)
    if isinstance(spec, Choice):
        return tuple(spec.options)
    move = _move(spec, value)
    if move is None:
        return (value,)
    most: tuple[Any, ...] = ()
    for finer in range(FINER):
        found = {value: 0}
        # 1, −1, 2, −2 and so on.
        for steps in (way * far for far in range(1, 4 * n + 1) for way in (1, -1)):
            moved = move(steps / 2.0**finer)
            if len(found) < n and moved not in found and spec.allows(moved):
                found[moved] = steps
        if len(found) > len(most):
            most = tuple(sorted(found, key=lambda each: found[each]))
        if len(most) >= n:
            break
    return most


def _move(spec: Spec, value: Any) -> Move | None:
    """Return the function from the present value to others; None if there is none."""
    if isinstance(spec, Number):
        return _number_move(spec, value, FACTOR)
    if not isinstance(spec, Pair) or value is None:
        return None
    parts = [
        _number_move(number, part, sqrt(FACTOR))
        for number, part in zip((spec.first, spec.second), value, strict=True)
    ]
    if not any(parts):
        return None

    def both(steps: float) -> tuple[Any, ...]:
        return tuple(
            part if move is None else move(steps) for part, move in zip(value, parts, strict=True)
        )

    return both


def _number_move(spec: Number, value: Any, factor: float) -> Move | None:
    if value is None:
        return None
    positive = spec.low > 0 or (spec.low == 0 and spec.above)
    by_factor = positive and spec.high >= WIDE * spec.low
    step = abs(value) / 2.0 or min(spec.high - spec.low, 1.0) / 4.0

    def move(steps: float) -> Any:
        moved = value * factor**steps if by_factor else value + steps * step
        return round(moved) if spec.whole else float(f"{moved:.{DIGITS}g}")

    return move
