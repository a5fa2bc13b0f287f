"""Find the items most similar to an item, a drawn profile or a node, in the metric of a map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.kernels.parallel import check_here, over_blocks
from ximstudio.model.arrays import Floats, Ints, frozen
from ximstudio.model.directions import ROUNDING, directions
from ximstudio.model.dissimilarities import JOININGS, columns_of_items
from ximstudio.model.matrix import Matrix
from ximstudio.model.metric import CENTRED, PRECOMPUTED, joining_of, metric_of
from ximstudio.model.params import Params, known
from ximstudio.model.problem import UserError
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap, Result

VALUES = 2**18
"""Values compared in one step: few enough for the cache."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SimilarItems:
    """Items sorted by distance from the query, nearest first.

    Parameters
    ----------
    ids, numbers
        The items, by name and by their number in the table.
    distances
        Distances in the map's metric. Items without a known feature in common with the query have
        no distance and are left out.
    likeness
        Pearson's correlation r, or the cosine, with the query over the common features; NaN where
        one of them does not vary. None for other metrics.
    """

    ids: tuple[str, ...]
    numbers: Ints
    distances: Floats
    likeness: Floats | None = None

    def __len__(self) -> int:
        return len(self.ids)


def similar_to_item(
    matrix: Matrix, params: Params, item_id: str, *, most: int | None = None
) -> SimilarItems:
    """Find the other items, most similar first, at most `most`."""
    known("item", item_id, matrix.item_ids)
    number = matrix.item_ids.index(item_id)
    distances = distances_from(matrix, params, number)
    distances[number] = np.nan
    return _ranked(matrix, params, distances, matrix.values[number], most)


def distances_from(matrix: Matrix, params: Params, number: int) -> Floats:
    """Distances of all items from one of them in the map's metric, (N,).

    NaN for items that have no known feature in common with it.
    """
    if metric_of(params) == PRECOMPUTED:
        return _table_distances(matrix, params, number)
    (item,) = _seen(matrix.values[number : number + 1], params)
    return _distances(matrix.values, item, params)


def similar_to_profile(
    matrix: Matrix, params: Params, profile: Sequence[float] | Floats, *, most: int | None = None
) -> SimilarItems:
    """Find the items most similar to a profile; features where it is NaN are ignored.

    Only the features with a value are compared, as if the table had no others: a correlation is
    that of the drawn part. Euclidean distances are scaled up to all features, as for missing
    values.
    """
    drawn = np.asarray(profile, dtype=np.float64)
    if metric_of(params) == PRECOMPUTED:
        raise UserError(
            key="similar.no_features",
            what="Items of a table of distances have no profiles.",
            where=matrix.source,
            way_out="Search by an item or a node instead.",
        )
    if drawn.shape != (matrix.n_features,):
        raise ValueError(f"a profile of shape {drawn.shape} for {matrix.n_features} features")
    columns = np.flatnonzero(~np.isnan(drawn))
    seen = _seen(drawn[None, columns], params)[0] if len(columns) else drawn[:0]
    if not len(columns) or np.isnan(seen).all():
        flat = len(columns) and metric_of(params) in CENTRED
        raise UserError(
            key="similar.empty_profile",
            what="The profile does not vary, so there is no shape to compare."
            if flat
            else "The profile has no values.",
            where="profile",
            way_out="Draw a value for some of the features"
            + (", not the same for all of them." if flat else "."),
        )
    values = matrix.values if len(columns) == matrix.n_features else matrix.values[:, columns]
    distances = _distances(values, seen, params)
    if metric_of(params) not in CENTRED:
        distances *= np.sqrt(matrix.n_features / len(columns))
    return _ranked(matrix, params, distances, drawn, most)


def similar_to_node(
    result: Result, matrix: Matrix, node: int, *, most: int | None = None
) -> SimilarItems:
    """Find the items nearest to a node's prototype, whichever node they belong to."""
    model = result.model
    if not isinstance(model, PrototypeMap):
        raise UserError(
            key="similar.no_nodes",
            what="This map has no nodes.",
            where=f"method {result.method}",
            way_out="Search by an item or a profile instead.",
        )
    if not 0 <= node < model.grid.n_nodes:
        raise ValueError(f"node {node} of {model.grid.n_nodes}")
    if isinstance(model, RelationalMap):
        distances = _relational_distances(model, matrix.values, node)
    else:
        distances = _distances(matrix.values, model.prototypes[node], result.params)
    return _ranked(matrix, result.params, distances, model.prototypes[node], most)


