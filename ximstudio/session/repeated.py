"""Detect plans that were trained already: the same settings and seed give the same map."""

from __future__ import annotations

from collections.abc import Iterable

from ximstudio.model.matrix import Matrix
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.run import Run


def same_run(plan: TrainingPlan, matrix: Matrix, runs: Iterable[Run]) -> Run | None:
    """Find the run that training as planned would reproduce; None if the map would be new."""
    return next(
        (run for run in runs if run.result.seed == plan.seed and _is_of(run, plan, matrix)), None
    )


def free_seed(plan: TrainingPlan, matrix: Matrix, runs: Iterable[Run]) -> int:
    """Find the next seed that gives a new map."""
    taken = {run.result.seed for run in runs if _is_of(run, plan, matrix)}
    seed = plan.seed + 1
    while seed in taken:
        seed += 1
    return seed


def _is_of(run: Run, plan: TrainingPlan, matrix: Matrix) -> bool:
    """Return whether a run finished with these settings on this table, whatever its seed."""
    result, n_items = run.result, matrix.n_items
    return (
        result.finished
        and result.method == plan.method_key
        # Resolved: "automatic" equals the number that it stands for.
        and result.params.resolved(n_items) == plan.params.resolved(n_items)
        and (run.matrix is matrix or matrix.fingerprint == result.data_fingerprint)
    )
