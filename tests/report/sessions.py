"""Sessions to be reported: small ones, with names of all kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from ximstudio.load import Choices, Guess, Reading
from ximstudio.maps.clusters import clustering_named, find_clusters
from ximstudio.model.named_set import NamedSet
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.selection import Selection
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.report import measured_session
from ximstudio.session import Data, Run, Session, open_data
from ximstudio.train import method_named, train

PLACE = "/home/somebody/secret project"


def data_of(
    names: Sequence[str],
    *,
    features: Sequence[str] = ("p", "q", "r", "s"),
    classes: Sequence[str] = "abc",
    label: str = "class",
    file: str = "genes.csv",
    recipe: Recipe | None = None,
) -> Data:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(len(names), len(features)))
    values += 4.0 * (np.arange(len(names)) % len(classes))[:, None]
    labels = tuple(classes[number % len(classes)] for number in range(len(names)))
    source = f"{PLACE}/{file}"
    table = Table(
        values=values,
        items=Axis(
            names=tuple(names),
            labels={label: labels},
            numbers=np.arange(2, len(names) + 2),
            word="line",
        ),
        features=Axis(names=tuple(features)),
        source=source,
    )
    guess = Guess(key="decimal", label="Decimal mark", value=".", reason=f"All of {source} say so.")
    note = Problem(
        key="load.note",
        what="A column was left out.",
        where=f"{source}, column 7",
        way_out="Name it.",
        severity=Severity.WARNING,
    )
    reading = Reading(table=table, format="text", guesses=(guess,), notes=(note,))
    wanted = Input(name=source, choices=Choices(id="gene"), recipe=recipe or Recipe())
    return open_data(wanted, reading=reading)


def run_of(data: Data, key: str, name: str, *, seed: int = 0) -> Run:
    method = method_named(key)
    small = {"shape": (4, 5), "n_steps": 300}
    params = method.params.from_values(
        {name: value for name, value in small.items() if name in method.params.specs()}
    )
    assert data.matrix is not None
    result = train(data.matrix, method, params, seed=seed)
    return Run(
        key=f"{key} {seed}",
        name=name,
        result=result,
        matrix=data.matrix,
        input=data.input,
        seconds=1.25,
    )


def session_of(data: Data, *, runs: Sequence[tuple[str, str]] = (("som", "First"),)) -> Session:
    session = Session(data=data)
    for key, name in runs:
        session = session.with_run(run_of(data, key, name))
    return replace(session, shown=session.runs[0].key)


def with_clusters(session: Session, names: Sequence[str] = ()) -> Session:
    run = session.runs[0]
    found = find_clusters(run.result, run.matrix, way=clustering_named("ward"))
    for number, name in enumerate(names[: len(found)]):
        found = found.renamed(number, name)
    return session.with_changed(replace(run, clustering=found))


@cache
def whole() -> Session:
    """Two compared maps, measured; clusters, a selection and a set; a gene is removed."""
    names = [f"YAL{number:03}W" for number in range(60)]
    recipe = Recipe.of(planned("keep", axis="items", names=tuple(names[1:])))
    session = session_of(
        data_of(names, recipe=recipe), runs=(("som", "First map"), ("pca", "Second map"))
    )
    session = with_clusters(session)
    session = replace(
        session,
        compared=tuple(run.key for run in session.runs),
        selection=Selection.of(names[3:9]),
        sets=(NamedSet.of("Pasted", ["YAL003W", "YAL010W", "nobody"], note="From a paper"),),
    )
    return measured_session(session)
