"""Initial prototypes and positions: on the plane of largest variance, at random, or given."""

from __future__ import annotations

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.spec import Choice
from ximstudio.train.components import principal_components

ROUNDS = 10
"""Rounds of filling missing values from the plane: a start need not be exact."""

STARTS = {
    "pca": "the plane of the two directions of largest variance: quick and repeatable",
    "items": "randomly chosen items",
    "random": "uniform at random within the range of every feature",
    "given": "prototypes of your own, one row per node",
}


def start_prototypes(
    matrix: Matrix, grid: Grid, *, start: str, seed: int, given: Floats | None = None
) -> Floats:
    """Prototypes before the first step, shape (M, D)."""
    if given is not None and start != "given":
        raise UserError(
            key="start.unused",
            what=f"Prototypes were given, but the start is '{start}'.",
            where="parameter 'init'",
            fields=("init",),
            way_out="Set the start to 'given', or leave the prototypes out.",
        )
    if start == "given":
        return _given(matrix, grid, given)
    if start == "pca":
        return _plane(matrix, grid)
    # Keys differ from those of the order of items, which are [seed, block].
    rng = np.random.default_rng([seed, 0, 1])
    if start == "items":
        rows = rng.choice(matrix.n_items, grid.n_nodes, replace=grid.n_nodes > matrix.n_items)
        chosen = matrix.values[rows]
        return np.where(np.isnan(chosen), np.nanmean(matrix.values, axis=0), chosen)
    low = np.nanmin(matrix.values, axis=0)
    high = np.nanmax(matrix.values, axis=0)
    return np.asarray(rng.uniform(low, high, size=(grid.n_nodes, matrix.n_features)))


def _plane(matrix: Matrix, grid: Grid) -> Floats:
    """Place the grid on the plane of largest variance, its longer side along the first direction.

    Nodes have the variance of the items along both directions, or along three if the grid has three
    axes. A joined axis is folded, both halves on top of each other, so that the seams do not tear
    it; a ring lies on the plane as a circle.
    """
    places = _folded(grid)
    components = principal_components(matrix, places.shape[1], rounds=ROUNDS)
    spread = places.std(axis=0)
    places = (places - places.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    places = places[:, np.argsort(-np.array(grid.structure.sides(grid)), kind="stable")]
    deviations = components.deviations
    return np.asarray(components.centre + (places * deviations) @ components.directions)


def _folded(grid: Grid) -> Floats:
    """Node positions with a triangle wave along joined axes, so that a seam tears nothing."""
    periods = np.asarray(grid.periods)
    return np.where(np.isfinite(periods), np.abs(grid.nodes - periods / 2.0), grid.nodes)


def _given(matrix: Matrix, grid: Grid, given: Floats | None) -> Floats:
    expected = (grid.n_nodes, matrix.n_features)
    if given is None:
        raise UserError(
            key="start.missing",
            what="The start is 'given', but no prototypes were given.",
            where="parameter 'init'",
            fields=("init",),
            way_out=f"Pass an array of shape {expected}, or choose another start.",
        )
    array = np.asarray(given, dtype=np.float64)
    if array.shape != expected or not np.isfinite(array).all():
        raise UserError(
            key="start.unfit",
            what=f"The given start has shape {array.shape}"
            + (" and values that are not finite." if array.shape == expected else "."),
            where="parameter 'init'",
            fields=("init",),
            way_out=f"Pass finite numbers of shape {expected}: one row per node.",
        )
    return array


def start_choice(*, random: str) -> Choice:
    """Declare the start of the items; `random` describes a random start."""
    return Choice(
        label="Start",
        help="Positions of the items in the map before the first step.",
        advanced=True,
        options={
            "pca": "on the plane of largest variance, which keeps the overall structure",
            "random": random,
        },
    )


def plane_positions(matrix: Matrix) -> Floats:
    """Items on the plane of largest variance, scaled to deviation 1 along its first direction."""
    components = principal_components(matrix, 2, rounds=ROUNDS)
    return np.asarray(components.positions / (components.deviations[0] or 1.0))
