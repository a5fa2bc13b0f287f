"""Compare the plan with trained maps: its differences from the one shown, and equal runs."""

from __future__ import annotations

from collections.abc import Iterable

from ximstudio.model.matrix import Matrix
from ximstudio.prepare.input import Input
from ximstudio.session.parameter_words import value_text
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.run import Run
from ximstudio.session.run_words import preparation_text, side_text
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words
from ximstudio.train import method_named


def changes(
    plan: TrainingPlan, matrix: Matrix | None, shown: Shown, present: Input | None = None
) -> tuple[str, ...]:
    """Describe every difference between plan and map; none if training would give the same map.

    `present` is the present preparation of the table.
    """
    result = shown.result
    if result.parent is not None:
        # It was never planned: it has its items and settings from another map.
        return ()
    found: list[str] = []
    if matrix is not None and _differs(matrix, shown):
        found.append(_data_change(matrix, shown, present))
    if plan.method_key != result.method:
        name = method_named(result.method).name
        return (*found, f"method: {name}, now {plan.method.name}")
    n_items = shown.matrix.n_items
    # Compared after resolving: "automatic" equals the number that it stands for.
    before, now = result.params.resolved(n_items), plan.params.resolved(n_items)
    for name, spec in plan.params.specs().items():
        same = getattr(plan.params, name) == getattr(result.params, name)
        old, new = getattr(before, name), getattr(now, name)
        # Automatic values follow from others, which are listed.
        if not same and old != new:
            found.append(
                f"{spec.label.lower()}: {value_text(spec, old)}, now {value_text(spec, new)}"
            )
    if plan.seed != result.seed:
        found.append(f"seed: {result.seed}, now {plan.seed}")
    return tuple(found)


def _data_change(matrix: Matrix, shown: Shown, present: Input | None) -> str:
    """Describe items and preparation of both, where these differ."""
    if shown.run is None or present is None:
        return "the data"
    before, now = (
        f"{side_text(table)}, {preparation_text(given, Words.of_matrix(table))}"
        for table, given in ((shown.matrix, shown.run.input), (matrix, present))
    )
    return "the data" if before == now else f"the data: {before}; now {now}"


def _differs(matrix: Matrix, shown: Shown) -> bool:
    return matrix is not shown.matrix and matrix.fingerprint != shown.result.data_fingerprint


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
