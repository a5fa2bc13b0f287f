"""Tables of measures: of one map, its neighbourhoods, all maps, and repeated maps."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

import numpy as np

from ximstudio.export.sheet import Sheet
from ximstudio.export.wanted import the_run
from ximstudio.files.columns import Column, numbers, texts, wholes
from ximstudio.measure.comparison import Comparison
from ximstudio.model.arrays import Floats
from ximstudio.session import Run, Session

ERROR = "Standard error if estimated from a sample; 0 if exact."


def measure_sheet(session: Session) -> Sheet:
    """One row per measure of the map on display: value, error, range, direction, reference."""
    run = the_run(session)
    from ximstudio.measure.catalogue import MEASURES

    found = [(each, run.measures[each.key]) for each in MEASURES if each.key in run.measures]
    measures = [measure for measure, _ in found]
    return Sheet(
        name="Measures",
        columns=(
            texts("key", [each.key for each in measures]),
            texts("name", [each.name for each in measures]),
            texts("symbol", [each.symbol for each in measures]),
            numbers("value", np.array([estimate.value for _, estimate in found])),
            numbers("error", np.array([estimate.error for _, estimate in found]), ERROR),
            texts("better", [each.better.value for each in measures]),
            numbers("low", _bounds([each.low for each in measures]), "Blank for no bound."),
            numbers("high", _bounds([each.high for each in measures]), "Blank for no bound."),
            texts("reference", [each.reference for each in measures]),
            texts("meaning", [each.meaning for each in measures]),
            texts("definition", [each.definition for each in measures]),
        ),
        note=f"Map: {run.name}",
    )


def neighbourhood_sheet(session: Session) -> Sheet:
    """Every measure of neighbourhoods for each number k of neighbours."""
    run = the_run(session)
    assert run.evidence is not None
    from ximstudio.export.measures import neighbourhood_columns

    columns = tuple(neighbourhood_columns(run.evidence))
    return Sheet(name="Neighbourhoods", columns=columns, note=f"Map: {run.name}")


def run_sheet(session: Session) -> Sheet:
    """One row per map of the session: how it was made, and its measures."""
    runs = session.runs
    results = [run.result for run in runs]
    names = {run.key: run.name for run in runs}
    panels = {key: number for number, key in enumerate(session.compared, 1)}
    return Sheet(
        name="Runs",
        columns=(
            texts("run", [run.name for run in runs]),
            texts("shown", ["yes" if run.key == session.shown else "" for run in runs]),
            wholes(
                "compared",
                np.array([panels.get(run.key, np.nan) for run in runs]),
                "Its panel in the comparison; blank for none.",
            ),
            texts("starred", ["yes" if run.starred else "" for run in runs]),
            texts("descends_from", [names.get(run.parent or "", "") for run in runs]),
            texts("method", [result.method for result in results]),
            texts("parameters", [_parameters(run) for run in runs]),
            wholes("seed", [result.seed for result in results]),
            wholes("steps", [result.step for result in results]),
            wholes("steps_planned", [result.n_steps for result in results]),
            numbers("seconds", np.array([run.seconds for run in runs])),
            wholes("items", [run.matrix.n_items for run in runs]),
            wholes("features", [run.matrix.n_features for run in runs]),
            *_measures_of(runs),
            texts("data_fingerprint", [result.data_fingerprint for result in results]),
            texts("result_hash", [result.hash for result in results]),
        ),
    )


def judged_sheet(session: Session) -> Sheet:
    """Repeated runs: mean and standard deviation of every measure by method and settings."""
    judged = session.judged
    assert judged is not None
    comparison = judged.comparison
    entries = range(len(comparison.entries))
    named = [
        [run.name for run in session.runs if judged.number_of(run) == number] for number in entries
    ]
    columns = [
        texts("runs", ["; ".join(names) for names in named], "Runs with these settings."),
        texts("method", [method.key for method in comparison.methods]),
        wholes("repetitions", comparison.n_made),
        numbers("share", np.full(len(entries), comparison.share), "Share of the items in each."),
    ]
    columns += mean_columns(comparison)
    return Sheet(name="Repeated runs", columns=tuple(columns))


def mean_columns(comparison: Comparison) -> Iterator[Column]:
    """Yield mean and standard deviation of every measure, one row per method and setting."""
    for summary in comparison.summaries:
        key = summary.definition.key
        yield numbers(f"{key}_mean", summary.means)
        yield numbers(f"{key}_sd", summary.deviations)


def repetition_sheet(session: Session) -> Sheet:
    """One row per repetition: method, number, seed and measures."""
    assert session.judged is not None
    comparison = session.judged.comparison
    n_methods, n_runs = len(comparison.entries), comparison.n_runs
    columns = [
        texts("method", [each.key for each in comparison.methods for _ in range(n_runs)]),
        wholes("settings", np.repeat(np.arange(n_methods) + 1, n_runs), "Row in Repeated runs."),
        *repetition_columns(comparison, "repetition"),
    ]
    return Sheet(name="Repetitions", columns=tuple(columns))


def repetition_columns(comparison: Comparison, name: str) -> Iterator[Column]:
    """Yield number (in a column of this name), seed, items and measures of every repetition."""
    n_methods, n_runs = len(comparison.entries), comparison.n_runs
    yield wholes(name, np.tile(np.arange(n_runs) + 1, n_methods))
    yield wholes("seed", [comparison.seed + run for run in range(n_runs)] * n_methods)
    yield wholes("items", np.full(n_methods * n_runs, comparison.items.shape[1]))
    for number, measure in enumerate(comparison.measures):
        yield numbers(measure.key, comparison.values[:, :, number].ravel())
        if measure.key in comparison.sampled:
            errors = comparison.errors[:, :, number].ravel()
            yield numbers(f"{measure.key}_error", errors, ERROR)


def _measures_of(runs: tuple[Run, ...]) -> Iterator[Column]:
    """Yield a column for every measure of the runs, followed by its error if there is one."""
    if not any(run.measures for run in runs):
        return
    from ximstudio.measure.catalogue import MEASURES

    for measure in MEASURES:
        found = [run.measures.get(measure.key) for run in runs]
        if all(each is None for each in found):
            continue
        values = [np.nan if each is None else each.value for each in found]
        errors = [np.nan if each is None else each.error for each in found]
        about = f"{measure.name}; better is {measure.better.value}."
        yield numbers(measure.key, np.array(values), about)
        if np.nanmax(errors) > 0.0:
            yield numbers(f"{measure.key}_error", np.array(errors), ERROR)


def _parameters(run: Run) -> str:
    """All parameters as the user may write them, with open ones as they were chosen."""
    params = run.result.params.resolved(run.matrix.n_items)
    specs = params.specs()
    return "; ".join(f"{name}={specs[name].show(getattr(params, name))}" for name in specs)


def _bounds(values: list[float]) -> Floats:
    return np.array([np.nan if isinf(value) else value for value in values])
