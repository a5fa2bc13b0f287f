"""Comparisons with numbers of one's choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ximstudio.measure.catalogue import MEASURES, Better
from ximstudio.measure.comparison import Comparison
from ximstudio.measure.stability import Stability
from ximstudio.model.params import Params
from ximstudio.train import METHODS

HIGHER, LOWER, NEITHER = Better.HIGHER, Better.LOWER, Better.NEITHER
N_ITEMS = 20


def compared(
    values: Any,
    *,
    better: Sequence[Better] = (HIGHER, LOWER, NEITHER),
    errors: Any = 0.0,
    wander: float = 0.25,
    params: Sequence[Params] = (),
) -> Comparison:
    """A comparison with these values (methods, runs, measures), each item wandering alike."""
    values = np.asarray(values, dtype=np.float64)
    n_methods, n_runs, n_measures = values.shape
    measures = [
        replace(MEASURES[0], key=f"measure_{number}", name=f"Measure {number}", better=way)
        for number, way in zip(range(n_measures), better, strict=False)
    ]
    methods = METHODS[:n_methods]
    strayed = np.full(N_ITEMS, wander if n_runs > 1 else np.nan)
    return Comparison(
        entries=tuple(zip(methods, params or [one.params() for one in methods], strict=True)),
        share=0.95,
        seed=7,
        label=None,
        items=np.tile(np.arange(N_ITEMS - 1), (n_runs, 1)),
        measures=tuple(measures),
        values=values,
        errors=np.where(np.isnan(values), np.nan, errors),
        n_made=(n_runs,) * n_methods,
        stability=(Stability(runs=(), positions=np.zeros((N_ITEMS, 2)), wander=strayed),)
        * n_methods,
    )
