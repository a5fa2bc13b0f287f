"""Small maps as views get them: while they train, and before and after they were measured."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ximstudio.model import Matrix, Result
from ximstudio.prepare.input import Input
from ximstudio.session import Run
from ximstudio.session.measuring import measured
from ximstudio.session.run import TrainingCurves
from ximstudio.session.shown import Shown
from ximstudio.train import checkpoints, method_named, train

SMALL = {"shape": (6, 8), "n_steps": 2000, "n_epochs": 6}
STATES = ("live", "finished", "measured")
CURVES = TrainingCurves(steps=(0, 100), trust=(0.5, 0.75), continuity=(0.5, 0.875))


@cache
def some_matrix() -> Matrix:
    """Three groups of genes with a label, some without, another one of numbers, and blanks."""
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1, 2], [30, 20, 10])
    values = rng.normal(size=(60, 5)) + 6.0 * rng.normal(size=(3, 5))[group]
    values[rng.random(values.shape) < 0.03] = np.nan
    kinds = np.array(["ribosome", "proteasome", "respiration"])[group].tolist()
    kinds[3] = ""
    return replace(
        Matrix.from_array(values),
        item_ids=tuple(f"YBR{number:03d}W" for number in range(60)),
        feature_names=("heat", "cold", "salt", "acid", "dark"),
        item_labels={"kind": tuple(kinds), "dose": tuple(f"{n / 7:.3f}" for n in range(60))},
    )


@cache
def result_of(key: str, *, finished: bool = True, **changes: Any) -> Result:
    """The map of a method, after its training or soon after it began."""
    method = method_named(key)
    known = method.params.specs()
    wanted = SMALL | changes
    params = method.params.from_values({k: v for k, v in wanted.items() if k in known})
    if finished:
        return train(some_matrix(), method, params)
    return next(checkpoints(some_matrix(), method, params, chunk=100)).result()


@cache
def run_of(key: str, *, state: str = "measured", name: str = "", **changes: Any) -> Run:
    """A run of a method, measured or not."""
    run = Run(
        key=f"run-{name or key}",
        name=name or key,
        result=result_of(key, **changes),
        matrix=some_matrix(),
        input=Input(name="sample:yeast"),
        curves=CURVES,
    )
    return measured(run) if state == "measured" else run


def shown_of(key: str, state: str = "measured", **changes: Any) -> Shown:
    """What views are asked to show."""
    if state == "live":
        before = run_of(key, state="finished", **changes)
        return Shown(
            result=result_of(key, finished=False, **changes),
            matrix=some_matrix(),
            curves=CURVES,
            chosen=before,
            compared=(before,),
        )
    run = run_of(key, state=state, **changes)
    return replace(showing(run, (run,)), compared=(run,))


def showing(run: Run, runs: tuple[Run, ...]) -> Shown:
    """One of several runs."""
    return Shown(
        result=run.result,
        matrix=run.matrix,
        run=run,
        chosen=run,
        evidence=run.evidence,
        runs=runs,
    )
