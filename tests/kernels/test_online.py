"""The online kernel: annealing, layout, and steps that do not depend on how they are cut."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import twins
from ximstudio.kernels import layout, online
from ximstudio.model import Grid
from ximstudio.model.arrays import Floats, Floats32, Ints
from ximstudio.train.online import ANNEALINGS, BEST_MATCHES, MAP_KERNELS

GRID = Grid(5, 7)
RULE = online.OnlineRule(
    map_kernel=2,
    best_match=online.DISTANCE,
    learning=online.WEIGHTED,
    annealing=online.EXPONENTIAL,
    step=(0.45, 0.02),
    width=(3.5, 0.4),
    reach=(2.5, 0.2),
    repulsion=0.25,
    length_scale=1.0,
    unit=1.0,
)


@given(
    name=st.sampled_from(sorted(ANNEALINGS)),
    start=st.floats(1e-6, 1e4),
    end=st.floats(1e-6, 1e4),
    fraction=st.floats(0.0, 1.0),
)
def test_that_annealing_follows_the_report(
    name: str, start: float, end: float, fraction: float
) -> None:
    value = online.annealed(ANNEALINGS[name], (start, end), fraction)
    assert value == pytest.approx(twins.annealed(name, (start, end), fraction), rel=1e-12)


def test_that_annealing_runs_from_the_start_to_the_end_value() -> None:
    for code in (online.EXPONENTIAL, online.LINEAR):
        assert online.annealed(code, (0.5, 0.02), 0.0) == 0.5
        assert online.annealed(code, (0.5, 0.02), 1.0) == pytest.approx(0.02, rel=1e-14)
    assert online.annealed(online.EXPONENTIAL, (0.5, 0.02), 0.5) == pytest.approx(0.1, rel=1e-14)
    assert online.annealed(online.CONSTANT, (0.5, 0.02), 1.0) == 0.5


def run(
    values: Floats,
    observed: Floats | None,
    order: Ints,
    cuts: list[int],
    rule: online.OnlineRule = RULE,
) -> tuple[Floats32, Floats]:
    """Prototypes and tallies after the steps of `order`, cut into pieces at `cuts`."""
    start = np.random.default_rng(5).normal(size=(values.shape[1], GRID.n_nodes))
    items, prototypes = layout.lay_out_items(values, observed), layout.lay_out_prototypes(start)
    nodes, work = layout.lay_out_nodes(GRID), layout.work_space(GRID)
    tallies = np.zeros((3, 8))
    for first, stop in zip([0, *cuts], [*cuts, len(order)], strict=True):
        if stop > first:
            piece = order[first:stop]
            online.train_steps(
                items, prototypes, nodes, rule, piece, first, len(order), tallies, work
            )
    return prototypes, tallies


@cache
def run_cut(blanks: bool, match: int, *cuts: int) -> tuple[Floats32, Floats]:
    """Prototypes and tallies after 300 steps, cut into pieces."""
    rng = np.random.default_rng(2)
    values, order = rng.normal(size=(40, 6)), rng.integers(0, 40, 300)
    observed = (rng.random(values.shape) < 0.8).astype(np.float64) if blanks else None
    if observed is not None:
        observed[:, 0] = 1.0
        values = values * observed
    return run(values, observed, order, list(cuts), RULE._replace(best_match=match))


@pytest.mark.parametrize("blanks", [False, True])
@pytest.mark.parametrize("match", [online.DISTANCE, online.HESKES, online.DIVERGENCE])
@given(cuts=st.lists(st.integers(0, 300), max_size=8))
def test_that_the_bits_do_not_depend_on_where_training_is_cut(
    blanks: bool, match: int, cuts: list[int]
) -> None:
    whole, whole_tallies = run_cut(blanks, match)
    cut, cut_tallies = run_cut(blanks, match, *sorted(cuts))
    assert whole.tobytes() == cut.tobytes()
    assert whole_tallies.tobytes() == cut_tallies.tobytes()


def test_that_padded_nodes_and_features_take_no_part() -> None:
    rng = np.random.default_rng(3)
    values, order = rng.normal(size=(40, 5)), rng.integers(0, 40, 500)
    prototypes, _ = run(values, None, order, [])
    assert prototypes.shape[0] == 8
    assert prototypes.shape[1] > GRID.n_nodes
    assert np.abs(prototypes[5:, : GRID.n_nodes]).max() == 0.0
    assert np.isfinite(prototypes).all()


def test_that_tallies_count_every_step_and_every_cost() -> None:
    rng = np.random.default_rng(4)
    values, order = rng.normal(size=(40, 5)), rng.integers(0, 40, 800)
    _, tallies = run(values, None, order, [])
    measured = np.arange(0, 800, online.COST_EVERY)
    assert tallies[2].tolist() == np.bincount(measured // 100).tolist()
    assert (tallies[:2] > 0.0).all()


@pytest.mark.parametrize("n_nodes", [1, 15, 16, 17, 900, 1023, 1024, 1025])
def test_that_padding_holds_all_nodes_and_avoids_whole_pages(n_nodes: int) -> None:
    padded = layout.padded_nodes(n_nodes)
    assert n_nodes <= padded < n_nodes + 2 * layout.LANES
    assert padded % layout.LANES == 0
    assert (padded * 4) % layout.PAGE != 0


@pytest.mark.parametrize("shape", [(1,), (7,), (3, 5), (1000, 16)])
def test_that_aligned_arrays_begin_at_a_cache_line(shape: tuple[int, ...]) -> None:
    array = layout.aligned(*shape)
    assert array.ctypes.data % 64 == 0
    assert array.shape == shape
    assert not array.any()


def test_that_the_cost_of_one_item_is_the_reports_divergence() -> None:
    rng = np.random.default_rng(6)
    h = twins.map_kernel("gaussian", twins.map_distances(Grid(6, 6))[7], 0.5)
    d = rng.exponential(size=36) * 4.0
    cost = online.divergence_cost(
        h.astype(np.float32), d.astype(np.float32), np.float32(0.5 / 0.8**2)
    )
    assert cost == pytest.approx(twins.divergence(h, d, 0.8), rel=2e-5)
    energy = online.local_error(h.astype(np.float32), d.astype(np.float32))
    assert energy == pytest.approx(0.5 * (h * d).sum(), rel=2e-5)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 10.0])
@pytest.mark.parametrize("kernel", ["gaussian", "t", "cauchy"])
@pytest.mark.parametrize("match", ["heskes", "divergence"])
def test_that_no_node_of_a_large_map_beats_the_winner(
    match: str, kernel: str, sigma: float
) -> None:
    """Where many nodes score alike, the winner is the best but for rounding."""
    grid, gamma = Grid(20, 18), 0.7
    rng = np.random.default_rng(8)
    nodes, work = layout.lay_out_nodes(grid), layout.work_space(grid)
    rule = RULE._replace(map_kernel=MAP_KERNELS[kernel], best_match=BEST_MATCHES[match])
    h = twins.map_kernel(kernel, twins.map_distances(grid), sigma)
    for _ in range(5):
        d = ((twins.node_places(grid) - rng.normal(8.0, 4.0, 2)) ** 2).sum(axis=1) / 50.0
        d += rng.exponential(0.1, grid.n_nodes)
        work.d_E[: grid.n_nodes] = d
        winner = online.best_match(rule, nodes, sigma, gamma, 1.0, work)
        if match == "heskes":
            scores = h @ d
        else:
            scores = np.array([twins.divergence(row, d, gamma) for row in h])
        assert scores[winner] <= scores.min() + 2e-6 * np.abs(scores).max()
