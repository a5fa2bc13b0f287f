"""Softmax of radial basis functions around the prototypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap
from ximstudio.model.words import number
from ximstudio.place.placed import PlacedItems, PlacingRule, wrapped
from ximstudio.place.prototypes import ScaledPrototypes, ScoredBlock
from ximstudio.place.shepard import on_winner

if TYPE_CHECKING:
    from ximstudio.place.params import PlacingParams

SHARPEST = 1e-6
"""Least width, as a share of the map's largest spacing: some prototypes may coincide."""


def place(model: PrototypeMap, values: Floats, params: PlacingParams) -> PlacedItems:
    """Place items at the mean of all nodes, weighted by exp(−|x − w_j|²/2s²).

    The width s follows the spacing of the prototypes around the item's winner: prototypes lie
    close together in some parts of a map and far apart in others.
    """
    grid = model.grid
    measured = ScaledPrototypes.of(model)
    winners = on_winner(model, values, params).winners
    assert winners is not None
    smallest = SHARPEST * max(float(model.spacing.max()), measured.unit)
    widths = params.softness * np.maximum(model.spacing[winners], smallest) / measured.unit
    positions = np.empty((len(values), grid.n_axes))

    def average(block: ScoredBlock) -> None:
        scores = block.scores[:, : grid.n_nodes].astype(np.float64)
        scores -= scores.min(axis=1, keepdims=True)
        if block.observed.size:
            seen = block.observed.sum(axis=1, dtype=np.float64)
            scores *= (block.observed.shape[1] / seen)[:, None]
        weights = np.exp(-scores / (2.0 * widths[block.begin : block.end, None] ** 2))
        weights /= weights.sum(axis=1, keepdims=True)
        positions[block.begin : block.end] = mean_place(grid, weights)

    measured.over(values, average)
    return PlacedItems(positions=positions, winners=winners)


def mean_place(grid: Grid, weights: Floats) -> Floats:
    """Return the weighted mean of the nodes; the circular mean along axes that repeat."""
    mean = weights @ grid.nodes
    for axis, period in enumerate(grid.periods):
        if np.isfinite(period):
            turns = np.exp(2j * np.pi * grid.nodes[:, axis] / period)
            mean[:, axis] = np.angle(weights @ turns) / (2.0 * np.pi) * period
    return wrapped(grid, mean)


def from_distances(model: RelationalMap, squares: Floats, params: PlacingParams) -> Floats:
    """Return the mean of all nodes, weighted by exp(−d/2s²); s follows the winner's spacing."""
    spacing = model.spacing
    smallest = SHARPEST * max(float(spacing.max()), float(np.abs(model.prototypes).max()))
    widths = params.softness * np.maximum(spacing[squares.argmin(axis=1)], smallest)
    beyond = squares - squares.min(axis=1, keepdims=True)
    weights = np.exp(-beyond / (2.0 * widths[:, None] ** 2))
    return mean_place(model.grid, weights / weights.sum(axis=1, keepdims=True))


SOFTMAX = PlacingRule(
    key="softmax",
    about="mean of all nodes, weighted by normalised radial basis functions",
    place=place,
    from_distances=from_distances,
    in_text=lambda params, _: (
        "After training, every item was placed at the mean of all nodes, weighted by normalised"
        f" radial basis functions with a width of {number(params.softness, 4)} times the distance"
        " between neighbouring prototypes"
    ),
    tells=("softness",),
)
