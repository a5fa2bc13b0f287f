"""Slow, plain float64 twins of what the package computes fast: the report, spelled out.

Nothing here uses the package's shortcuts: every sum runs over all nodes, every distance is taken by
differences, and the nodes of a lattice are placed again from rows and columns. Equation numbers are
the report's (TR).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from tests import divergences
from ximstudio.model import Grid, Lattice, Result
from ximstudio.model.arrays import Floats, Ints
from ximstudio.place.placed import PlacedItems

Pair = tuple[float, float]

FLAT = (Lattice.RECTANGULAR, Lattice.HEXAGONAL)
"""The lattices that `node_places` lays out."""


# The map ------------------------------------------------------------------------------------------


def node_places(grid: Grid) -> Floats:
    """Places of the nodes, one by one."""
    hexagonal = grid.lattice is Lattice.HEXAGONAL
    height = np.sqrt(3.0) / 2.0 if hexagonal else 1.0
    places = []
    for row in range(grid.rows):
        for column in range(grid.columns):
            shift = 0.5 if hexagonal and row % 2 == 1 else 0.0
            places.append((column + shift, row * height))
    return np.array(places)


def periods(grid: Grid) -> Floats:
    """Lengths after which a torus repeats."""
    height = np.sqrt(3.0) / 2.0 if grid.lattice is Lattice.HEXAGONAL else 1.0
    return np.array([float(grid.columns), grid.rows * height])


def map_distances(grid: Grid) -> Floats:
    """d_O between all nodes, (M, M): on a torus the least over all nine images of a node.

    That of structures without rows and columns is held to its formula in test_structures.
    """
    if grid.lattice not in FLAT:
        return grid.squared_distances(np.arange(grid.n_nodes), np.arange(grid.n_nodes))
    places = node_places(grid)
    images = [np.zeros(2)]
    if grid.toroidal:
        images = [np.array([a, b]) * periods(grid) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    every = [((places[:, None] - (places + image)[None]) ** 2).sum(axis=2) for image in images]
    return np.asarray(np.min(every, axis=0))


def map_kernel(name: str, d: Floats, sigma: float, scale: float = 1.0) -> Floats:
    """h_σ(d/s²) by TR 14, TR 15 or TR 16."""
    d = d / scale**2
    if name == "gaussian":
        return np.asarray(np.exp(-d / (2.0 * sigma**2)))
    if name == "t":
        return np.asarray((1.0 + d / sigma) ** (-(sigma + 1.0) / 2.0))
    assert name == "cauchy"
    return np.asarray(1.0 / (1.0 + d / sigma**2))


# The data -----------------------------------------------------------------------------------------


def data_distances(x: Floats, prototypes: Floats) -> Floats:
    """d_E of one item to all prototypes; blanks count as if they were like the known features."""
    known = ~np.isnan(x)
    apart = x[known] - prototypes[:, known]
    return np.asarray((apart**2).sum(axis=1) * (len(x) / known.sum()))


def data_kernel(d: Floats, gamma: float) -> Floats:
    """g_γ(d) = exp(−d/2γ²)."""
    return np.asarray(np.exp(-d / (2.0 * gamma**2)))


def divergence(h: Floats, d: Floats, gamma: float) -> float:
    """Σ_j h ln(h/g) − h + g (TR 9), with ln g = −d/2γ² so that no g underflows, and 0 ln 0 = 0."""
    return float((xlogy(h, h) + h * d / (2.0 * gamma**2) - h + data_kernel(d, gamma)).sum())


def divergence_of(x: Floats, prototypes: Floats, h: Floats, gamma: float) -> float:
    """TR 9 of one item, as a function of the prototypes."""
    return divergence(h, data_distances(x, prototypes), gamma)


def best_match(
    rule: str, h: Floats, d: Floats, gamma: float, div: str = "kl", order: float = 1.0
) -> int:
    """The winner by TR 2, TR 6 or TR 10, from all M × M values of h."""
    if rule == "distance":
        return int(np.argmin(d))
    if rule == "heskes":
        return int(np.argmin([(h[k] * d).sum() for k in range(len(d))]))
    assert rule == "divergence"
    if div != "kl":
        g = data_kernel(d, gamma)
        return int(np.argmin([divergences.VALUES[div](row, g, order) for row in h]))
    return int(np.argmin([divergence(h[k], d, gamma) for k in range(len(d))]))


# Training -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What an online training does; γ in data units."""

    kernel: str
    match: str = "distance"
    learning: str = "weighted"
    annealing: str = "exponential"
    step: Pair = (0.45, 0.02)
    width: Pair = (3.0, 0.4)
    reach: Pair = (2.0, 0.5)
    repulsion: float = 0.25
    scale: float = 1.0
    divergence: str = "kl"
    order: float = 1.0


