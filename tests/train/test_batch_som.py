"""The batch SOM, epoch by epoch, against its float64 twin."""

from __future__ import annotations

import numpy as np
import pytest

from tests import twins
from ximstudio.model import Matrix, PrototypeMap
from ximstudio.model.arrays import Floats
from ximstudio.train import batch_som, checkpoints, method_named, problems, train
from ximstudio.train.batch_som import BatchItems
from ximstudio.train.som import SomParams

N_EPOCHS = 6


def items(*, blanks: bool, n_items: int = 90) -> Floats:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n_items, 5)) * 2.0 + 30.0 + 5.0 * rng.integers(0, 3, (n_items, 1))
    if blanks:
        hidden = np.less(rng.random(values.shape), 0.25)
        hidden[np.arange(n_items), rng.integers(0, 5, n_items)] = False
        values[hidden] = np.nan
    return values


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("match", ["distance", "heskes"])
@pytest.mark.parametrize(
    ("lattice", "toroidal"),
    [("rectangular", False), ("hexagonal", False), ("rectangular", True), ("hexagonal", True)],
)
def test_that_every_epoch_equals_its_twin(
    lattice: str, toroidal: bool, match: str, blanks: bool
) -> None:
    values = items(blanks=blanks)
    start = np.random.default_rng(1).normal(size=(24, 5)) + 33.0
    params = SomParams(
        algorithm="batch",
        shape=(4, 6),
        lattice=lattice,
        toroidal=toroidal,
        n_epochs=N_EPOCHS,
        width=(2.0, 0.5),
        best_match=match,
        init="given",
    )
    d_map = twins.map_distances(params.grid)
    prototypes = start
    errors, energies, widths = [], [], []
    maps = []
    for checkpoint in checkpoints(
        Matrix.from_array(values), method_named("som"), params, start=start, chunk=1
    ):
        result = checkpoint.result()
        assert isinstance(result.model, PrototypeMap)
        maps.append(result.model.prototypes)
    for epoch in range(N_EPOCHS):
        sigma = twins.annealed("exponential", (2.0, 0.5), epoch / (N_EPOCHS - 1))
        twin = twins.batch_epoch(values, prototypes, d_map, sigma, match)
        prototypes = twin.prototypes
        np.testing.assert_allclose(maps[epoch], prototypes, rtol=0.0, atol=1e-4)
        errors.append(twin.error)
        energies.append(twin.energy)
        widths.append(sigma)
    assert result.step == N_EPOCHS
    np.testing.assert_allclose(result.history.quantisation_error, errors, rtol=1e-4)
    np.testing.assert_allclose(result.history.cost, energies, rtol=1e-4)
    np.testing.assert_allclose(result.history.width, widths, rtol=1e-12)
    assert result.history.step.tolist() == list(range(1, N_EPOCHS + 1))
    assert np.isnan(result.history.reach).all()
    assert np.isnan(result.history.step_size).all()


def test_that_a_node_nothing_pulls_at_stays() -> None:
    values = np.array([[0.0, 0.0], [0.1, 0.0], [0.0, 0.1]])
    start = np.column_stack([np.arange(50.0), np.zeros(50)])
    params = SomParams(algorithm="batch", shape=(1, 50), n_epochs=1, width=(0.5, 0.5), init="given")
    model = train(Matrix.from_array(values), method_named("som"), params, start=start).model
    assert isinstance(model, PrototypeMap)
    np.testing.assert_allclose(model.prototypes[40:], start[40:], atol=1e-5)
    np.testing.assert_allclose(model.prototypes[0], values.mean(axis=0), atol=1e-5)


def test_that_the_energy_falls_at_constant_width_with_heskes_winners() -> None:
    params = SomParams(
        algorithm="batch",
        shape=(5, 5),
        n_epochs=15,
        width=(1.2, 1.2),
        best_match="heskes",
        init="random",
    )
    history = train(Matrix.from_array(items(blanks=False)), method_named("som"), params).history
    assert (np.diff(history.cost) <= 1e-5 * history.cost[0]).all()
    assert history.cost[-1] < 0.9 * history.cost[0]


def test_that_items_are_summed_the_same_however_they_are_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = items(blanks=False, n_items=2000)
    prototypes = np.random.default_rng(2).normal(size=(24, 5)).astype(np.float32)
    centred = values - values.mean(axis=0)
    whole = BatchItems(centred, None).sums(prototypes, None)
    monkeypatch.setattr(batch_som, "ITEMS_AT_ONCE", 37)
    cut = BatchItems(centred, None).sums(prototypes, None)
    np.testing.assert_allclose(whole.values, cut.values, rtol=1e-12)
    np.testing.assert_allclose(whole.observed, cut.observed, rtol=1e-12)
    assert whole.observed.sum() == 2000.0
    np.testing.assert_allclose(whole.values.sum(axis=0), centred.sum(axis=0), atol=1e-3)


@pytest.mark.parametrize("n_items", [2, 7, 8, 9, 4097])
def test_that_no_item_is_left_out_of_the_sums(n_items: int) -> None:
    values = items(blanks=False, n_items=n_items)
    prototypes = np.random.default_rng(3).normal(size=(12, 5)).astype(np.float32)
    sums = BatchItems(values, None).sums(prototypes, None)
    assert sums.observed.sum() == n_items
    np.testing.assert_allclose(sums.values.sum(axis=0), values.sum(axis=0), rtol=1e-5)
    np.testing.assert_allclose(sums.squares.sum(), (values**2).sum(), rtol=1e-5)


def test_that_a_map_whose_kernel_between_nodes_does_not_fit_is_refused() -> None:
    """A million nodes have 10¹² pairs: 8 TB, which no machine holds."""
    matrix = Matrix.from_array(items(blanks=False))
    params = SomParams(algorithm="batch", shape=(1000, 1000))
    found = problems(matrix, method_named("som"), params)
    assert [problem.key for problem in found] == ["params.memory"]


def test_that_chunks_thin_out_the_checkpoints_and_keep_the_last() -> None:
    params = SomParams(algorithm="batch", shape=(3, 3), n_epochs=10)
    steps = [
        checkpoint.step
        for checkpoint in checkpoints(
            Matrix.from_array(items(blanks=False)), method_named("som"), params, chunk=4
        )
    ]
    assert steps == [4, 8, 10]
