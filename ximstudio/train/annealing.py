"""Annealed values over a training (TR 25), and trainings that resume the annealing late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeGuard, TypeVar

import numpy as np

from ximstudio.model.arrays import Floats, frozen
from ximstudio.model.params import Params
from ximstudio.model.spec import Number, Pair, Spec, param
from ximstudio.train.params import STEPS_PER_ITEM

BEGIN_WITH_EARLIER, BEGIN_ALONE, BEGIN_PART = 0.7, 0.9, 0.3
"""Shares of the annealing to skip when a map continues with further items, among its earlier ones
or alone, and when some of its items get a separate map. Items that are presented again hold their
positions, so that the map may change more; a part of a map is a coarse start.
"""

AnyParams = TypeVar("AnyParams", bound=Params)


def annealed(annealing: str, pair: tuple[float, float], fractions: Floats) -> Floats:
    """Value at each fraction of training, like the kernel, for all of them together."""
    start, end = pair
    if annealing == "constant":
        return frozen(np.full(len(fractions), start))
    if annealing == "linear":
        return frozen(start + (end - start) * fractions)
    return frozen(start * (end / start) ** fractions)


@dataclass(frozen=True, kw_only=True)
class LateParams(Params):
    """Start of the annealing for a training from an earlier map."""

    begin: float | None = param(
        None,
        Number(
            label="Start of annealing",
            symbol="t₀",
            help="Share of the annealing to skip, because the earlier map has completed"
            " it: less lets the map change more, 1 continues with the last values.",
            equation="TR 25",
            low=0.0,
            high=1.0,
            automatic=f"{BEGIN_WITH_EARLIER:g} with the earlier items, {BEGIN_ALONE:g} on new ones"
            f" alone, {BEGIN_PART:g} for a part of a map",
        ),
    )

    def begin_or(self, usual: float) -> float:
        """Return the share, or the default if it is left open."""
        return usual if self.begin is None else self.begin


def begun_late(params: AnyParams, begin: float, n_items: int) -> AnyParams:
    """Return the annealing from the share `begin` to its end, with the remaining steps.

    Every annealed value begins where the whole annealing (TR 25) has brought it by then. Every item
    is presented a few times, however few steps are left.
    """
    resolved = params.resolved(n_items)
    values, specs = resolved.as_values(), resolved.specs()
    changes: dict[str, Any] = {}
    for name, spec in specs.items():
        if is_annealed(spec) and None not in values[name]:
            (now,) = annealed(values["annealing"], values[name], np.array([begin])).tolist()
            changes[name] = (round(now) if spec.first.whole else now, values[name][1])
    if "n_steps" in specs:
        left = round((1.0 - begin) * values["n_steps"])
        changes["n_steps"] = max(left, STEPS_PER_ITEM * n_items)
    if "n_epochs" in specs:
        changes["n_epochs"] = max(round((1.0 - begin) * values["n_epochs"]), STEPS_PER_ITEM)
    return resolved.replace(**changes)


def is_annealed(spec: Spec) -> TypeGuard[Pair]:
    """Return whether a parameter has a start and an end value."""
    return isinstance(spec, Pair) and (spec.first.label, spec.second.label) == ("start", "end")


def left_open(params: AnyParams) -> AnyParams:
    """Return the parameters with all that the program can choose left open.

    For a map of another size, which the earlier choices do not suit.
    """
    changes: dict[str, Any] = {}
    for name, spec in params.specs().items():
        if isinstance(spec, Number) and spec.automatic:
            changes[name] = None
        elif isinstance(spec, Pair) and getattr(params, name) is not None:
            ends = zip((spec.first, spec.second), getattr(params, name), strict=True)
            changes[name] = tuple(None if end.automatic else value for end, value in ends)
    return params.replace(**changes)
