"""What is in the figure of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ximstudio.export.images import write_figures
from ximstudio.figures import Look, map_figure, save_figure
from ximstudio.maps import u_matrix
from ximstudio.maps.cells import cell_corners
from ximstudio.maps.label_kinds import telling_label
from ximstudio.model import Grid, Lattice, Matrix, PrototypeMap, Result
from ximstudio.train import METHODS, method_named, train

LABELS = ["left", "right"] * 10


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    values = np.random.default_rng(0).normal(size=(20, 5))
    names = tuple(f"g{number}" for number in range(20))
    return Matrix(
        values=values,
        item_ids=names,
        feature_names=tuple("abcde"),
        item_labels={"name": names, "side": tuple(LABELS)},
    )


def trained(matrix: Matrix, key: str, lattice: str = "rectangular") -> Result:
    method = method_named(key)
    wanted = {"shape": (4, 6), "n_steps": 300, "lattice": lattice}
    known = method.params.specs()
    settings = {name: value for name, value in wanted.items() if name in known}
    return train(matrix, method, method.params.from_values(settings))


@pytest.mark.parametrize("key", [method.key for method in METHODS])
def test_that_every_item_is_drawn_once_with_its_class_in_the_legend(
    key: str, matrix: Matrix
) -> None:
    result = trained(matrix, key)
    axes = map_figure(result, title="t", labels=LABELS, label_name="side").axes
    drawn = np.concatenate(
        [
            np.asarray(part.get_offsets())
            for axis in axes
            for part in axis.collections
            if not str(part.get_label()).startswith("_")
        ]
    )
    assert sorted(map(tuple, drawn.tolist())) == sorted(map(tuple, result.positions.tolist()))
    legends = [legend for axis in axes if (legend := axis.get_legend()) is not None]
    assert {text.get_text() for text in legends[0].get_texts()} == {"left (10)", "right (10)"}


@pytest.mark.parametrize("depth", [1, 3])
def test_that_every_layer_of_a_block_is_framed_and_named(matrix: Matrix, depth: int) -> None:
    method = method_named("c-xim")
    settings = {"shape": (4, 6), "n_steps": 300, "lattice": "cubic", "depth": depth}
    result = train(matrix, method, method.params.from_values(settings))
    _, places, *_ = map_figure(result, title="t", labels=LABELS).axes
    names = [text.get_text() for text in places.texts]
    frames = [patch.get_extents() for patch in places.patches]
    if depth == 1:
        assert not names
        assert not frames
        return
    assert names == ["layer 1 of 3", "layer 2 of 3", "layer 3 of 3"]
    assert len(frames) == 3
    dots = np.concatenate([np.asarray(part.get_offsets()) for part in places.collections])
    inside = [frame.count_contains(places.transData.transform(dots)) for frame in frames]
    assert sum(inside) == len(dots) == 20


@pytest.mark.parametrize("lattice", ["rectangular", "hexagonal"])
def test_that_the_map_shows_the_u_matrix_in_cells_that_tile_the_plane(
    lattice: str, matrix: Matrix
) -> None:
    result = trained(matrix, "c-xim", lattice)
    assert isinstance(result.model, PrototypeMap)
    (cells,) = map_figure(result, title="t").axes[0].collections
    np.testing.assert_array_equal(np.asarray(cells.get_array()), u_matrix(result.model))
    corners = cell_corners(result.model.grid)
    x, y = corners.T
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert area == pytest.approx(result.model.grid.row_height)


def test_that_hexagons_touch_their_neighbours_along_an_edge() -> None:
    grid = Grid(2, 2, Lattice.HEXAGONAL)
    cells = [
        {tuple(corner) for corner in np.round(node + cell_corners(grid), 6).tolist()}
        for node in grid.nodes
    ]
    for left, right in grid.edges.tolist():
        assert len(cells[left] & cells[right]) == 2


def test_that_size_and_resolution_are_as_asked(matrix: Matrix, tmp_path: Path) -> None:
    from matplotlib.image import imread

    look = Look(width_mm=85.0, dpi=200.0)
    figure = map_figure(trained(matrix, "som"), title="t", look=look)
    assert figure.get_size_inches()[0] == pytest.approx(85.0 / 25.4)
    save_figure(figure, tmp_path / "map.png", look)
    assert imread(tmp_path / "map.png").shape[1] == int(85.0 / 25.4 * 200.0)


def test_that_all_formats_are_written_and_text_stays_text(matrix: Matrix, tmp_path: Path) -> None:
    names = ("map.pdf", "map.svg", "map.png", "map.tiff")
    write_figures(tmp_path, names, trained(matrix, "c-xim"), matrix, name="c-XIM")
    assert {path.name for path in tmp_path.iterdir()} == set(names)
    svg = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert ">left (10)</text>" in svg
    assert b"/FontFile2" in (tmp_path / "map.pdf").read_bytes()


def test_that_a_label_that_names_every_item_does_not_colour(matrix: Matrix) -> None:
    assert telling_label(matrix) == "side"
    assert telling_label(Matrix.from_array(np.eye(3))) is None
