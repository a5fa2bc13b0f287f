"""A small session with all that figures show: clusters, sets, new items, and series of maps."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from tests.ui.windows import trained_run
from ximstudio.maps.clusters import clustering_named, find_clusters
from ximstudio.maps.label_kinds import default_class_label
from ximstudio.maps.stability import map_stability
from ximstudio.measure.protocol import compare
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.prepare.input import Input
from ximstudio.session import Data, Run, Session, TrainingPlan, open_data
from ximstudio.session.projection import project_file
from ximstudio.session.run import Judged, entries_of
from ximstudio.train import method_named

TABLE, NEW = "counts.csv", "new.csv"
KINDS = ("ribosome", "proteasome", "respiration")
SAMPLES = ("control_1", "control_2", "heat_1", "heat_2")

T = TypeVar("T")


def worked_on(folder: Path) -> Session:
    """A session on a table in a folder: two maps, and whatever a person can make of them."""
    _write(folder / TABLE, range(36), labelled=True)
    _write(folder / NEW, (400, 401, 7000), labelled=False)
    data = open_data(Input(name=str(folder / TABLE)))
    assert data.matrix is not None
    params = method_named("c-xim").params.from_values({"shape": (4, 5), "n_steps": 150})
    plans = [TrainingPlan(method_key="c-xim", parameters={"c-xim": params}, seed=n) for n in (3, 5)]
    first, second = (_run(data, plan, number) for number, plan in enumerate(plans, 1))
    first = _clustered(first, "ward", n_clusters=3)
    second = _clustered(second, "k_means", n_clusters=2)
    second = replace(second, projected=(project_file(second, folder / NEW),))
    runs = tuple(replace(run, stability=_steadied(run)) for run in (first, second))
    ids = data.matrix.item_ids
    return Session(
        data=data,
        plan=plans[0],
        runs=runs,
        shown=second.key,
        n_made=2,
        sets=(
            NamedSet.of("warm", SAMPLES[2:], side=SetSide.FEATURES, note="pasted"),
            NamedSet.of("few", ids[:9]),
            NamedSet.of("others", ids[5:20]),
        ),
        compared=(second.key, first.key),
        judged=_judged(runs),
    )


def _write(path: Path, numbers: Any, *, labelled: bool) -> None:
    """Genes whose values follow from their numbers."""
    lines = [",".join(["gene", *(["kind"] if labelled else []), *SAMPLES])]
    for number in numbers:
        group = number % len(KINDS)
        values = (
            3.0 * group + (number * 7 + column * 3) % 11 / 4 + 0.25 * column * group
            for column in range(len(SAMPLES))
        )
        kind = [KINDS[group]] if labelled else []
        told = (f"{value + number // 1000 * 40:.2f}" for value in values)
        lines.append(",".join([f"YAL{number:04d}W", *kind, *told]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _run(data: Data, plan: TrainingPlan, number: int) -> Run:
    return trained_run(data, plan, key=f"run-{number}", name=f"c-XIM {number}")


def _clustered(run: Run, way: str, **params: Any) -> Run:
    chosen = clustering_named(way)
    found = find_clusters(
        run.result, run.matrix, way=chosen, params=chosen.params.from_values(params)
    )
    return replace(run, clustering=found.renamed(0, f"Largest of {run.name}"))


def _steadied(run: Run) -> Any:
    steps = map_stability(
        run.matrix,
        method_named(run.result.method),
        run.result.params,
        reference=run.result,
        runs=2,
        seed=run.result.seed,
    )
    return _ended(steps)


def _judged(runs: tuple[Run, ...]) -> Judged:
    matrix = runs[0].matrix
    entries, results = entries_of(runs)
    steps = compare(matrix, entries, runs=2, share=0.9, seed=3, label=default_class_label(matrix))
    *_, last = steps
    assert last.comparison is not None
    return Judged(results=results, comparison=last.comparison)


def _ended(steps: Generator[Any, None, T]) -> T:
    try:
        while True:
            next(steps)
    except StopIteration as ended:
        found: T = ended.value
        return found
