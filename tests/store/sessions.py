"""Sessions to be stored: small, but with everything that there is in one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import csr_array

from ximstudio.explore.projection import project_items
from ximstudio.load import Choices, Guess, Reading
from ximstudio.maps.clusters import CLUSTERINGS, ClusteredUnit, find_clusters
from ximstudio.maps.ridges import Ridges
from ximstudio.maps.stability import MapStability
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.comparison import Comparison
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.stability import Placement, Stability
from ximstudio.model.made_with import MadeWith
from ximstudio.model.matrix import Matrix
from ximstudio.model.method_params import MethodParams
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.parent import PART, Parent
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.result import PrototypeMap, Result
from ximstudio.model.selection import Selection
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import Data, Run, Session, TrainingPlan, open_data
from ximstudio.session.projection import ProjectedFile
from ximstudio.session.run import Judged, TrainingCurves
from ximstudio.train import METHODS, Method, checkpoints, method_named, train

N_ITEMS = 70
"""So many that their names are a part of their own."""

USED = [method for method in METHODS if method.key != "umap"]
"""UMAP takes ten seconds to import, and its maps are of a kind with those of t-SNE."""


def table_of(*, n_items: int = N_ITEMS, blanks: bool = True, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_items, 4)) + 5.0 * (np.arange(n_items) % 3)[:, None]
    if blanks:
        values[3, 1] = values[4, 2] = np.nan
    return Table(
        values=values,
        items=Axis(
            names=tuple(f"gene {number}" for number in range(n_items)),
            labels={"class": tuple("abc"[number % 3] for number in range(n_items))},
            numbers=np.arange(2, n_items + 2),
            word="line",
        ),
        features=Axis(names=("p", "q", "r", "ü"), labels={"dose": ("1", "2", "3", "4")}),
        source="/somewhere/genes.csv",
    )


def reading_of(table: Table) -> Reading:
    return Reading(
        table=table,
        format="text",
        guesses=(
            Guess(
                key="decimal",
                label="Decimal mark",
                value=".",
                reason="All cells say so.",
                options={",": "a comma", ".": "a point"},
                sure=False,
            ),
        ),
        notes=(
            Problem(key="load.note", what="x", where="y", way_out="z", severity=Severity.WARNING),
        ),
    )


@cache
def data(kind: str = "prepared") -> Data:
    """A table: `prepared`, `plain`, `sparse`, `refused` by a step, or with a `problem`."""
    table, recipe = table_of(), Recipe()
    if kind == "prepared":
        recipe = Recipe.of(
            planned("impute"),
            replace(planned("centre"), on=False),
            planned("scale"),
        )
    elif kind == "sparse":
        values = np.where(np.nan_to_num(table.dense) > 3.0, np.nan_to_num(table.dense), 0.0)
        table = table.with_values(csr_array(values))
    elif kind == "refused":
        recipe = Recipe.of(planned("keep", axis="items", names=("nobody",)))
    elif kind == "problem":
        names = ("gene 0", *table.items.names[:-1])
        table = table.with_axis("items", table.items.with_names(names))
    wanted = Input(name="/somewhere/genes.csv", choices=Choices(id="gene"), recipe=recipe)
    return open_data(wanted, reading=reading_of(table))


def small(method: Method, **settings: Any) -> MethodParams:
    values = {"shape": (3, 4), "n_steps": 90, "n_epochs": 2, **settings}
    return method.params.from_values(
        {name: value for name, value in values.items() if name in method.params.specs()}
    )


def matrix() -> Matrix:
    found = data().matrix
    assert found is not None
    return found


@cache
def result(key: str) -> Result:
    """A map by a method, `relational`, or `stopped` on its way."""
    if key == "relational":
        apart = np.abs(np.subtract.outer(np.arange(9.0), np.arange(9.0)))
        method = method_named("som")
        return train(Matrix.from_array(apart), method, small(method, metric="precomputed"))
    if key == "stopped":
        method = method_named("c-xim")
        return next(iter(checkpoints(matrix(), method, small(method), chunk=30))).result()
    method = method_named(key)
    return train(matrix(), method, small(method), seed=3)


KEYS = (*(method.key for method in USED), "relational", "stopped")


@cache
def run(key: str) -> Run:
    """A run with all that may have been made of it."""
    made = result(key)
    shown = matrix()
    if key == "relational":
        apart = np.abs(np.subtract.outer(np.arange(9.0), np.arange(9.0)))
        shown = Matrix.from_array(apart)
        return Run(key=key, name=key, result=made, matrix=shown, input=Input(name="apart"))
    opened = data().opened
    assert opened is not None
    frozen = opened.prepared.frozen
    nodes = isinstance(made.model, PrototypeMap)
    way = next(way for way in CLUSTERINGS if (way.over is ClusteredUnit.NODES) is nodes)
    projected = project_items(made, shown, table_of(n_items=5, seed=1), frozen=frozen)
    steady = None
    if isinstance(made.model, PrototypeMap):
        edges = made.model.grid.edges
        steady = MapStability(
            wander=np.linspace(0, 1, N_ITEMS),
            ridges=Ridges(
                edges=edges.copy(),
                shares=np.full(len(edges), np.nan),
                heights=np.ones(len(edges)),
            ),
            null=result("som"),
            runs=10,
            n_made=9,
            nulls=3,
            share=0.8,
            seed=1,
        )
        steady.wander.flags.writeable = False
    return Run(
        key=f"run {key}",
        name=f"The {key}",
        result=made,
        matrix=shown,
        input=data().input,
        seconds=1.5,
        measures={"trustworthiness": Estimate(0.9, 0.01), "continuity": Estimate(float("nan"))},
        starred=True,
        curves=TrainingCurves(steps=(1, 2), trust=(0.5, 0.25), continuity=(0.1, 1.0), n_sampled=20),
        parent="gone",
        frozen=frozen,
        coloured={"class": ("b", "a")},
        old_label="class",
        clustering=find_clusters(made, shown, way=way),
        stability=steady,
        projected=(
            ProjectedFile(name="new.csv", items=projected, reading=reading_of(table_of()).notes),
        ),
        made_with=MadeWith(
            program="0.0.9", versions={"numpy": "1.26"}, platform={"system": "elsewhere"}
        ),
    )


def part() -> Run:
    """A run on some of the items, which descends from another."""
    some = matrix().items(range(0, N_ITEMS, 2))
    parent = Parent(
        kind=PART,
        result_hash=result("som").hash,
        data_fingerprint=matrix().fingerprint,
        item_ids=some.item_ids,
        folder="/runs/1",
    )
    method = method_named("som")
    made = replace(train(some, method, small(method)), parent=parent)
    return Run(
        key="part", name="Part", result=made, matrix=some, input=data().input, parent="run som"
    )


def judged() -> Judged:
    """What repeating two of the maps found."""
    rng = np.random.default_rng(2)
    items = np.array([[0, 1, 2], [3, 4, 5]])
    stable = Stability(
        runs=tuple(Placement(items=row, positions=rng.normal(size=(3, 2))) for row in items),
        positions=rng.normal(size=(N_ITEMS, 2)),
        wander=np.full(N_ITEMS, np.nan),
    )
    methods = (method_named("som"), method_named("pca"))
    comparison = Comparison(
        entries=tuple((method, small(method)) for method in methods),
        share=0.8,
        seed=0,
        label=None,
        items=items,
        measures=MEASURES[:3],
        values=rng.normal(size=(2, 2, 3)),
        errors=np.zeros((2, 2, 3)),
        n_made=(2, 2),
        stability=(stable, stable),
    )
    for array in (items, comparison.values, comparison.errors, stable.positions, stable.wander):
        array.flags.writeable = False
    for placed in stable.runs:
        placed.positions.flags.writeable = False
    return Judged(results=((result("som"), 0), (result("pca"), 1)), comparison=comparison)


@cache
def full() -> Session:
    """A session with everything in it."""
    runs = (*(run(key) for key in KEYS), part())
    return Session(
        data=data(),
        plan=TrainingPlan(
            method_key="t-xim",
            parameters={method.key: small(method) for method in METHODS},
            seed=7,
        ),
        runs=runs,
        shown=runs[1].key,
        n_made=len(runs) + 2,
        selection=Selection.of(data().table.items.names[:66]),
        selection_before=Selection.of(["gene 1"]),
        sets=(
            NamedSet.of("few", ["gene 1", "nobody"], note="pasted"),
            replace(NamedSet.of("features", ["p"], side=SetSide.FEATURES), colour=4),
        ),
        compared=(runs[3].key, runs[0].key),
        judged=judged(),
    )


TEXTS = st.text(max_size=8)
FLOATS = st.floats(width=64)


class Drawn:
    """A session that is not spelt out when a test fails: it is long."""

    def __init__(self, session: Session) -> None:
        self.session = session


@st.composite
def sessions(draw: st.DrawFn) -> Drawn:
    """Any session over the tables and maps above."""
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=4))
    runs = []
    for number, key in enumerate(keys):
        changes: dict[str, Any] = {
            "key": f"{number} {draw(TEXTS)}",
            "name": draw(TEXTS),
            "starred": draw(st.booleans()),
            "seconds": draw(FLOATS),
            "measures": draw(
                st.dictionaries(TEXTS, st.builds(Estimate, FLOATS, FLOATS), max_size=3)
            ),
            "parent": draw(st.none() | TEXTS),
            "old_label": draw(TEXTS),
            "coloured": draw(
                st.dictionaries(TEXTS, st.lists(TEXTS, max_size=3).map(tuple), max_size=2)
            ),
        }
        empty = {
            "clustering": None,
            "stability": None,
            "projected": (),
            "frozen": None,
            "curves": TrainingCurves(),
            "made_with": None,
        }
        changes |= {name: value for name, value in empty.items() if draw(st.booleans())}
        runs.append(replace(run(key), **changes))
    names = data().table.items.names
    kind = draw(st.sampled_from(["prepared", "plain", "sparse", "refused", "problem", "none"]))
    chosen = st.frozensets(st.sampled_from(names) | TEXTS).map(Selection)
    session = Session(
        data=None if kind == "none" else data(kind),
        plan=TrainingPlan(
            method_key=draw(st.sampled_from(METHODS)).key,
            parameters={each.key: small(each) for each in draw(st.sets(st.sampled_from(METHODS)))},
            seed=draw(st.integers(min_value=0)),
        ),
        runs=tuple(runs),
        shown=draw(st.none() | st.sampled_from([each.key for each in runs])) if runs else None,
        n_made=draw(st.integers(min_value=0)),
        selection=draw(chosen),
        selection_before=draw(chosen),
        sets=tuple(
            NamedSet.of(
                name, draw(st.lists(TEXTS, max_size=4)), side=draw(st.sampled_from(SetSide))
            )
            for name in draw(st.lists(TEXTS, unique=True, max_size=3))
        ),
        compared=tuple(draw(st.lists(st.sampled_from([each.key for each in runs]), unique=True)))
        if runs
        else (),
        judged=judged() if draw(st.booleans()) else None,
    )
    return Drawn(session)
