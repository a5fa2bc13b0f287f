"""Placement of items by their distances from prototypes that have no features."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.problem import UserError
from ximstudio.model.relational import RelationalMap
from ximstudio.model.words import counted
from ximstudio.place.params import PlacingParams
from ximstudio.place.placed import PlacedItems, wrapped
from ximstudio.place.softmax import SHARPEST, mean_place
from ximstudio.place.supervised import network

ITEMS_AT_ONCE = 256


def place(model: RelationalMap, rows: Floats, params: PlacingParams) -> PlacedItems:
    """Place items given by their dissimilarities to the features' items, by the rule of `params`.

    `rows` has the shape (n, K).
    """
    needed = rows[:, model.used]
    wrong = np.flatnonzero((np.isnan(needed) | (needed < 0.0)).any(axis=1))
    if len(wrong):
        raise UserError(
            key="place.dissimilarities",
            what=f"{counted(len(wrong), 'item lacks', 'items lack')} dissimilarities, or has some"
            " below 0.",
            where=f"item number {', '.join(str(row + 1) for row in wrong[:5])}",
            way_out="Give the distance of every item from each item that the map was trained on.",
        )
    return place_measured(model, rows, params, lambda some: model.squared_distances(rows[some]))


def place_measured(
    model: RelationalMap,
    rows: Floats,
    params: PlacingParams,
    measure: Callable[[slice], Floats],
) -> PlacedItems:
    """Place items whose squared distances to all prototypes are known."""
    positions = np.empty((len(rows), model.grid.nodes.shape[1]))
    winners = np.empty(len(rows), dtype=np.int64)

    def place_some(begin: int, end: int) -> None:
        squares = measure(slice(begin, end))
        winners[begin:end] = squares.argmin(axis=1)
        if params.mapping != "supervised":
            positions[begin:end] = RULES[params.mapping](model, squares, params)

    over_blocks(len(rows), ITEMS_AT_ONCE, place_some)
    if params.mapping == "supervised":
        # An item's distances describe it like a prototype's distances describe the prototype.
        positions = network(model).positions(np.where(model.used, rows, 0.0))
    return PlacedItems(positions=positions, winners=winners)


def _shepard(model: RelationalMap, squares: Floats, params: PlacingParams) -> Floats:
    """Return the mean of the nearest nodes, weighted by distance to the power −p."""
    grid = model.grid
    k = min(params.neighbours, grid.n_nodes)
    nearest = np.argpartition(squares, k - 1, axis=1)[:, :k]
    distances = np.sqrt(np.maximum(np.take_along_axis(squares, nearest, axis=1), 0.0))
    least = distances.min(axis=1, keepdims=True)
    on_it = least == 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        weights = np.where(on_it, distances == 0.0, (least / distances) ** params.power)
    winners = squares.argmin(axis=1)
    steps = _short_way(grid, winners[:, None], nearest)
    moved = (weights[:, :, None] * steps).sum(axis=1) / weights.sum(axis=1, keepdims=True)
    return wrapped(grid, grid.nodes[winners] + moved)


def _short_way(grid: Grid, origins: Ints, targets: Ints) -> Floats:
    """Return steps between nodes; on a torus the short way round, and none to the opposite side."""
    steps = grid.nodes[targets] - grid.nodes[origins]
    for axis, period in enumerate(grid.periods):
        if np.isfinite(period):
            short = steps[..., axis] - period * np.round(steps[..., axis] / period)
            opposite = np.isclose(np.abs(short), period / 2.0)
            steps[..., axis] = np.where(opposite, 0.0, short)
    return np.asarray(steps)


def _softmax(model: RelationalMap, squares: Floats, params: PlacingParams) -> Floats:
    """Return the mean of all nodes, weighted by exp(−d/2s²); s follows the winner's spacing."""
    spacing = model.spacing
    smallest = SHARPEST * max(float(spacing.max()), float(np.abs(model.prototypes).max()))
    widths = params.softness * np.maximum(spacing[squares.argmin(axis=1)], smallest)
    beyond = squares - squares.min(axis=1, keepdims=True)
    weights = np.exp(-beyond / (2.0 * widths[:, None] ** 2))
    return mean_place(model.grid, weights / weights.sum(axis=1, keepdims=True))


def _winner(model: RelationalMap, squares: Floats, params: PlacingParams) -> Floats:  # noqa: ARG001
    """Return the node of the nearest prototype."""
    return np.asarray(model.grid.nodes[squares.argmin(axis=1)])


RULES: Mapping[str, Callable[[RelationalMap, Floats, PlacingParams], Floats]] = MappingProxyType(
    {"shepard": _shepard, "softmax": _softmax, "winner": _winner}
)
