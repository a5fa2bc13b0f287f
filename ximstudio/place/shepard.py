"""Shepard's interpolation between the nodes of nearest prototypes, or the nearest node itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.kernels import nearest
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.grid import Grid
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap
from ximstudio.model.words import counted, number
from ximstudio.place.placed import PlacedItems, PlacingRule, wrapped
from ximstudio.place.prototypes import ScaledPrototypes, ScoredBlock

if TYPE_CHECKING:
    from ximstudio.place.params import PlacingParams

WORK = (
    "D. Shepard, A two-dimensional interpolation function for irregularly-spaced data, Proceedings"
    " of the 23rd ACM National Conference, 517–524 (1968)."
)


def shepard(model: PrototypeMap, values: Floats, *, power: float, neighbours: int) -> PlacedItems:
    """Place items at the mean of their nearest nodes, weighted by distance to the power −p."""
    grid = model.grid
    measured = ScaledPrototypes.of(model)
    positions = np.empty((len(values), grid.n_axes))
    winners = np.empty(len(values), dtype=np.int64)
    k = min(neighbours, grid.n_nodes)
    periods, origin = np.asarray(grid.periods), np.asarray(grid.origin)

    def place(block: ScoredBlock) -> None:
        nearest.shepard(
            block.scores,
            block.items,
            block.observed,
            measured.prototypes,
            grid.nodes,
            periods,
            origin,
            power,
            winners[block.begin : block.end],
            positions[block.begin : block.end],
            k,
        )

    measured.over(values, place)
    return PlacedItems(positions=positions, winners=winners)


def from_distances(model: RelationalMap, squares: Floats, params: PlacingParams) -> Floats:
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


def _in_text(params: PlacingParams, n_nodes: int) -> str:
    prototypes = f"its {counted(params.neighbours, 'nearest prototype')}"
    if params.neighbours >= n_nodes:
        prototypes = "all prototypes"
    return (
        "After training, every item was placed between the nodes by inverse distance weighting with"
        f" the power p = {number(params.power, 4)} over {prototypes}"
    )


SHEPARD = PlacingRule(
    key="shepard",
    about="mean of the nearest nodes, weighted by a power of the distance",
    place=lambda model, values, params: shepard(
        model, values, power=params.power, neighbours=params.neighbours
    ),
    from_distances=from_distances,
    in_text=_in_text,
    tells=("power", "neighbours"),
    works=(WORK,),
)


def on_winner(model: PrototypeMap, values: Floats, params: PlacingParams) -> PlacedItems:  # noqa: ARG001
    """Place items on their winner's node."""
    winners = shepard(model, values, power=1.0, neighbours=1).winners
    assert winners is not None
    return PlacedItems(positions=model.grid.nodes[winners], winners=winners)


WINNER = PlacingRule(
    key="winner",
    about="the place of the nearest prototype's node",
    place=on_winner,
    from_distances=lambda model, squares, _: model.grid.nodes[squares.argmin(axis=1)],
    in_text=lambda _params, _n_nodes: "Every item was placed on the node of its nearest prototype",
)
