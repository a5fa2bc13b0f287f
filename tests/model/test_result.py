"""Digests and results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests import twins
from ximstudio.model import Grid, Lattice, LinearMap, PrototypeMap, Result, TrainingHistory
from ximstudio.model.arrays import digest, frozen, frozen_floats
from ximstudio.model.method_params import MethodParams


def result(**changes: Any) -> Result:
    base = Result(
        method="c-xim",
        params=MethodParams(),
        seed=0,
        data_fingerprint="f",
        item_ids=("a", "b"),
        feature_names=("x",),
        model=PrototypeMap(grid=Grid(1, 2), prototypes=np.array([[0.0], [1.0]])),
        winners=np.array([0, 1]),
        positions=np.array([[0.0, 0.0], [1.0, 0.0]]),
        history=TrainingHistory.empty(),
        step=5,
        n_steps=10,
    )
    return replace(base, **changes)


def test_that_equal_maps_have_equal_hashes() -> None:
    assert result().hash == result(seed=3, method="som", step=7).hash


@pytest.mark.parametrize(
    "change",
    [
        {"positions": np.array([[0.0, 0.0], [1.0, 1e-300]])},
        {"winners": np.array([1, 1])},
        {"winners": None},
        {"model": PrototypeMap(grid=Grid(1, 2), prototypes=np.array([[0.0], [2.0]]))},
        {"model": LinearMap(centre=np.zeros(1), components=np.ones((2, 1)), explained=np.ones(2))},
    ],
    ids=["positions", "winners", "no winners", "prototypes", "linear"],
)
def test_that_other_maps_have_other_hashes(change: dict[str, Any]) -> None:
    assert result(**change).hash != result().hash


def test_that_a_result_is_finished_when_all_steps_are_done() -> None:
    assert not result(step=9).finished
    assert result(step=10).finished


@pytest.mark.parametrize(
    "grid",
    [Grid(1, 1), Grid(1, 5), Grid(4, 5), Grid(4, 5, Lattice.HEXAGONAL, toroidal=True)],
    ids=str,
)
def test_that_the_spacing_of_a_prototype_is_its_mean_distance_to_neighbours(grid: Grid) -> None:
    prototypes = np.random.default_rng(0).normal(size=(grid.n_nodes, 3))
    model = PrototypeMap(grid=grid, prototypes=prototypes)
    np.testing.assert_allclose(model.spacing, twins.spacing(grid, prototypes), rtol=1e-12)
    assert not model.spacing.flags.writeable


def test_that_digests_tell_types_shapes_and_borders_apart() -> None:
    numbers = np.arange(6.0)
    several = [
        digest(numbers),
        digest(numbers.reshape(2, 3)),
        digest(numbers.astype(np.float32)),
        digest(numbers[:3], numbers[3:]),
        digest("ab", "c"),
        digest("a", "bc"),
        digest("abc"),
        digest(),
    ]
    assert len(set(several)) == len(several)
    assert digest(numbers[::2]) == digest(numbers[::2].copy())


def test_that_frozen_arrays_cannot_be_written_to() -> None:
    array = np.zeros(3)
    assert frozen(array) is array
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1.0
    source = np.zeros((2, 2), order="F")
    copy = frozen_floats(source)
    source[0, 0] = 5.0
    assert copy[0, 0] == 0.0
    assert copy.flags.c_contiguous
    assert not copy.flags.writeable


def test_that_an_empty_history_is_empty() -> None:
    history = TrainingHistory.empty()
    assert {len(array) for array in vars(history).values()} == {0}
