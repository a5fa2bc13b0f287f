"""A small neural network that learns positions of nodes from prototypes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ximstudio.kernels.parallel import one_thread, unwarned
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.result import PrototypeMap
from ximstudio.place.placed import PlacedItems, PlacingRule, wrapped
from ximstudio.place.shepard import on_winner

if TYPE_CHECKING:
    from ximstudio.place.params import PlacingParams

HIDDEN = (64, 64)
MOST_ITERATIONS = 300
SEED = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Network:
    """A trained network, and the coordinates of the prototypes' span that it takes as input."""

    regressor: Any
    centre: Floats
    axes: Floats
    grid: Grid

    def positions(self, values: Floats) -> Floats:
        """Return positions of items given by their features."""
        with one_thread():
            return _decoded(self.grid, self.regressor.predict((values - self.centre) @ self.axes))


@lru_cache(maxsize=4)
def network(model: PrototypeMap) -> Network:
    """Train the network of a map, once; the pairs (w_j, r_j) are its examples."""
    from sklearn.exceptions import ConvergenceWarning  # 1.3 s, only if asked for
    from sklearn.neural_network import MLPRegressor

    centre = model.prototypes.mean(axis=0)
    moved = model.prototypes - centre
    lengths, axes = np.linalg.svd(moved, full_matrices=False)[1:]
    kept = lengths > 1e-6 * lengths[0] if lengths[0] > 0 else lengths > 0
    # One scale for all axes: whitening would enlarge the smallest ones, which are noise, to 1.
    scale = lengths[0] / np.sqrt(len(moved)) if kept.any() else 1.0
    axes = axes[kept].T / scale if kept.any() else np.zeros((moved.shape[1], 1))
    regressor = MLPRegressor(
        hidden_layer_sizes=HIDDEN,
        activation="tanh",
        solver="lbfgs",
        alpha=1e-4,
        max_iter=MOST_ITERATIONS,
        random_state=SEED,
    )
    # Stopping there is intended.
    with one_thread(), unwarned(ConvergenceWarning):
        regressor.fit(moved @ axes, _encoded(model.grid))
    return Network(regressor=regressor, centre=centre, axes=axes, grid=model.grid)


def place(model: PrototypeMap, values: Floats, params: PlacingParams) -> PlacedItems:
    """Place items by the network."""
    positions = network(model).positions(values)
    return PlacedItems(positions=positions, winners=on_winner(model, values, params).winners)


def _middle(grid: Grid) -> tuple[Floats, float]:
    return grid.nodes.mean(axis=0), max(float(grid.nodes.std()), 1.0)


def _encoded(grid: Grid) -> Floats:
    """Return the targets: positions around 0, and points on a circle for axes that repeat."""
    middle, spread = _middle(grid)
    straight = (grid.nodes - middle) / spread
    joined = np.isfinite(grid.periods)
    angles = 2.0 * np.pi * grid.nodes[:, joined] / np.asarray(grid.periods)[joined]
    return np.column_stack([np.cos(angles), np.sin(angles), straight[:, ~joined]])


def _decoded(grid: Grid, outputs: Floats) -> Floats:
    middle, spread = _middle(grid)
    joined = np.isfinite(grid.periods)
    n_joined = int(joined.sum())
    outputs = outputs.reshape(len(outputs), -1)
    cosines, sines, straight = np.split(outputs, [n_joined, 2 * n_joined], axis=1)
    positions = np.empty((len(outputs), len(joined)))
    positions[:, ~joined] = straight * spread + middle[~joined]
    turns = np.arctan2(sines, cosines) / (2.0 * np.pi)
    positions[:, joined] = turns * np.asarray(grid.periods)[joined]
    return wrapped(grid, positions)


SUPERVISED = PlacingRule(
    key="supervised",
    about="a small neural network learns node places from the prototypes",
    place=place,
    in_text=lambda _params, _n_nodes: (
        "After training, a multilayer perceptron learned the positions of the nodes from their"
        " prototypes, and placed every item"
    ),
    reads_blanks=False,
)
