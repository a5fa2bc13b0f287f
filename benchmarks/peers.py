"""The peers' own online training steps, called the way their users call them."""

from __future__ import annotations

import numpy as np
from minisom import MiniSom
from Orange.projection import _som
from Orange.projection.som import SOM

from benchmarks.timing import Contestant
from ximstudio.kernels.jit import kernel
from ximstudio.model.arrays import Floats, Floats32


def minisom(values: Floats, shape: tuple[int, int], n_steps: int) -> Contestant:
    """`MiniSom.train`, Gaussian neighbourhood, width from half the map down to its third."""
    rows, columns = shape
    som = MiniSom(rows, columns, values.shape[1], sigma=0.5 * max(shape), random_seed=0)
    som.random_weights_init(values)
    return Contestant(name="MiniSom step", run=lambda: som.train(values, n_steps), amount=n_steps)


def orange(values: Floats, shape: tuple[int, int], n_steps: int) -> Contestant:
    """Orange's compiled `_som.update`, one pass over the items of an epoch.

    `SOM.fit` calls it once per epoch: for every item it finds the winner and moves all
    prototypes. The table of the neighbourhood is built once per epoch and counts as well.
    """
    rows, columns = shape
    som = SOM(columns, rows, pca_init=False, random_seed=0)
    items, *_ = som.prepare_data(values)
    items = np.resize(items, (n_steps, values.shape[1]))
    som.init_weights_random(items)

    def epoch() -> None:
        # SOM.fit hands over (sigma, learning rate) where update expects (eta, sigma); what it
        # costs is the same.
        _som.update(som.weights, items, 0.5, 0.25 * max(shape))

    return Contestant(name="Orange step", run=epoch, amount=n_steps)


@kernel
def multiply_add(values: Floats32, passes: int) -> None:
    """Read, change and write every value, `passes` times over."""
    flat = values.reshape(-1)
    factor, summand = np.float32(0.99), np.float32(0.01)
    for _ in range(passes):
        for j in range(flat.size):
            flat[j] = factor * flat[j] + summand


def memory_pass(prototypes: Floats32, passes: int) -> Contestant:
    """One multiply-add over an array of the prototypes' size: what no step can undercut."""
    values = prototypes.copy()
    return Contestant(name="memory pass", run=lambda: multiply_add(values, passes), amount=passes)