def annealed(name: str, values: Pair, fraction: float) -> float:
    """κ(t) by TR 25, by a straight line, or constant."""
    start, end = values
    if name == "exponential":
        return float(start * (end / start) ** fraction)
    if name == "linear":
        return start + (end - start) * fraction
    assert name == "constant"
    return start


def force(rule: Rule, h: Floats, g: Floats) -> Floats:
    """a − b (TR 17) or (1 − η) a − η b (TR 24); a and b are h and g for Kullback–Leibler."""
    a, b = divergences.PARTS[rule.divergence](h, g, rule.order)
    if rule.learning == "gradient":
        return a - b
    if rule.divergence in divergences.SHARES:
        a, b = h.sum() * a, h.sum() * b
    return (1.0 - rule.repulsion) * a - rule.repulsion * b


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """What one presentation of an item did."""

    prototypes: Floats
    winner: int
    error: float
    cost: float


def online_step(rule: Rule, x: Floats, prototypes: Floats, d_map: Floats, fraction: float) -> Step:
    """Present one item: TR 24, or TR 17 with its factor 1/γ²; blanks move nothing."""
    epsilon = annealed(rule.annealing, rule.step, fraction)
    sigma = annealed(rule.annealing, rule.width, fraction)
    gamma = annealed(rule.annealing, rule.reach, fraction)
    d = data_distances(x, prototypes)
    if rule.match == "distance":
        winner = best_match("distance", np.empty((0, 0)), d, gamma)
    else:
        every_h = map_kernel(rule.kernel, d_map, sigma, rule.scale)
        winner = best_match(rule.match, every_h, d, gamma, rule.divergence, rule.order)
    h = map_kernel(rule.kernel, d_map[winner], sigma, rule.scale)
    g = data_kernel(d, gamma)
    factor = epsilon / gamma**2 if rule.learning == "gradient" else epsilon
    gains = factor * force(rule, h, g)
    cost = divergence(h, d, gamma)
    if rule.divergence != "kl":
        gains = np.clip(gains, -1.0, 1.0)
        cost = divergences.VALUES[rule.divergence](h, g, rule.order)
    elif rule.learning == "weighted" and rule.repulsion == 0.0:
        cost = 0.5 * float((h * d).sum())
    moves = gains[:, None] * np.where(np.isnan(x), 0.0, x - prototypes)
    return Step(
        prototypes=prototypes + moves,
        winner=winner,
        error=float(np.sqrt(d[winner])),
        cost=cost,
    )


def online_training(
    rule: Rule, items: Floats, prototypes: Floats, grid: Grid, order: Iterable[int], n_steps: int
) -> list[Step]:
    """All steps of a training that presents the items in `order`."""
    d_map = map_distances(grid)
    steps: list[Step] = []
    for t, item in enumerate(order):
        steps.append(online_step(rule, items[item], prototypes, d_map, t / n_steps))
        prototypes = steps[-1].prototypes
    return steps


def trained(
    rule: Rule, items: Floats, prototypes: Floats, grid: Grid, order: Iterable[int], n_steps: int
) -> Floats:
    """The prototypes at the end of a long training; only they are kept."""
    d_map = map_distances(grid)
    for t, item in enumerate(order):
        prototypes = online_step(rule, items[item], prototypes, d_map, t / n_steps).prototypes
    return prototypes


@dataclass(frozen=True, kw_only=True)
class BatchRule:
    """What an epoch of a batch training does; γ in data units."""

    kernel: str
    match: str = "distance"
    fixed_point: str = "damped"
    repulsion: float = 0.25
    relaxation: float = 1.0
    repelled_by: str = "items"
    scale: float = 1.0
    divergence: str = "kl"
    order: float = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Epoch:
    """What one epoch of a batch training did.

    `strain` is by how much every coordinate of a prototype magnifies errors of the sums behind it.
    `steady` says that no winner would be another one if distances were a little off.
    """

    prototypes: Floats
    winners: Ints
    error: float
    cost: float
    stalled: int
    strain: Floats
    steady: bool


def node_means(items: Floats, winners: Ints) -> Floats:
    """For every item the mean of all items with its winner, feature by feature; NaN if unknown."""
    means = np.full_like(items, np.nan)
    for winner in set(winners.tolist()):
        members = winners == winner
        for feature in range(items.shape[1]):
            known = items[members, feature]
            known = known[~np.isnan(known)]
            if len(known):
                means[members, feature] = known.mean()
    return means


