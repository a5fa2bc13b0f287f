"""Check that the values of a session that was read fit together: shapes, node numbers, names.

What a value checks itself when it is constructed is not repeated here. Everything that training
and views use as an index is checked, as they use it without a check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.doctor.finding import ANYWHERE, Addresses
from ximstudio.explore.projection import ProjectedItems
from ximstudio.load.annotation.join import Joined
from ximstudio.maps.clusters import NOISE, ClusteredUnit, Clustering, Criterion
from ximstudio.maps.ridges import Ridges
from ximstudio.measure.comparison import Comparison
from ximstudio.measure.stability import Placement, Stability
from ximstudio.model.dissimilarities import Dissimilarities
from ximstudio.model.grid import Grid
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import ItemMap, LinearMap, PrototypeMap, Result, Resume, TrainingHistory
from ximstudio.model.structures import BY_LATTICE, Lattice
from ximstudio.model.table import FEATURES, ITEMS
from ximstudio.prepare.input import Opened
from ximstudio.prepare.recipe import Frozen
from ximstudio.prepare.statistics import TableStatistics
from ximstudio.session.data import Data
from ximstudio.session.run import Judged, Run, TrainingCurves
from ximstudio.session.session import Session

MOST_NODES = 10**9
"""Limit for each side of a map, and for their product."""


def problem_of(value: Any) -> str:
    """Return the first misfit of a value as the end of a sentence; '' if there is none."""
    check = _CHECKS.get(type(value))
    return next(check(value), "") if check is not None else ""


def sparse_of(
    shape: tuple[int, int], *, data: NDArray[Any], indices: NDArray[Any], indptr: NDArray[Any]
) -> Any:
    """Build sparse values from their parts; ValueError if the parts do not fit.

    Checked beforehand, because SciPy trusts the column numbers.
    """
    if data.ndim != 1 or indices.shape != data.shape or indptr.shape != (shape[0] + 1,):
        raise ValueError("shapes")
    if data.dtype != np.float64 or indptr[0] != 0 or indptr[-1] != len(data):
        raise ValueError("ends")
    if (np.diff(indptr) < 0).any() or not _within(indices, shape[1]):
        raise ValueError("numbers")
    begins = np.zeros(len(data) + 1, dtype=np.bool_)
    begins[indptr] = True
    if not (begins[1:-1] | (np.diff(indices) > 0)).all():
        raise ValueError("order")
    from scipy.sparse import csr_array

    return csr_array((data, indices, indptr), shape=shape)


def _within(numbers: NDArray[Any], end: int, *, begin: int = 0) -> bool:
    if not len(numbers):
        return True
    return bool(numbers.min() >= begin and numbers.max() < end)


def _grid(grid: Grid) -> Iterator[str]:
    sides = (grid.rows, grid.columns, grid.depth)
    if min(sides) < 1 or max(sides) > MOST_NODES or grid.n_nodes > MOST_NODES:
        yield "a map has an impossible number of nodes"
    if grid.toroidal and not BY_LATTICE[grid.lattice].joinable:
        yield "a map joins its edges although its lattice cannot"
    if grid.depth > 1 and grid.lattice is not Lattice.CUBIC:
        yield "a map has layers although its lattice has none"
    widths = {len(place) for place in grid.places}
    if (grid.lattice is Lattice.TABLE) != bool(grid.places) or (
        grid.places and (len(grid.places) != grid.n_nodes or not widths < {2, 3})
    ):
        yield "the positions of a map's nodes do not fit its lattice"
    if not np.isfinite([each for place in grid.places for each in place]).all():
        yield "a node of a map has no finite position"


def _prototypes(model: PrototypeMap) -> Iterator[str]:
    if model.prototypes.ndim != 2 or not model.prototypes.shape[1]:
        yield "prototypes have no features"
    if len(model.prototypes) != model.grid.n_nodes:
        yield "the numbers of a map's prototypes and nodes differ"
    # Node positions follow from few numbers; compare their count with the declared one.
    if len(model.grid.nodes) != model.grid.n_nodes:
        yield "a map has nodes without a position"


def _relational(model: RelationalMap) -> Iterator[str]:
    yield from _prototypes(model)
    if model.coefficients.shape != model.prototypes.shape:
        yield "prototypes and their coefficients do not fit"


def _linear(model: LinearMap) -> Iterator[str]:
    n_components = len(model.explained)
    right = model.centre.ndim == 1 and model.explained.ndim == 1 and n_components >= 1
    if not right or model.components.shape != (n_components, len(model.centre)):
        yield "the components of a projection do not fit"


def _item_map(model: ItemMap) -> Iterator[str]:
    if model.positions.ndim != 2 or len(model.positions) != model.items.n_items:
        yield "the numbers of a map's positions and items differ"


def _dissimilarities(matrix: Dissimilarities) -> Iterator[str]:
    if matrix.columns.shape != (matrix.n_items,) or not _within(matrix.columns, matrix.n_features):
        yield "a table of distances has items that are not among its features"


def _history(history: TrainingHistory) -> Iterator[str]:
    if any(array.shape != (len(history.step),) for array in vars(history).values()):
        yield "the columns of a history differ in length"


def _resume(resume: Resume) -> Iterator[str]:
    if resume.step < 0 or resume.prototypes.ndim != 2 or resume.tallies.ndim > 2:
        yield "the state of a training is corrupt"


def _result(result: Result) -> Iterator[str]:
    n_items, n_features = len(result.item_ids), len(result.feature_names)
    if result.positions.ndim != 2 or len(result.positions) != n_items:
        yield "the numbers of a map's positions and items differ"
    if not n_features or min(result.seed, result.step, result.n_steps) < 0:
        yield "a map has no features or negative numbers"
    if result.resume is not None and result.resume.step != result.step:
        yield "a training and its map are at different steps"
    model, winners = result.model, result.winners
    n_axes = int(result.positions.shape[1])
    if isinstance(model, PrototypeMap):
        if model.prototypes.shape[1] != n_features or n_axes != model.grid.n_axes:
            yield "a map and its features do not fit"
        if winners is None or winners.shape != (n_items,):
            yield "the numbers of a map's winners and items differ"
        elif not _within(winners, model.grid.n_nodes):
            yield "a winner is not a node of its map"
        return
    if winners is not None:
        yield "a map without nodes has winners"
    if n_axes < 2:
        yield "a map has fewer than two axes"
    if isinstance(model, LinearMap) and len(model.centre) != n_features:
        yield "a projection and its features do not fit"
    if isinstance(model, ItemMap) and (
        model.items.item_ids != result.item_ids or model.positions.shape != result.positions.shape
    ):
        yield "a map and its items do not fit"


def _n_nodes(result: Result) -> int:
    return result.model.grid.n_nodes if isinstance(result.model, PrototypeMap) else 0


def _criterion(criterion: Criterion) -> Iterator[str]:
    if criterion.values.shape != (len(criterion.numbers),):
        yield "numbers of clusters and their scores do not fit"


def _clustering(clustering: Clustering) -> Iterator[str]:
    clusters = clustering.clusters
    if clusters.ndim != 1 or not _within(clusters, len(clustering.names), begin=NOISE):
        yield "clusters and their names do not fit"


def _ridges(ridges: Ridges) -> Iterator[str]:
    n_edges = len(ridges.edges)
    right = ridges.shares.shape == ridges.heights.shape == (n_edges,)
    if not right or ridges.edges.shape != (n_edges, 2):
        yield "ridges and nodes do not fit"


def _projected(new: ProjectedItems) -> Iterator[str]:
    each = (new.errors, new.novelty, new.percentiles, new.strange)
    if any(array.shape != (len(new),) for array in each):
        yield "new items and their errors do not fit"
    if new.positions.ndim != 2 or len(new.positions) != len(new):
        yield "new items and their positions do not fit"
    if new.winners is not None and new.winners.shape != (len(new),):
        yield "new items and their winners do not fit"


def _run(run: Run) -> Iterator[str]:
    result, matrix = run.result, run.matrix
    if matrix.item_ids != result.item_ids or matrix.feature_names != result.feature_names:
        yield "a map and its table do not fit"
    n_nodes, n_items = _n_nodes(result), len(result.item_ids)
    if run.clustering is not None:
        over = n_nodes if run.clustering.over is ClusteredUnit.NODES else n_items
        if len(run.clustering.clusters) != over:
            yield "clusters and their nodes or items do not fit"
    steady = run.stability
    if steady is not None and steady.wander.shape != (n_items,):
        yield "the stability of a map does not fit its items"
    if steady is not None and steady.ridges is not None:
        edges = steady.ridges.edges
        if not n_nodes or not _within(edges.ravel(), n_nodes):
            yield "ridges lie between nodes that the map does not have"
    for projected in run.projected:
        new = projected.items
        if (new.winners is None) != (result.winners is None):
            yield "new items and their map do not fit"
        if new.winners is not None and not _within(new.winners, n_nodes):
            yield "a new item lies on a node that the map does not have"
        if new.positions.shape[1] != result.positions.shape[1]:
            yield "new items and their map differ in dimensions"
        if new.matrix.feature_names != result.feature_names:
            yield "new items and their map differ in features"


def _curves(curves: TrainingCurves) -> Iterator[str]:
    if not len(curves.steps) == len(curves.trust) == len(curves.continuity):
        yield "the curves of a training differ in length"


def _comparison(found: Comparison) -> Iterator[str]:
    shape = (len(found.entries), found.n_runs, len(found.measures))
    if found.items.ndim != 2 or found.values.shape != shape or found.errors.shape != shape:
        yield "a comparison and its measures do not fit"
    if not len(found.entries) == len(found.stability) == len(found.n_made):
        yield "a comparison and its methods do not fit"


def _placement(placement: Placement) -> Iterator[str]:
    if placement.positions.ndim != 2 or placement.items.shape != placement.positions.shape[:1]:
        yield "items and positions do not fit"


def _stability(found: Stability) -> Iterator[str]:
    n_items = len(found.wander)
    if found.wander.ndim != 1 or found.positions.ndim != 2 or len(found.positions) != n_items:
        yield "items and how far they move do not fit"
    if not all(_within(run.items, n_items) for run in found.runs):
        yield "a run has items that do not exist"


def _judged(judged: Judged) -> Iterator[str]:
    stability = judged.comparison.stability
    for result, number in judged.results:
        if not 0 <= number < len(stability):
            yield "a comparison refers to a method that it does not have"
        elif len(stability[number].wander) != len(result.item_ids):
            yield "a comparison and its maps differ in items"


def _statistics(found: TableStatistics) -> Iterator[str]:
    counts = (found.n_items, found.n_features, found.missing, found.infinite, found.zero)
    if found.shown.ndim != 1 or not np.isfinite(found.shown).all() or min(counts) < 0:
        yield "counts of values are corrupt"
    elif found.n_finite < 0 or (
        found.n_finite and not np.isfinite((found.minimum, found.maximum)).all()
    ):
        yield "the range of values is corrupt"


def _frozen(frozen: Frozen) -> Iterator[str]:
    if len(frozen.remembered) != len(frozen.recipe.steps):
        yield "a recipe and its learned values do not fit"


def _joined(joined: Joined) -> Iterator[str]:
    if joined.axis not in (ITEMS, FEATURES):
        yield "labels belong to neither items nor features"


def _opened(opened: Opened) -> Iterator[str]:
    prepared = opened.prepared
    if len(prepared.stages) != len(prepared.frozen.recipe.steps):
        yield "a recipe and its results do not fit"


def _data(data: Data) -> Iterator[str]:
    if data.opened is not None and data.opened.labelled is not data.labelled:
        yield "a prepared table belongs to another table"
    table = data.table
    for finding in data.findings:
        if finding.side not in ("", ITEMS, FEATURES):
            yield "a finding concerns neither items nor features"
        places = finding.addresses
        if not isinstance(places, Addresses):
            places = Addresses(
                items=np.array([ANYWHERE if each.item is None else each.item for each in places]),
                features=np.array(
                    [ANYWHERE if each.feature is None else each.feature for each in places]
                ),
            )
        inside = _within(places.items, table.n_items, begin=ANYWHERE)
        if not inside or not _within(places.features, table.n_features, begin=ANYWHERE):
            yield "a finding is about a cell that the table does not have"


def _session(session: Session) -> Iterator[str]:
    keys = {run.key for run in session.runs}
    if len(keys) < len(session.runs):
        yield "several maps have the same key"
    if session.n_made < 0:
        yield "the number of maps is negative"


_CHECKS: Mapping[type, Callable[[Any], Iterator[str]]] = {
    Grid: _grid,
    PrototypeMap: _prototypes,
    RelationalMap: _relational,
    LinearMap: _linear,
    ItemMap: _item_map,
    Dissimilarities: _dissimilarities,
    TrainingHistory: _history,
    Resume: _resume,
    Result: _result,
    Criterion: _criterion,
    Clustering: _clustering,
    Ridges: _ridges,
    ProjectedItems: _projected,
    Run: _run,
    TrainingCurves: _curves,
    Comparison: _comparison,
    Placement: _placement,
    Stability: _stability,
    Judged: _judged,
    TableStatistics: _statistics,
    Frozen: _frozen,
    Joined: _joined,
    Opened: _opened,
    Data: _data,
    Session: _session,
}
