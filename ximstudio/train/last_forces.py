"""Force and reach of repulsion at the end of a training, which costs of items depend on."""

from __future__ import annotations

import numpy as np

from ximstudio.kernels.divergence import KL, Force
from ximstudio.model.arrays import Floats
from ximstudio.model.method_params import MethodParams
from ximstudio.model.result import Result
from ximstudio.train.local_reach import reaches_at
from ximstudio.train.xim_family import DivergenceParams, XimParams


def last_force(params: MethodParams) -> Force:
    """Return the force of the chosen divergence; Kullback and Leibler's without a choice."""
    return params.force if isinstance(params, DivergenceParams) else KL


def last_reaches(result: Result, values: Floats) -> Floats | None:
    """Return the last reach of every item, shape (N,); None where nothing repels."""
    reach, params = float(result.history.reach[-1]), result.params
    if np.isnan(reach):
        return None
    if not isinstance(params, XimParams) or not params.local_reach:
        return np.full(len(values), reach)
    return reaches_at(
        values,
        result.step / result.n_steps,
        by=params.reach_from,
        annealing=params.annealing,
        neighbours=params.neighbours_for(len(values)),
        seed=result.seed,
    )
