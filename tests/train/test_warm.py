"""A start from an earlier map draws that map again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests import twins
from ximstudio.model import Grid, Lattice, Matrix, PrototypeMap, Result, UserError
from ximstudio.model.arrays import Floats
from ximstudio.place.items import place_values
from ximstudio.train import checkpoints, method_named, train
from ximstudio.train.annealing import begun_late
from ximstudio.train.params import MapParams
from ximstudio.train.start import start_prototypes
from ximstudio.train.warm import (
    laid_over,
    part_of_map,
    prototypes_from,
    start_from,
    whole_of,
)

C_XIM = method_named("c-xim")


def linear_map(grid: Grid, *, toroidal: bool = False) -> Result:
    """A map whose prototypes are their own places, or on a torus points on two circles."""
    nodes = grid.nodes
    prototypes = nodes.copy()
    if toroidal:
        angles = 2.0 * np.pi * nodes / np.asarray(grid.periods)
        prototypes = np.column_stack([np.cos(angles), np.sin(angles)])
    matrix = Matrix.from_array(prototypes)
    params = C_XIM.params.from_values(
        {"shape": (grid.rows, grid.columns), "lattice": str(grid.lattice), "toroidal": toroidal}
    )
    result = train(
        Matrix.from_array(prototypes),
        C_XIM,
        params.replace(n_steps=1, step=(1e-9, 1e-9), init="given"),
        start=prototypes,
    )
    return replace(
        result,
        model=PrototypeMap(grid=grid, prototypes=prototypes),
        feature_names=matrix.feature_names,
    )


def quantisation_error(prototypes: Floats, matrix: Matrix) -> float:
    apart = [np.nanmean((item - prototypes) ** 2, axis=1).min() for item in matrix.values]
    return float(np.sqrt(apart).mean())


@pytest.fixture(scope="module")
def trained(yeast: Matrix) -> Result:
    return train(
        yeast, C_XIM, C_XIM.params.from_values({"shape": (9, 12), "n_steps": 6000}), seed=1
    )


def test_that_the_same_grid_starts_with_the_same_bits(yeast: Matrix, trained: Result) -> None:
    assert isinstance(trained.model, PrototypeMap)
    start = prototypes_from(trained, yeast, trained.model.grid)
    np.testing.assert_array_equal(start, trained.model.prototypes)
    still = trained.params.replace(init="given", n_steps=1, step=(1e-12, 1e-12))
    first = next(checkpoints(yeast, C_XIM, still, start=start)).result()
    assert isinstance(first.model, PrototypeMap)
    np.testing.assert_allclose(first.model.prototypes, start, atol=1e-6)


def test_that_features_are_matched_by_name(yeast: Matrix, trained: Result) -> None:
    assert isinstance(trained.model, PrototypeMap)
    order = np.random.default_rng(0).permutation(yeast.n_features)[:40]
    fewer = Matrix(
        values=yeast.values[:, order],
        item_ids=yeast.item_ids,
        feature_names=tuple(yeast.feature_names[column] for column in order),
    )
    start = prototypes_from(trained, fewer, trained.model.grid)
    np.testing.assert_array_equal(start, trained.model.prototypes[:, order])
    with pytest.raises(UserError) as caught:
        prototypes_from(trained, Matrix.from_array(yeast.values[:, :3]), trained.model.grid)
    assert caught.value.keys == ("warm.features",)


@pytest.mark.parametrize("lattice", twins.FLAT)
def test_that_a_finer_grid_holds_the_map_between_its_nodes(lattice: Lattice) -> None:
    old = Grid(6, 7, lattice)
    result = linear_map(old)
    matrix = Matrix.from_array(old.nodes)
    new = Grid(11, 13, Lattice.RECTANGULAR)
    start = prototypes_from(result, matrix, new)
    # Prototypes are places here: every new one lies near where its node is laid.
    places = laid_over(new, whole_of(result))
    assert np.abs(start - places).max() < 0.5
    # What lies on an old node is that node's prototype.
    on_nodes = (places[:, None] == old.nodes).all(axis=2)
    node, twin = np.nonzero(on_nodes)
    assert len(node) >= 2
    np.testing.assert_array_equal(start[node], old.nodes[twin])


def test_that_a_torus_goes_round_with_a_torus() -> None:
    old = Grid(6, 8, Lattice.RECTANGULAR, toroidal=True)
    result = linear_map(old, toroidal=True)
    new = Grid(12, 16, Lattice.RECTANGULAR, toroidal=True)
    start = prototypes_from(result, Matrix.from_array(result.model.prototypes), new)  # type: ignore[union-attr]
    steps = [np.linalg.norm(start[left] - start[right]) for left, right in new.edges]
    # Across the seams neighbours are as near as anywhere else.
    assert max(steps) < 3.0 * float(np.median(steps))


def test_that_a_torus_is_folded_over_an_open_map_and_cut_open_under_one() -> None:
    open_grid, torus = Grid(8, 8), Grid(8, 8, toroidal=True)
    flat = linear_map(open_grid)
    start = prototypes_from(flat, Matrix.from_array(open_grid.nodes), torus)
    steps = [np.linalg.norm(start[left] - start[right]) for left, right in torus.edges]
    assert max(steps) < 2.5
    round_ = linear_map(torus, toroidal=True)
    places = laid_over(Grid(4, 4), whole_of(round_))
    np.testing.assert_allclose(places.min(axis=0), torus.nodes.min(axis=0))
    np.testing.assert_allclose(places.max(axis=0), torus.nodes.max(axis=0))


def test_that_a_part_across_a_seam_is_laid_the_short_way_round() -> None:
    torus = Grid(10, 10, toroidal=True)
    result = linear_map(torus, toroidal=True)
    region = part_of_map(result, np.array([[9.2, 3.0], [0.4, 4.5], [1.1, 5.0]]))
    np.testing.assert_allclose(region.high - region.low, [1.9, 2.0])
    np.testing.assert_allclose(region.low % 10.0, [9.2, 3.0])
    start = prototypes_from(
        result,
        Matrix.from_array(result.model.prototypes),  # type: ignore[union-attr]
        Grid(3, 3),
        around=np.array([[9.2, 3.0], [1.1, 5.0]]),
    )
    steps = [np.linalg.norm(start[left] - start[right]) for left, right in Grid(3, 3).edges]
    assert max(steps) < 1.5


def test_that_a_part_on_one_node_still_has_room() -> None:
    result = linear_map(Grid(5, 5))
    region = part_of_map(result, np.array([[2.0, 3.0], [2.0, 3.0]]))
    np.testing.assert_allclose(region.low, [1.5, 2.5])
    np.testing.assert_allclose(region.high, [2.5, 3.5])


@pytest.mark.parametrize("toroidal", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (6, 1)])
def test_that_lines_and_single_nodes_start_in_the_middle(
    shape: tuple[int, int], toroidal: bool, yeast: Matrix, trained: Result
) -> None:
    grid = Grid(*shape, toroidal=toroidal)
    start = prototypes_from(trained, yeast, grid)
    assert start.shape == (shape[0] * shape[1], yeast.n_features)
    places = laid_over(grid, whole_of(trained))
    for axis, side in enumerate(shape[::-1]):
        if side == 1:
            middle = trained.model.grid.nodes[:, axis].max() / 2.0  # type: ignore[union-attr]
            np.testing.assert_allclose(places[:, axis], middle)


def test_that_a_start_from_a_pca_is_its_plane(yeast: Matrix) -> None:
    pca = train(yeast, method_named("pca"))
    grid = Grid(12, 15)
    start = prototypes_from(pca, yeast, grid)
    placed = place_values(pca.model, start, pca.params).positions
    back = pca.model.centre + placed @ pca.model.components  # type: ignore[union-attr]
    np.testing.assert_allclose(start, back, atol=1e-9)
    plane = start_prototypes(yeast, grid, start="pca", seed=0)
    assert np.abs(start - plane).max() < 0.1 * np.abs(plane - plane.mean(axis=0)).max()


class Unlike:
    """A map of a kind that has neither nodes nor a plane."""


def test_that_a_map_without_nodes_gives_means_of_the_items_that_lie_there() -> None:
    rng = np.random.default_rng(0)
    positions = rng.uniform(0.0, 10.0, size=(400, 2))
    values = np.column_stack([positions, positions.sum(axis=1)])
    values[::7, 1] = np.nan
    matrix = Matrix.from_array(values)
    base = train(matrix, method_named("pca"))
    model: Any = Unlike()
    result = replace(base, model=model, positions=positions)
    grid = Grid(6, 6)
    start = prototypes_from(result, matrix, grid)
    inner = np.array([7, 8, 9, 10, 13, 14, 15, 16])
    places = laid_over(grid, whole_of(result))
    np.testing.assert_allclose(start[inner, :2], places[inner], atol=0.6)
    np.testing.assert_allclose(start[inner, 2], places[inner].sum(axis=1), atol=1.2)
    strangers = replace(matrix, item_ids=tuple(f"new {row}" for row in range(400)))
    with pytest.raises(UserError) as caught:
        prototypes_from(result, strangers, grid)
    assert caught.value.keys == ("warm.items",)


def test_that_a_warm_start_needs_fewer_steps_for_the_same_error(
    yeast: Matrix, trained: Result
) -> None:
    whole = C_XIM.params.from_values({"shape": (14, 18), "n_steps": 4000})
    rest = begun_late(whole, 0.7, yeast.n_items).replace(init="given")
    start = prototypes_from(trained, yeast, Grid(14, 18))
    warm = train(yeast, C_XIM, rest, seed=1, start=start)
    cold = train(yeast, C_XIM, whole, seed=1)
    assert isinstance(warm.model, PrototypeMap)
    assert isinstance(cold.model, PrototypeMap)
    assert warm.step < cold.step / 3
    warm_error = quantisation_error(warm.model.prototypes, yeast)
    assert warm_error <= 1.01 * quantisation_error(cold.model.prototypes, yeast)
    as_many = train(yeast, C_XIM, whole.replace(n_steps=warm.step), seed=1)
    assert isinstance(as_many.model, PrototypeMap)
    assert warm_error < 0.97 * quantisation_error(as_many.model.prototypes, yeast)
    # And the start is not the whole of it: training goes on from there.
    assert warm_error < 0.97 * quantisation_error(start, yeast)


def test_that_starts_cannot_be_written_to(yeast: Matrix, trained: Result) -> None:
    for grid in (trained.model.grid, Grid(4, 4)):  # type: ignore[union-attr]
        assert not prototypes_from(trained, yeast, grid).flags.writeable


@pytest.mark.parametrize(
    ("metric", "key"), [("correlation", "warm.metric"), ("precomputed", "warm.table")]
)
def test_that_a_map_that_compares_items_otherwise_is_no_start(
    yeast: Matrix, trained: Result, metric: str, key: str
) -> None:
    assert isinstance(trained.params, MapParams)
    with pytest.raises(UserError) as error:
        start_from(trained, yeast, trained.params.replace(metric=metric))
    assert error.value.keys == (key,)
    np.testing.assert_array_equal(
        start_from(trained, yeast, trained.params),
        prototypes_from(trained, yeast, trained.params.grid),
    )
