"""A session with one of everything, and sheets with all that spreadsheets get wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from tests.ui.maps_to_show import run_of, some_matrix
from ximstudio.explore.projection import project_items
from ximstudio.export.sheet import Sheet
from ximstudio.files.columns import chances, numbers, texts, wholes
from ximstudio.maps.clusters import clustering_named, find_clusters
from ximstudio.maps.stability import MapStability
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.protocol import compare
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.selection import Selection
from ximstudio.model.table import Axis, Table
from ximstudio.session import Run, Session
from ximstudio.session.projection import ProjectedFile
from ximstudio.session.run import Judged, entries_of

CHOSEN = ("YBR041W", "YBR003W", "YBR059W")
TRAPS = (
    "SEPT1",
    "MARCH1",
    "1-Mar",
    "2310009E13",
    "=1+2",
    "+RNA",
    "-HLA",
    "@home",
    "007",
    "1.0",
    " two spaces ",
    'quote"s, and; commas',
    "line\nbreak",
    "tab\there",
    "µ-opioid β 测试 😀",
    "<r>x</r>",
    "<b>&amp;",
    "_x0041_",
    "TRUE",
    "",
)


@cache
def mapped() -> Run:
    """A measured SOM with clusters, wander, and new items on it."""
    run = run_of("som")
    clustering = find_clusters(run.result, run.matrix, way=clustering_named("ward"))
    clusters = clustering.clusters.copy()
    clusters[0] = -1
    table = Table(
        values=some_matrix().values[:4] + 0.5,
        items=Axis(
            names=("new 1", "YBR001W", "new 3", "new 4"), labels={"kind": ("a", "b", "", "c")}
        ),
        features=Axis(names=some_matrix().feature_names),
        source="later.csv",
    )
    projected = project_items(run.result, run.matrix, table)
    wander = np.linspace(0.0, 1.0, run.matrix.n_items)
    wander[7] = np.nan
    return replace(
        run,
        clustering=replace(clustering, clusters=clusters).renamed(1, "SEPT2"),
        projected=(ProjectedFile(name="later.csv", items=projected),),
        stability=MapStability(
            wander=wander, ridges=None, null=None, runs=2, n_made=2, nulls=1, share=1.0, seed=0
        ),
    )


@cache
def full() -> Session:
    """All tables can be made of it."""
    run, other = mapped(), run_of("pca")
    entries, results = entries_of([other])
    *_, last = compare(
        some_matrix(),
        entries,
        runs=2,
        share=0.9,
        measures=[m for m in MEASURES if m.key == "spearman"],
    )
    assert last.comparison is not None
    session = Session().with_run(replace(other, starred=True)).with_run(run)
    return replace(
        session,
        compared=(run.key, other.key),
        selection=Selection.of((*CHOSEN, "of another table")),
        judged=Judged(results=results, comparison=last.comparison),
        sets=(
            NamedSet.of("mine", ("YBR001W", "YBR002W", "absent"), note="pasted"),
            NamedSet.of("stress", ("heat", "salt"), side=SetSide.FEATURES),
        ),
    )


def awkward() -> Sheet:
    """Texts that spreadsheets change, numbers with all digits, blanks, and names that repeat."""
    n = len(TRAPS)
    rng = np.random.default_rng(0)
    values = rng.normal(size=n) * 10.0 ** rng.integers(-12, 12, n)
    values[3] = np.nan
    return Sheet(
        name="Awkward",
        columns=(
            texts("id", TRAPS),
            numbers("value", values),
            numbers("value", -values),
            wholes("count", np.where(np.arange(n) == 2, np.nan, np.arange(n) * 1.0)),
            wholes("=row", range(n)),
            chances("p", np.abs(values) * 1e-30),
        ),
        note="Nothing of this may change.",
    )