def _seen(values: Floats, params: Params) -> Floats:
    """Convert items to the map's metric; all NaN where it cannot compare them."""
    metric = metric_of(params)
    return directions(values, centred=CENTRED[metric]) if metric in CENTRED else values


def _distances(values: Floats, target: Floats, params: Params) -> Floats:
    """Distances of items from a converted target; NaN without common features.

    By differences, as `model.distances` does, and block by block, so that the converted items of a
    large table need not be held.
    """
    n_features = values.shape[1]

    def apart(rows: slice) -> Floats:
        moved = _seen(values[rows], params) - target
        blank = np.isnan(moved)
        if blank.any():
            moved[blank] = 0.0
        n_known = n_features - blank.sum(axis=1)
        squares = np.einsum("if,if->i", moved, moved) * (n_features / np.maximum(n_known, 1))
        return np.where(n_known > 0, np.sqrt(squares), np.nan)

    return _by_blocks(len(values), n_features, apart)


def _relational_distances(model: RelationalMap, values: Floats, node: int) -> Floats:
    coefficients, offset = model.coefficients[node], model.offsets[node]

    def apart(rows: slice) -> Floats:
        squares = np.where(model.used, values[rows], 0.0) ** 2
        return np.asarray(np.sqrt(np.maximum(squares @ coefficients - offset, 0.0)))

    return _by_blocks(len(values), values.shape[1], apart)


def _by_blocks(n_items: int, n_features: int, apart: Callable[[slice], Floats]) -> Floats:
    found = np.empty(n_items)

    def work(begin: int, end: int) -> None:
        found[begin:end] = apart(slice(begin, end))

    over_blocks(n_items, max(1, VALUES // max(n_features, 1)), work)
    return found


def _table_distances(matrix: Matrix, params: Params, number: int) -> Floats:
    """Row of one item in a table of distances, symmetrised as for training."""
    columns = columns_of_items(matrix)
    if columns is None:
        raise UserError(
            key="similar.no_table",
            what="The table does not hold the distances between its items.",
            where=matrix.source,
            way_out="Use a square table with the same names along both sides.",
        )
    there, back = matrix.values[number, columns], matrix.values[:, columns[number]]
    return np.asarray(JOININGS[joining_of(params)](there, back))


def _ranked(
    matrix: Matrix, params: Params, distances: Floats, target: Floats, most: int | None
) -> SimilarItems:
    """Rank the items that have a distance, nearest first, ties in table order.

    With their correlation or cosine with the target, if that is the metric.
    """
    check_here()
    some = np.flatnonzero(~np.isnan(distances))
    order = some[np.argsort(distances[some], kind="stable")][:most]
    alike, metric = None, metric_of(params)
    if metric in CENTRED:

        def compared(rows: slice) -> Floats:
            return likeness(matrix.values[order[rows]], target, centred=CENTRED[metric])

        alike = frozen(_by_blocks(len(order), matrix.n_features, compared))
    return SimilarItems(
        ids=tuple(matrix.item_ids[number] for number in order),
        numbers=frozen(order.astype(np.int64)),
        distances=frozen(distances[order]),
        likeness=alike,
    )


def likeness(values: Floats, target: Floats, *, centred: bool) -> Floats:
    """Pearson's correlation of every row with a target, or the cosine if not `centred`.

    Over the features that both have; NaN where one of them does not vary.
    """
    shared = ~np.isnan(values) & ~np.isnan(target)
    count = np.maximum(shared.sum(axis=1, keepdims=True), 1)
    # Scaled first: squares of very large or very small values would overflow or underflow.
    rows, other = (_of_size_1(np.where(shared, each, 0.0)) for each in (values, target))
    if centred:
        rows = np.where(shared, rows - rows.sum(axis=1, keepdims=True) / count, 0.0)
        other = np.where(shared, other - other.sum(axis=1, keepdims=True) / count, 0.0)
    lengths = [np.sqrt(np.einsum("if,if->i", each, each)) for each in (rows, other)]
    flat = np.minimum(*lengths) <= ROUNDING * np.sqrt(count[:, 0])
    products = np.einsum("if,if->i", rows, other)
    return np.where(
        flat, np.nan, np.clip(products / np.where(flat, 1.0, lengths[0] * lengths[1]), -1.0, 1.0)
    )


def _of_size_1(rows: Floats) -> Floats:
    size = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
    return rows / np.where(size > 0.0, size, 1.0)