def batch_epoch(
    rule: BatchRule,
    items: Floats,
    prototypes: Floats,
    d_map: Floats,
    sigma: float,
    gamma: float | Floats,
) -> Epoch:
    """TR 26, node by node: the damped rule, or the fixed point TR 27 where its sum is positive.

    Every feature of a prototype is moved by the items that know it. γ is one for all items, or
    every item's own.
    """
    gammas = np.broadcast_to(gamma, len(items))
    eta = rule.repulsion
    h = map_kernel(rule.kernel, d_map, sigma, rule.scale)
    d = np.array([data_distances(x, prototypes) for x in items])
    div, order = rule.divergence, rule.order

    def matched(distances: Floats) -> Ints:
        rows = zip(distances, gammas, strict=True)
        return np.array([best_match(rule.match, h, row, g, div, order) for row, g in rows])

    winners = matched(d)
    off = 1.0 + 1e-5 * np.random.default_rng(0).normal(size=(3, *d.shape))
    nearly = [matched(d * each) for each in off]
    places = items if rule.repelled_by == "items" else node_means(items, winners)
    near = zip(places, gammas, strict=True)
    g = np.array([data_kernel(data_distances(x, prototypes), reach) for x, reach in near])
    pull, push = h[winners], g
    if div != "kl":
        both = [divergences.PARTS[div](h[k], row, order) for k, row in zip(winners, g, strict=True)]
        totals = h[winners].sum(axis=1, keepdims=True) if div in divergences.SHARES else 1.0
        pull, push = (totals * np.array(part) for part in zip(*both, strict=True))
    known = ~np.isnan(items)
    moved, stalled, strain = prototypes.copy(), 0, np.ones_like(prototypes)
    for j in range(len(prototypes)):
        a, b = (1.0 - eta) * pull[:, j][:, None] * known, eta * push[:, j][:, None] * known
        apart = np.where(known, items - prototypes[j], 0.0)
        force = ((a - b) * apart).sum(axis=0)
        total, weight = (a + b).sum(axis=0), (a - b).sum(axis=0)
        if rule.fixed_point == "literal":
            positive = weight > 0.0
            stalled += int(not positive.all())
            step = np.where(positive, force / weight, 0.0)
            strain[j] = np.where(positive, total / weight * (1.0 + np.abs(step)), 1.0)
        else:
            step = np.divide(force, total, out=np.zeros_like(force), where=total > 1e-30)
        moved[j] += rule.relaxation * step
    costs = []
    for row, close, winner, reach in zip(d, g, winners, gammas, strict=True):
        if div != "kl":
            costs.append(divergences.VALUES[div](h[winner], close, order))
        elif eta == 0.0:
            costs.append(0.5 * float((h[winner] * row).sum()))
        else:
            attraction = xlogy(h[winner], h[winner]) - h[winner] + h[winner] * row / (2 * reach**2)
            costs.append(float((attraction + close).sum()))
    return Epoch(
        prototypes=moved,
        winners=winners,
        error=float(np.sqrt(d[np.arange(len(items)), winners]).mean()),
        cost=float(np.mean(costs)),
        stalled=stalled,
        strain=strain,
        steady=bool((np.array(nearly) == winners).all()),
    )


# Placing ------------------------------------------------------------------------------------------


def shortest_way(grid: Grid, origin: Floats, targets: Floats) -> Floats:
    """Steps from one place to others; on a torus the shortest, and none to what lies opposite.

    There are two equally short ways to an opposite place, and their mean is 0.
    """
    steps = targets - origin
    if grid.toroidal:
        full = periods(grid)
        steps = (steps + full / 2.0) % full - full / 2.0
        steps = np.where(np.isclose(np.abs(steps), full / 2.0), 0.0, steps)
    return np.asarray(steps)


def torus_origin(grid: Grid) -> Floats:
    """Where a torus begins: as far before its first nodes as it ends after its last ones."""
    places = node_places(grid)
    return np.asarray((places.min(axis=0) + places.max(axis=0) - periods(grid)) / 2.0)


def wrapped(grid: Grid, position: Floats) -> Floats:
    """A position brought back to the piece of the torus that holds all nodes."""
    if not grid.toroidal:
        return position
    origin = torus_origin(grid)
    return np.asarray((position - origin) % periods(grid) + origin)


