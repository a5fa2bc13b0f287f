"""The derivative of the mean cost when winners change (TR 18–23), by numbers.

TR 18 has two terms: one from receptive fields whose borders move with the prototypes, and the mean
force. With winners by TR 10 both fields cost the same at their border (TR 19–23), so that the first
term is 0. Values are those of the slow twin, forces those of the package.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests import twins
from ximstudio.kernels.divergence import KL
from ximstudio.model import Grid
from ximstudio.model.arrays import Floats, Ints
from ximstudio.train.divergences import parts, value

GRID = Grid(3, 3)
SIGMA, GAMMA, STEP = 1.1, 1.3, 1e-5
KERNELS = ["gaussian", "t", "cauchy"]
NEAREST, LEAST_DIVERGENCE = "distance", "divergence"


def distances(x: Floats, prototypes: Floats) -> Floats:
    """d_E of every item and prototype, (N, M)."""
    return np.asarray(((x[:, None] - prototypes) ** 2).sum(axis=2))


class Scene:
    """Prototypes between items, both at random."""

    def __init__(self, kernel: str, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.h = twins.map_kernel(kernel, twins.map_distances(GRID), SIGMA)
        self.prototypes = rng.normal(size=(GRID.n_nodes, 2))
        self.items = 1.5 * rng.normal(size=(10, 2))

    def costs(self, x: Floats, prototypes: Floats) -> Floats:
        """Φ(r_k, x) of every item and node, (N, M)."""
        d = distances(x, prototypes)
        own = (self.h * np.log(self.h) - self.h).sum(axis=1)
        near = twins.data_kernel(d, GAMMA).sum(axis=1, keepdims=True)
        return np.asarray(own + np.einsum("ij,kj->ik", d, self.h) / (2.0 * GAMMA**2) + near)

    def winners(self, rule: str, x: Floats, prototypes: Floats) -> Ints:
        """The winner of every item by TR 2 or TR 10."""
        measured = distances if rule == NEAREST else self.costs
        return np.asarray(measured(x, prototypes).argmin(axis=1))

    def force(self, x: Floats, winner: int) -> Floats:
        """The force of one item on all prototypes, (M, D), by the package (TR 11–13)."""
        towards = x - self.prototypes
        log_g = -(towards**2).sum(axis=1) / (2.0 * GAMMA**2)
        a, b = parts(KL, np.log(self.h[winner]), log_g)
        return (a - b)[:, None] / GAMMA**2 * towards

    def border(self, rule: str, first: Floats, second: Floats) -> tuple[Floats, list[int]]:
        """An item on a border between two others, and the two nodes whose fields meet there."""
        left, right = (
            int(self.winners(rule, x[None], self.prototypes)[0]) for x in (first, second)
        )
        while True:
            middle = 0.5 * (first + second)
            if (middle == first).all() or (middle == second).all():
                return first, [left, right]
            won = int(self.winners(rule, middle[None], self.prototypes)[0])
            if won == left:
                first = middle
            else:
                second, right = middle, won


def slopes(of: Callable[[Floats], float | Floats], prototypes: Floats) -> Floats:
    """Central differences by every coordinate of every prototype, (…, M, D)."""
    found = []
    for place in np.ndindex(*prototypes.shape):
        step = np.zeros_like(prototypes)
        step[place] = STEP
        change = np.asarray(of(prototypes + step)) - np.asarray(of(prototypes - step))
        found.append(change / (2.0 * STEP))
    return np.stack(found, axis=-1).reshape(*found[0].shape, *prototypes.shape)


def border_items(scene: Scene, rule: str) -> list[tuple[Floats, list[int]]]:
    """Items on borders, each with the two nodes between which it lies."""
    won = scene.winners(rule, scene.items, scene.prototypes)
    return [
        scene.border(rule, *scene.items[i : i + 2]) for i in np.flatnonzero(won[1:] != won[:-1])
    ]


@pytest.mark.parametrize("kernel", KERNELS)
def test_that_costs_and_winners_are_those_of_the_report_and_of_the_package(kernel: str) -> None:
    scene = Scene(kernel)
    apart = [twins.data_distances(x, scene.prototypes) for x in scene.items]
    costs = scene.costs(scene.items, scene.prototypes)
    spelled_out = [[twins.divergence(row, d, GAMMA) for row in scene.h] for d in apart]
    np.testing.assert_allclose(costs, spelled_out, rtol=1e-12)
    log_g = -np.array(apart) / (2.0 * GAMMA**2)
    np.testing.assert_allclose(costs, value(KL, np.log(scene.h), log_g[:, None]), rtol=1e-12)
    for rule in (NEAREST, LEAST_DIVERGENCE):
        won = [twins.best_match(rule, scene.h, d, GAMMA) for d in apart]
        assert scene.winners(rule, scene.items, scene.prototypes).tolist() == won


@pytest.mark.parametrize("kernel", KERNELS)
def test_that_both_fields_cost_the_same_at_a_border_by_divergence_alone(kernel: str) -> None:
    scene = Scene(kernel)
    jumps: dict[str, list[float]] = {}
    for rule in (LEAST_DIVERGENCE, NEAREST):
        found = border_items(scene, rule)
        assert len(found) > 3
        for x, nodes in found:
            one, other = scene.costs(x[None], scene.prototypes)[0, nodes]
            jumps.setdefault(rule, []).append(abs(one - other))
    assert max(jumps[LEAST_DIVERGENCE]) < 1e-12
    assert min(jumps[NEAREST]) > 1e-3


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("rule", [LEAST_DIVERGENCE, NEAREST])
def test_that_with_items_on_borders_the_derivative_is_the_mean_force_by_divergence_alone(
    kernel: str, rule: str
) -> None:
    """Half of an item on a border is in either field."""
    scene = Scene(kernel)
    borders = border_items(scene, rule)
    x = np.array([*scene.items, *(item for item, _ in borders)])

    def mean_cost(prototypes: Floats) -> float:
        won = scene.winners(rule, x, prototypes)
        return float(scene.costs(x, prototypes)[np.arange(len(x)), won].mean())

    fields = [[won] for won in scene.winners(rule, scene.items, scene.prototypes).tolist()]
    fields += [nodes for _, nodes in borders]
    forces = [
        np.mean([scene.force(item, node) for node in nodes], axis=0)
        for item, nodes in zip(x, fields, strict=True)
    ]
    gap = np.abs(slopes(mean_cost, scene.prototypes) + np.mean(forces, axis=0)).max()
    if rule == LEAST_DIVERGENCE:
        assert gap < 1e-5
    else:
        # The cost of an item jumps when it changes fields: the smaller the step, the steeper.
        assert gap > 1.0


def pieces(scene: Scene, rule: str, prototypes: Floats) -> tuple[Floats, Ints]:
    """Where the receptive fields begin and end along the items, joined by lines, and their nodes.

    A line has length 1; the first begins at 0. The fields are looked for in steps of 1/50.
    """
    last = len(scene.items) - 1
    at = np.linspace(0.0, last, 50 * last + 1)
    won = scene.winners(rule, along(scene, at), prototypes)
    ends = [0.0]
    for k in np.flatnonzero(won[1:] != won[:-1]):
        low, high = float(at[k]), float(at[k + 1])
        while high - low > 1e-13:
            middle = 0.5 * (low + high)
            here = scene.winners(rule, along(scene, np.array([middle])), prototypes)[0]
            low, high = (middle, high) if here == won[k] else (low, middle)
        ends.append(0.5 * (low + high))
    nodes = np.concatenate([won[:1], won[1:][won[1:] != won[:-1]]])
    return np.array([*ends, float(last)]), nodes


def along(scene: Scene, at: Floats) -> Floats:
    """Points of the lines between the items."""
    numbers = np.arange(len(scene.items))
    return np.column_stack([np.interp(at, numbers, column) for column in scene.items.T])


def quadrature(scene: Scene, ends: Floats, nodes: Ints) -> tuple[Floats, Floats, Ints]:
    """Points, weights and winners by which to integrate over the lines, field by field."""
    corners = np.arange(1.0, len(scene.items) - 1.0)
    cuts = np.unique(np.concatenate([ends, corners]))
    places, weights = np.polynomial.legendre.leggauss(6)
    half, middle = 0.5 * np.diff(cuts), 0.5 * (cuts[1:] + cuts[:-1])
    at = (middle[:, None] + half[:, None] * places).ravel()
    won = nodes[np.searchsorted(ends, at) - 1]
    return along(scene, at), (half[:, None] * weights).ravel(), won


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("rule", [LEAST_DIVERGENCE, NEAREST])
def test_that_the_first_term_of_the_derivative_is_the_jump_of_the_cost_at_moving_borders(
    kernel: str, rule: str
) -> None:
    """Over a density on lines between the items, whose borders are found again each time."""
    scene = Scene(kernel, seed=2)
    scene.items = scene.items[:3]
    ends, nodes = pieces(scene, rule, scene.prototypes)
    assert len(nodes) > 2

    def integral(prototypes: Floats) -> float:
        x, weights, won = quadrature(scene, *pieces(scene, rule, prototypes))
        return float(weights @ scene.costs(x, prototypes)[np.arange(len(x)), won])

    x, weights, won = quadrature(scene, ends, nodes)
    forces = sum(w * scene.force(item, k) for item, w, k in zip(x, weights, won, strict=True))
    first_term = slopes(integral, scene.prototypes) + forces
    moving = slopes(lambda prototypes: pieces(scene, rule, prototypes)[0], scene.prototypes)[1:-1]
    at_borders = scene.costs(along(scene, ends[1:-1]), scene.prototypes)
    every = np.arange(len(nodes) - 1)
    jumps = at_borders[every, nodes[:-1]] - at_borders[every, nodes[1:]]
    expected = np.tensordot(jumps, moving, axes=1)
    np.testing.assert_allclose(first_term, expected, rtol=0.0, atol=1e-5)
    if rule == LEAST_DIVERGENCE:
        assert np.abs(first_term).max() < 1e-5
    else:
        assert np.abs(first_term).max() > 1e-3
