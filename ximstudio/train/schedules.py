"""Courses of step size, width and reach, known before training (TR 25)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ximstudio.model.arrays import Floats, frozen
from ximstudio.model.params import Params
from ximstudio.train.annealing import annealed
from ximstudio.train.batch_params import BatchParams
from ximstudio.train.params import OnlineParams
from ximstudio.train.xim_family import XimParams
from ximstudio.train.xom_family import NeXomParams, XomParams

POINTS = 65


@dataclass(frozen=True, kw_only=True, eq=False)
class Schedules:
    """Values over the steps of training; None for what a method with these settings does not use.

    `reach` is in the unit of the parameters; `steps` are epochs of a batch training. XOM has the
    two spaces exchanged: its width is in the data and its reach in the map.
    """

    steps: Floats
    step_size: Floats | None
    width: Floats
    reach: Floats | None
    width_name: str = "map width"
    reach_name: str = "data reach"


def schedules(params: Params, n_items: int) -> Schedules | None:
    """Compute the annealing for these parameters; None if nothing is annealed."""
    params = params.sized(n_items)
    if isinstance(params, XomParams):
        return _xom_schedules(params, n_items)
    if not isinstance(params, OnlineParams):
        return None
    n_steps = params.planned_steps(n_items)
    settling = params.settling if isinstance(params, BatchParams) and params.in_epochs else 0
    steps = np.linspace(0.0, n_steps, POINTS)
    fractions = np.minimum(steps / (n_steps - settling), 1.0)

    def values(pair: tuple[float, float]) -> Floats:
        return annealed(params.annealing, pair, fractions)

    reach = None
    if isinstance(params, XimParams) and params.repels and not params.local_reach:
        reach = values(params.reach)
    return Schedules(
        steps=frozen(steps),
        step_size=None if params.in_epochs else values(params.step),
        width=values(params.widths),
        reach=reach,
    )


def _xom_schedules(params: XomParams, n_items: int) -> Schedules:
    fractions = np.linspace(0.0, 1.0, POINTS)
    reach = params.reach if isinstance(params, NeXomParams) and params.repulsion > 0.0 else None
    return Schedules(
        steps=frozen(fractions * params.steps_for(n_items)),
        step_size=annealed(params.annealing, params.step, fractions),
        width=annealed(params.annealing, params.width, fractions),
        reach=None if reach is None else annealed(params.annealing, reach, fractions),
        width_name="data width",
        reach_name="map reach",
    )
