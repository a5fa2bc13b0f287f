"""Maps of every structure: parameters, starts, training, and what a run keeps of its nodes."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests import twins
from tests.structures import NODE_FILE, every_lattice
from ximstudio.cli import main
from ximstudio.model import Grid, Lattice, Matrix, PrototypeMap, UserError
from ximstudio.model.arrays import Floats
from ximstudio.train import method_named, problems, train
from ximstudio.train.finished import open_run
from ximstudio.train.start import start_prototypes
from ximstudio.train.xim_family import XimParams

C_XIM = method_named("c-xim")


def grouped() -> Matrix:
    """Four groups in six dimensions."""
    rng = np.random.default_rng(3)
    group = np.repeat(np.arange(4), 30)
    return Matrix.from_array(rng.normal(size=(120, 6)) + 5.0 * rng.normal(size=(4, 6))[group])


@every_lattice
def test_that_training_unfolds_every_structure(lattice: Lattice) -> None:
    """From a random start neighbours on the map become neighbours in the data."""
    matrix = grouped()
    params = XimParams(
        shape=(8, 8), lattice=lattice.value, depth=3, node_file=NODE_FILE, init="random",
        n_steps=4000,
    )  # fmt: skip
    result = train(matrix, C_XIM, params, seed=1)
    trust, continuity = twins.quality(matrix.values, result.positions, range(1, 21))
    shuffled = np.random.default_rng(0).permutation(result.positions)
    by_chance = twins.quality(matrix.values, shuffled, range(1, 21))
    assert min(trust, continuity) > max(by_chance) + 0.25
    assert isinstance(result.model, PrototypeMap)
    prototypes, edges = result.model.prototypes, result.model.grid.edges
    along = np.linalg.norm(prototypes[edges[:, 0]] - prototypes[edges[:, 1]], axis=1)
    across = np.linalg.norm(prototypes[:, None] - prototypes[None], axis=2)
    assert along.mean() < 0.6 * across[np.triu_indices(len(prototypes), 1)].mean()


# Parameters


@pytest.mark.parametrize("lattice", [each for each in Lattice if each not in twins.FLAT])
def test_that_only_flat_lattices_can_be_joined(lattice: Lattice) -> None:
    with pytest.raises(UserError) as error:
        XimParams(lattice=lattice.value, toroidal=True, node_file=NODE_FILE)
    assert error.value.keys == ("params.not_joinable",)


def test_that_a_table_must_be_named() -> None:
    with pytest.raises(UserError) as error:
        XimParams(lattice="table")
    assert error.value.keys == ("params.node_file",)


def test_that_layers_and_tables_are_for_those_who_use_them() -> None:
    flat = XimParams(shape=(3, 4), depth=7, node_file="nowhere.csv")
    assert flat.grid == Grid(3, 4)
    assert XimParams(shape=(3, 4), depth=7, lattice="cubic").grid.n_nodes == 84


@every_lattice
def test_that_a_map_has_as_many_nodes_as_were_asked_for(lattice: Lattice) -> None:
    params = XimParams(shape=(5, 7), lattice=lattice.value, depth=1, node_file=NODE_FILE)
    assert params.grid.n_nodes == (20 if lattice is Lattice.TABLE else 35)
    assert params.grid is params.grid


def test_that_a_table_that_is_gone_is_told_before_training(tmp_path: Path) -> None:
    params = XimParams(lattice="table", node_file=str(tmp_path / "gone.csv"))
    found = problems(grouped(), C_XIM, params)
    assert [problem.key for problem in found] == ["load.unreadable"]
    # What is told before training goes by the map size.
    assert params.resolved(120).n_steps == XimParams().resolved(120).n_steps


def test_that_a_table_of_distances_too_large_for_memory_is_refused() -> None:
    params = XimParams(shape=(1000, 1000), lattice="hyperbolic")
    found = problems(grouped(), C_XIM, params)
    assert [problem.key for problem in found] == ["params.memory"]


# Starts


def spread_along(matrix: Matrix, grid: Grid) -> Floats:
    """Standard deviation of the start along the principal directions, over that of the items."""
    start = start_prototypes(matrix, grid, start="pca", seed=0)
    moved = matrix.values - matrix.values.mean(axis=0)
    _, lengths, directions = np.linalg.svd(moved, full_matrices=False)
    inside = (start - matrix.values.mean(axis=0)) @ directions.T
    return np.asarray(inside.std(axis=0) / (lengths / np.sqrt(matrix.n_items)))


@pytest.mark.parametrize(
    ("lattice", "spanned"),
    [("line", 1), ("ring", 2), ("cylinder", 2), ("disc", 2), ("hyperbolic", 2), ("cubic", 3)],
)
def test_that_a_start_spans_as_many_directions_as_the_map(lattice: str, spanned: int) -> None:
    grid = XimParams(shape=(6, 6), depth=4, lattice=lattice).grid
    expected = [1.0] * spanned + [0.0] * (6 - spanned)
    np.testing.assert_allclose(spread_along(grouped(), grid), expected, atol=1e-9)


def test_that_a_ring_starts_as_one() -> None:
    start = start_prototypes(grouped(), Grid(1, 24, Lattice.RING), start="pca", seed=0)
    steps = np.linalg.norm(start - np.roll(start, 1, axis=0), axis=1)
    opposite = np.linalg.norm(start - np.roll(start, 12, axis=0), axis=1)
    assert steps.max() < 0.3 * opposite.min()


def test_that_a_cylinder_starts_without_a_tear() -> None:
    grid = Grid(8, 12, Lattice.CYLINDER)
    start = start_prototypes(grouped(), grid, start="pca", seed=0)
    apart = np.linalg.norm(start[grid.edges[:, 0]] - start[grid.edges[:, 1]], axis=1)
    across = np.linalg.norm(start[:, None] - start[None], axis=2)
    assert apart.max() < 0.35 * across.max()


# What is kept


@every_lattice
def test_that_a_run_on_every_structure_opens_as_it_was(lattice: Lattice, tmp_path: Path) -> None:
    nodes, folder = tmp_path / "nodes.csv", tmp_path / "run"
    shutil.copy(NODE_FILE, nodes)
    settings = {"shape": "3x5", "depth": "2", "n_steps": "200", "lattice": lattice.value}
    settings["node_file"] = str(nodes)
    chosen = [part for pair in settings.items() for part in ("--set", "=".join(pair))]
    assert main(["run", "sample:yeast", *chosen, "--out", str(folder), "--quiet"]) == 0
    # The nodes lie in the run.
    nodes.unlink()

    opened = open_run(folder).result

    assert isinstance(opened.model, PrototypeMap)
    grid = opened.model.grid
    shutil.copy(NODE_FILE, nodes)
    params = XimParams.from_texts(settings)
    matrix = open_run(folder).matrix
    trained = train(matrix, C_XIM, params)
    assert isinstance(trained.model, PrototypeMap)
    assert grid == trained.model.grid
    np.testing.assert_array_equal(opened.positions, trained.positions)
    np.testing.assert_array_equal(opened.winners, trained.winners)
    np.testing.assert_allclose(opened.model.prototypes, trained.model.prototypes, rtol=1e-8)


@pytest.mark.parametrize("lattice", ["cubic", "ring", "table"])
def test_that_a_run_begins_where_another_one_ended(lattice: str, tmp_path: Path) -> None:
    settings = {"shape": "3x5", "depth": "2", "n_steps": "50", "lattice": lattice}
    settings["node_file"] = NODE_FILE
    chosen = [part for pair in settings.items() for part in ("--set", "=".join(pair))]
    command = ["run", "sample:yeast", *chosen, "--quiet"]
    assert main([*command, "--out", str(tmp_path / "one")]) == 0
    earlier = str(tmp_path / "one" / "prototypes.csv")
    assert main([*command, "--start", earlier, "--out", str(tmp_path / "two")]) == 0
    assert open_run(tmp_path / "two").result.step == 50
