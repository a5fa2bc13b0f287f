"""Parameters of a training that need not begin at the beginning: its start is no longer rough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeGuard, TypeVar

import numpy as np

from ximstudio.model.params import Params
from ximstudio.model.spec import Number, Pair, Spec, param
from ximstudio.train.annealing import annealed
from ximstudio.train.params import STEPS_PER_ITEM

BEGIN_WITH_EARLIER, BEGIN_ALONE, BEGIN_PART = 0.7, 0.9, 0.3
"""Where the annealing is taken up when a map goes on with further items, among its earlier ones or
alone, and when some of its items get a map of their own. Items that are presented again hold their
places, so that the map may be moved more; a part of a map is a coarse start."""

AnyParams = TypeVar("AnyParams", bound=Params)


@dataclass(frozen=True, kw_only=True)
class LateParams(Params):
    """Where a training begins that has an earlier map to begin with."""

    begin: float | None = param(
        None,
        Number(
            label="Begin of annealing",
            symbol="t₀",
            help="The share of the annealing that is passed over, because the earlier map has it"
            " behind: less lets the map change more, 1 goes on with the last values.",
            equation="TR 25",
            low=0.0,
            high=1.0,
            automatic=f"{BEGIN_WITH_EARLIER:g} with the earlier items, {BEGIN_ALONE:g} on new ones"
            f" alone, {BEGIN_PART:g} for a part of a map",
        ),
    )

    def begin_or(self, usual: float) -> float:
        """The share, or the usual one if it is left open."""
        return usual if self.begin is None else self.begin


def begun_late(params: AnyParams, begin: float, n_items: int) -> AnyParams:
    """The same annealing from the share `begin` of it to its end, in what is left of its steps.

    Every annealed value begins where the whole annealing (TR 25) has brought it by then. Every item
    is presented a few times, however little is left.
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
    """Whether a parameter has a value at the start and one at the end of training."""
    return isinstance(spec, Pair) and (spec.first.label, spec.second.label) == ("start", "end")


def left_open(params: AnyParams) -> AnyParams:
    """The same parameters with all that can be left to the program left to it.

    For a map of other sizes: what was chosen for the earlier one does not suit it.
    """
    changes: dict[str, Any] = {}
    for name, spec in params.specs().items():
        if isinstance(spec, Number) and spec.automatic:
            changes[name] = None
        elif isinstance(spec, Pair) and getattr(params, name) is not None:
            ends = zip((spec.first, spec.second), getattr(params, name), strict=True)
            changes[name] = tuple(None if end.automatic else value for end, value in ends)
    return params.replace(**changes)
