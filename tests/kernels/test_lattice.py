"""Distances, kernels and sums over a lattice, against full tables of all pairs of nodes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import xlogy

from tests import structures, twins
from ximstudio.kernels import lattice, layout
from ximstudio.model import Grid, Lattice
from ximstudio.model.arrays import Floats, Floats32
from ximstudio.train.online import MAP_KERNELS

GRIDS = [
    Grid(rows, columns, kind, toroidal)
    for (rows, columns), kind, toroidal in product(
        [(1, 1), (1, 7), (6, 1), (2, 2), (4, 5), (8, 3), (6, 9)], twins.FLAT, [False, True]
    )
    if not (toroidal and kind is Lattice.HEXAGONAL and rows % 2)
]


def described(grid: Grid) -> str:
    joined = "-torus" if grid.toroidal else ""
    return f"{grid.rows}x{grid.columns}-{grid.lattice}{joined}"


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    kind, toroidal = draw(st.sampled_from(twins.FLAT)), draw(st.booleans())
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    if toroidal and kind is Lattice.HEXAGONAL:
        rows = 2 * ((rows + 1) // 2)
    return Grid(rows, columns, kind, toroidal)


def kernel_of(code: int, d: Floats, sigma: float, scale: float = 1.0) -> Floats32:
    h = np.empty(d.size, dtype=np.float32)
    lattice.map_kernel(code, sigma, scale, d.astype(np.float32), h)
    return h


def table_of(grid: Grid, kernel: str, sigma: float, scale: float = 1.0) -> Floats32:
    work = layout.work_space(grid)
    nodes = layout.lay_out_nodes(grid)
    lattice.offset_kernel(nodes, MAP_KERNELS[kernel], sigma, scale, work.table, work.row)
    return work.table


@pytest.mark.parametrize("grid", [*GRIDS, *structures.GRIDS], ids=described)
def test_that_map_distances_are_right_from_every_node(grid: Grid) -> None:
    nodes, out = layout.lay_out_nodes(grid), np.empty(grid.n_nodes, dtype=np.float32)
    expected = twins.map_distances(grid)
    for winner in range(grid.n_nodes):
        lattice.map_distances(nodes, winner, out)
        np.testing.assert_allclose(out, expected[winner], rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("sigma", [0.05, 0.4, 1.0, 7.5, 50.0])
@pytest.mark.parametrize("scale", [1.0, 0.3, 4.0])
@pytest.mark.parametrize("kernel", ["gaussian", "t", "cauchy"])
def test_that_the_map_kernels_are_those_of_the_report(
    kernel: str, scale: float, sigma: float
) -> None:
    d = np.concatenate([[0.0], np.geomspace(1e-3, 2000.0, 301)]).astype(np.float32)
    expected = twins.map_kernel(kernel, d.astype(np.float64), sigma, scale)
    h = kernel_of(MAP_KERNELS[kernel], d.astype(np.float64), sigma, scale)
    np.testing.assert_allclose(h, expected, rtol=5e-5, atol=2e-38)
    assert h[0] == 1.0


@pytest.mark.parametrize("degrees", [200.0, 1e3, 1e4])
def test_that_the_t_kernel_holds_for_as_many_degrees_of_freedom_as_are_allowed(
    degrees: float,
) -> None:
    d = np.linspace(0.0, 40.0, 401)
    expected = twins.map_kernel("t", d, degrees)
    h = kernel_of(lattice.STUDENT, d, degrees)
    np.testing.assert_allclose(h, expected, rtol=1e-3)


def test_that_the_cauchy_kernel_is_the_t_kernel_with_one_degree_of_freedom() -> None:
    d = np.linspace(0.0, 900.0, 500)
    cauchy, student = kernel_of(lattice.CAUCHY, d, 1.0), kernel_of(lattice.STUDENT, d, 1.0)
    np.testing.assert_allclose(cauchy, student, rtol=2e-5)


@pytest.mark.parametrize("grid", GRIDS, ids=described)
def test_that_the_kernel_of_an_offset_is_that_of_all_pairs_of_nodes(grid: Grid) -> None:
    table = table_of(grid, "cauchy", 1.7)
    full = twins.map_kernel("cauchy", twins.map_distances(grid), 1.7)
    for j, k in product(range(grid.n_nodes), repeat=2):
        (j_row, j_column), (k_row, k_column) = divmod(j, grid.columns), divmod(k, grid.columns)
        h = table[j_row % 2, k_row - j_row + grid.rows - 1, k_column - j_column + grid.columns - 1]
        assert h == pytest.approx(full[j, k], rel=1e-5)


@given(
    grid=grids(),
    kernel=st.sampled_from(["gaussian", "t", "cauchy"]),
    sigma=st.floats(0.2, 8.0),
    seed=st.integers(0, 1000),
)
def test_that_smoothing_is_the_full_sum_over_all_nodes(
    grid: Grid, kernel: str, sigma: float, seed: int
) -> None:
    values = np.random.default_rng(seed).exponential(size=grid.n_nodes)
    out = np.empty(grid.n_nodes, dtype=np.float32)
    lattice.smooth(
        layout.lay_out_nodes(grid),
        table_of(grid, kernel, sigma),
        values.astype(np.float32),
        out,
    )
    full = twins.map_kernel(kernel, twins.map_distances(grid), sigma)
    np.testing.assert_allclose(out, full @ values, rtol=3e-5)


@given(
    grid=grids(),
    kernel=st.sampled_from(["gaussian", "t", "cauchy"]),
    sigma=st.floats(0.05, 8.0),
)
def test_that_self_terms_are_the_full_sum_of_h_ln_h_minus_h(
    grid: Grid, kernel: str, sigma: float
) -> None:
    work = layout.work_space(grid)
    table = table_of(grid, kernel, sigma)
    lattice.self_terms(layout.lay_out_nodes(grid), table, work.running, work.own)
    h = twins.map_kernel(kernel, twins.map_distances(grid), sigma)
    expected = (np.where(h > 0.0, h * np.log(np.where(h > 0.0, h, 1.0)), 0.0) - h).sum(axis=1)
    np.testing.assert_allclose(work.own, expected, rtol=3e-5)


def test_that_a_gaussian_that_underflows_leaves_finite_self_terms() -> None:
    grid = Grid(40, 40)
    work = layout.work_space(grid)
    table = table_of(grid, "gaussian", 0.3)
    lattice.self_terms(layout.lay_out_nodes(grid), table, work.running, work.own)
    assert np.isfinite(work.own).all()
    assert table.min() > 0.0


@structures.every_structure
@pytest.mark.parametrize("kernel", ["gaussian", "t", "cauchy"])
@pytest.mark.parametrize("sigma", [0.2, 2.0])
def test_that_sums_over_nodes_anywhere_are_those_of_the_full_table(
    grid: Grid, kernel: str, sigma: float
) -> None:
    nodes, work = layout.lay_out_nodes(grid), layout.work_space(grid)
    values = np.random.default_rng(2).uniform(0.0, 3.0, work.d_E.size).astype(np.float32)
    h = twins.map_kernel(kernel, twins.map_distances(grid), sigma)
    lattice.smooth_anywhere(
        nodes, MAP_KERNELS[kernel], sigma, 1.0, values, work.score, work.own, work.d_O, work.h
    )
    np.testing.assert_allclose(work.score, h @ values[: grid.n_nodes], rtol=1e-4)
    np.testing.assert_allclose(work.own, (xlogy(h, h) - h).sum(axis=1), rtol=1e-4, atol=1e-5)


@structures.every_structure
def test_that_offsets_say_all_where_they_are_said_to(grid: Grid) -> None:
    """The short way over offsets and the long one over all pairs are the same sum."""
    if not grid.structure.by_offset:
        assert layout.work_space(grid).table.shape == (2, 1, 1)
        return
    nodes, work = layout.lay_out_nodes(grid), layout.work_space(grid)
    values = np.random.default_rng(2).uniform(0.0, 3.0, work.d_E.size).astype(np.float32)
    code = MAP_KERNELS["cauchy"]
    lattice.offset_kernel(nodes, code, 1.5, 1.0, work.table, work.row)
    lattice.smooth(nodes, work.table, values, work.score)
    lattice.self_terms(nodes, work.table, work.running, work.own)
    short, own = work.score.copy(), work.own.copy()
    lattice.smooth_anywhere(nodes, code, 1.5, 1.0, values, work.score, work.own, work.d_O, work.h)
    np.testing.assert_allclose(short, work.score, rtol=1e-4)
    np.testing.assert_allclose(own, work.own, rtol=1e-4)


def test_that_only_the_hyperbolic_plane_needs_a_table_of_distances() -> None:
    sizes = {grid.lattice: layout.lay_out_nodes(grid).apart.shape for grid in structures.GRIDS}
    assert sizes.pop(Lattice.HYPERBOLIC) == (20, 20)
    assert set(sizes.values()) == {(0, 0)}