def shepard(grid: Grid, prototypes: Floats, x: Floats, power: float, neighbours: int) -> Floats:
    """Mean of the nodes of the nearest prototypes, weighted by distance to the power −p."""
    places = node_places(grid)
    distances = np.sqrt(data_distances(x, prototypes))
    nearest = np.argsort(distances, kind="stable")[:neighbours]
    winner = nearest[0]
    if distances[winner] == 0.0:
        weights = (distances[nearest] == 0.0).astype(np.float64)
    else:
        weights = (distances[winner] / distances[nearest]) ** power
    steps = shortest_way(grid, places[winner], places[nearest])
    return wrapped(grid, places[winner] + (weights[:, None] * steps).sum(axis=0) / weights.sum())


def neighbour_pairs(grid: Grid) -> Ints:
    """Pairs of different nodes that lie one grid unit apart."""
    near = np.isclose(map_distances(grid), 1.0)
    return np.argwhere(np.triu(near, 1))


def spacing(grid: Grid, prototypes: Floats) -> Floats:
    """Mean distance of every prototype to those of its neighbours on the map; 0 without any."""
    near: list[list[float]] = [[] for _ in range(grid.n_nodes)]
    for j, k in neighbour_pairs(grid).tolist():
        apart = float(np.linalg.norm(prototypes[j] - prototypes[k]))
        near[j].append(apart)
        near[k].append(apart)
    return np.array([np.mean(found) if found else 0.0 for found in near])


def softmax(grid: Grid, prototypes: Floats, values: Floats, softness: float) -> Floats:
    """Means of all nodes, weighted by exp(−|x − w_j|²/2s²); on a torus circular means.

    s is `softness` times the spacing of the prototypes around the item's winner.
    """
    places, apart = node_places(grid), spacing(grid, prototypes)
    positions = []
    for x in values:
        d = data_distances(x, prototypes)
        width = softness * apart[np.argmin(d)]
        weights = np.exp(-(d - d.min()) / (2.0 * width**2))
        weights /= weights.sum()
        if grid.toroidal:
            angles = 2.0 * np.pi * places / periods(grid)
            mean = np.arctan2(weights @ np.sin(angles), weights @ np.cos(angles))
            positions.append(wrapped(grid, mean / (2.0 * np.pi) * periods(grid)))
        else:
            positions.append(weights @ places)
    return np.array(positions)


def winners_of(placed: PlacedItems | Result) -> list[int]:
    """The winners, which are there."""
    assert placed.winners is not None
    return [int(winner) for winner in placed.winners]


# Quality ------------------------------------------------------------------------------------------


def pair_distances(values: Floats) -> Floats:
    """Distances between all items, (N, N), on common features scaled to all; NaN without any."""
    n_items, n_features = values.shape
    distances = np.full((n_items, n_items), np.nan)
    for i in range(n_items):
        both = ~np.isnan(values[i]) & ~np.isnan(values)
        squares = (np.where(both, values[i] - values, 0.0) ** 2).sum(axis=1)
        common = both.sum(axis=1)
        some = common > 0
        distances[i, some] = np.sqrt(squares[some] * n_features / common[some])
    return distances


def neighbours_in_order(distances: Floats) -> Ints:
    """For every item all others, nearest first; equally near ones by number."""
    distances = distances.copy()
    np.fill_diagonal(distances, np.inf)
    return np.argsort(distances, axis=1, kind="stable")[:, :-1]


def trustworthiness(truth: Floats, drawn: Floats, ks: Sequence[int]) -> Floats:
    """Venna's trustworthiness for every k; with the arguments exchanged it is continuity."""
    n_items = len(truth)
    true_order, drawn_order = neighbours_in_order(truth), neighbours_in_order(drawn)
    ranks = np.zeros((n_items, n_items), dtype=np.int64)
    for i in range(n_items):
        ranks[i, true_order[i]] = np.arange(1, n_items)
    values = []
    for k in ks:
        drawn_ranks = np.take_along_axis(ranks, drawn_order[:, :k], axis=1)
        excess = int(np.maximum(drawn_ranks - k, 0).sum())
        values.append(1.0 - 2.0 * excess / (n_items * k * (2 * n_items - 3 * k - 1)))
    return np.array(values)


def quality(values: Floats, positions: Floats, ks: Sequence[int] = range(1, 51)) -> Pair:
    """Trustworthiness and continuity, each as the mean over k."""
    truth, drawn = pair_distances(values), pair_distances(positions)
    return (
        float(trustworthiness(truth, drawn, ks).mean()),
        float(trustworthiness(drawn, truth, ks).mean()),
    )
