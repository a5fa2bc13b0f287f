"""A table of places becomes the nodes of a map, or is refused with a way out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.structures import NODE_FILE
from ximstudio.load.nodes import MOST, load_nodes
from ximstudio.model import Lattice, UserError


def table(folder: Path, text: str, name: str = "nodes.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def keys_of(name: str) -> tuple[str, ...]:
    with pytest.raises(UserError) as error:
        load_nodes(name)
    assert all(problem.way_out for problem in error.value.problems)
    return error.value.keys


def test_that_nodes_are_the_rows_in_units_of_their_neighbours(tmp_path: Path) -> None:
    grid = load_nodes(table(tmp_path, "x,y\n10,0\n30,0\n50,0\n50,20\n"))
    np.testing.assert_allclose(grid.nodes, [[0, 0], [1, 0], [2, 0], [2, 1]])
    assert grid.edges.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert grid.lattice is Lattice.TABLE


@pytest.mark.parametrize(
    "text",
    [
        "name\tX\tnote\tY\na\t0\tleft\t0\nb\t4\tright\t0\n",
        "x;y\n0,0;0\n2,5;0\n",
        "id,y,x\n1,0,0\n2,0,7\n",
    ],
    ids=["tabs and other columns", "decimal commas", "another order"],
)
def test_that_columns_are_found_by_their_names(tmp_path: Path, text: str) -> None:
    np.testing.assert_allclose(load_nodes(table(tmp_path, text)).nodes, [[0, 0], [1, 0]])


def test_that_a_column_z_puts_nodes_into_space(tmp_path: Path) -> None:
    grid = load_nodes(table(tmp_path, "x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n"))
    assert grid.nodes.shape == (4, 3)
    assert grid.edges.tolist() == [[0, 1], [0, 2], [0, 3]]


def test_that_the_same_file_gives_the_same_grid_and_a_changed_one_another(tmp_path: Path) -> None:
    assert load_nodes(NODE_FILE) is load_nodes(NODE_FILE)
    name = table(tmp_path, "x,y\n0,0\n1,0\n")
    before = load_nodes(name)
    table(tmp_path, "x,y\n0,0\n1,0\n2,0\n")
    assert (before.n_nodes, load_nodes(name).n_nodes) == (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        "x,y\n0,0\n1,0\n2,3\n2,3\n2,3\n5,1\n",
        "x,y\n1,1\n1,1\n1,1\n",
        "a,b\n0,0\n1,0\n",
        "x,b\n0,0\n1,0\n",
        "x,y\n0,0\n",
        "x,y\n0,0\n1,1\n0,0\n",
        "x,y\n0,0\n1,\n2,2\n",
        "x,y\n5,5\n5,5\n",
    ],
    ids=[
        "three on one place",
        "all on one place",
        "no x",
        "no y",
        "one node",
        "a place twice",
        "a gap",
        "one place",
    ],
)
def test_that_a_table_that_is_no_map_is_refused(tmp_path: Path, text: str) -> None:
    assert keys_of(table(tmp_path, text)) == ("load.nodes",)


def test_that_too_many_nodes_are_refused(tmp_path: Path) -> None:
    rows = "".join(f"{number},0\n" for number in range(MOST + 1))
    assert keys_of(table(tmp_path, f"x,y\n{rows}")) == ("load.nodes",)


def test_that_a_missing_file_is_refused_as_all_are(tmp_path: Path) -> None:
    assert keys_of(str(tmp_path / "gone.csv")) == ("load.unreadable",)
