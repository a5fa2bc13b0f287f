"""Measures of neighbourhoods, for every number k of neighbours at once, all from the same ranks.

r is the rank of a neighbour on the other side: in the data for a neighbour on the map, on the map
for a neighbour in the data. A neighbour on the map with r > k in the data is an intruder at k; a
neighbour in the data with r > k on the map is lost at k.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.kernels.parallel import over_blocks
from ximstudio.kernels.points import all_distances
from ximstudio.measure.chance import worst_case
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.ranks import Ranks, in_order, points_of
from ximstudio.model.arrays import Floats, Ints

MOST_PAIRS = 20_000_000
"""Number of distances that may be sorted: all for 4472 items, those of a sample above."""
AT_ONCE = 16


def trustworthiness(ranks: Ranks) -> Floats:
    """T(k) = 1 − Σ_i Σ_j (r_ij − k) / worst, j over the intruders at k (Venna and Kaski 2001).

    For every k of the ranks, shape (k,). 1 if the map invents no neighbour, about 0.5 if it is
    random; `worst` is the sum when the k neighbours are those of the highest ranks.
    """
    return _kept(ranks.data_ranks)


def continuity(ranks: Ranks) -> Floats:
    """C(k): the same for neighbours in the data that the map lost (Venna and Kaski 2001)."""
    return _kept(ranks.map_ranks)


def item_trust(ranks: Ranks) -> Floats:
    """Return the trustworthiness of the neighbourhood of every item, shape (N,).

    The contribution of every item to trustworthiness, averaged over all k: their mean is that of
    T(k).
    """
    return _kept_by_item(ranks.data_ranks)


def item_continuity(ranks: Ranks) -> Floats:
    """Return the continuity of every item, shape (N,): its contribution to the mean of C(k)."""
    return _kept_by_item(ranks.map_ranks)


def intruders(ranks: Ranks, n: int) -> tuple[Ints, Ints]:
    """Return the n worst intruders among the k nearest on the map of every item, and their ranks.

    Both (N, n), worst first; −1 where an item has fewer.
    """
    return _worst(ranks.map_neighbours, ranks.data_ranks, n)


def lost_neighbours(ranks: Ranks, n: int) -> tuple[Ints, Ints]:
    """Return the n of the k nearest in the data that the map put farthest away, and their ranks.

    Both (N, n), worst first; −1 where an item lost fewer.
    """
    return _worst(ranks.data_neighbours, ranks.map_ranks, n)


def co_ranking(ranks: Ranks) -> Ints:
    """Q[a, b]: pairs of items with rank a + 1 in the data and b + 1 on the map, shape (k, k).

    The corner of the co-ranking matrix (Lee and Verleysen 2009) that neighbourhoods up to k use;
    all of it if k is N − 1.
    """
    k = ranks.k
    in_data = np.broadcast_to(np.arange(k), ranks.map_ranks.shape)
    inside = ranks.map_ranks <= k
    cells = in_data[inside] * k + (ranks.map_ranks[inside] - 1)
    return np.bincount(cells, minlength=k * k).reshape(k, k)


def q_nx(ranks: Ranks) -> Floats:
    """Q_NX(k): share of the k nearest in the data that are among the k nearest on the map, (k,).

    The mean over the upper left k × k part of the co-ranking matrix (Lee and Verleysen 2009).
    """
    return np.asarray(_kept_pairs(ranks.map_ranks) / (np.arange(1, ranks.k + 1) * ranks.n_items))


def lcmc(ranks: Ranks) -> Floats:
    """Q_NX(k) − k/(N − 1), the share kept beyond chance, shape (k,) (Chen and Buja 2009)."""
    return q_nx(ranks) - np.arange(1, ranks.k + 1) / (ranks.n_items - 1)


def r_nx(ranks: Ranks) -> Floats:
    """R_NX(k) = ((N − 1) Q_NX(k) − k) / (N − 1 − k), shape (k,) (Lee et al. 2015).

    The share kept beyond chance, relative to the maximum: 1 for a perfect map, 0 for a random one.
    NaN where all others are neighbours.
    """
    others, k = ranks.n_items - 1, np.arange(1, ranks.k + 1)
    beyond = others * q_nx(ranks) - k
    return np.asarray(np.divide(beyond, others - k, out=np.full(ranks.k, np.nan), where=k < others))


def label_agreement(ranks: Ranks, labels: Sequence[str]) -> Floats:
    """Neighbourhood hit (Paulovich et al. 2008): the share of neighbours with an item's own label.

    Among the k nearest on the map, mean over the items, shape (k,). Items without a label ('') are
    ignored, also as neighbours; NaN if no labelled item has a labelled neighbour.
    """
    codes = np.unique(np.asarray(labels, dtype=np.str_), return_inverse=True)[1]
    named = np.array([bool(text) for text in labels])
    neighbours = ranks.map_neighbours[named]
    count = np.cumsum(named[neighbours], axis=1)
    same = np.cumsum(named[neighbours] & (codes[neighbours] == codes[named][:, None]), axis=1)
    shares = np.divide(same, count, out=np.full(count.shape, np.nan), where=count > 0)
    known = (~np.isnan(shares)).sum(axis=0)
    total = np.nansum(shares, axis=0)
    return np.asarray(np.divide(total, known, out=np.full(ranks.k, np.nan), where=known > 0))


def _kept(of_rank: Ints) -> Floats:
    """1 − Σ (r − k) / worst for all k; exact sums of integers."""
    n_items, k = of_rank.shape
    number = np.arange(1, k + 1)
    # From k − 1 to k the k-th neighbours join, and all earlier errors shrink by one.
    joining = np.array(
        [np.maximum(of_rank[:, place - 1] - place, 0).sum() for place in number.tolist()]
    )
    wrong_before = n_items * (number - 1) - np.append(0, _kept_pairs(of_rank)[:-1])
    penalty = np.cumsum(joining - wrong_before)
    return np.asarray(1.0 - penalty / (n_items * worst_case(n_items, k)))


def _kept_pairs(of_rank: Ints) -> Ints:
    """Return for every k the number of common items among the k nearest on both sides."""
    k = of_rank.shape[1]
    # A neighbour is kept from the larger of its two ranks on.
    larger = np.minimum(np.maximum(of_rank, np.arange(1, k + 1)), k + 1)
    return np.cumsum(np.bincount(larger.ravel(), minlength=k + 2))[1 : k + 1]


def _kept_by_item(of_rank: Ints) -> Floats:
    n_items, k = of_rank.shape
    worst = worst_case(n_items, k)
    total = np.zeros(n_items)
    for number in range(1, k + 1):
        wrong = np.maximum(of_rank[:, :number] - number, 0).sum(axis=1)
        total += 1.0 - wrong / worst[number - 1]
    return np.asarray(total / k)


def _worst(neighbours: Ints, of_rank: Ints, n: int) -> tuple[Ints, Ints]:
    k = of_rank.shape[1]
    order = np.argsort(-of_rank, axis=1, kind="stable")[:, :n]
    worst = np.take_along_axis(of_rank, order, axis=1)
    wrong = worst > k
    items = np.where(wrong, np.take_along_axis(neighbours, order, axis=1), -1)
    return items, np.where(wrong, worst, -1)


def r_nx_area(
    values: Floats,
    positions: Floats,
    periods: Sequence[float],
    *,
    seed: int = 0,
    table: Floats | None = None,
) -> Estimate | None:
    """Σ_k R_NX(k)/k / Σ_k 1/k over k = 1 … N − 2 (Lee et al. 2015), from below 0 to 1.

    Small neighbourhoods weigh as much as large ones. It is a mean over items; above `MOST_PAIRS`
    pairs a random sample of the items is used, each still compared with all others. None for fewer
    than three items. Distances in the data are those of the values, or of a `table` (N, N).
    """
    n_items = len(values)
    if n_items < 3:
        return None
    n_chosen = min(n_items, max(2, MOST_PAIRS // n_items))
    chosen = np.arange(n_items)
    if n_chosen < n_items:
        chosen = np.sort(np.random.default_rng(seed).choice(n_items, n_chosen, replace=False))
    # R_NX is linear in Q_NX, which is Σ_j [larger rank of j ≤ k] / k.
    k = np.arange(1, n_items - 1)
    weight = 1.0 / k / (1.0 / k).sum()
    gain = np.cumsum((weight * (n_items - 1) / (k * (n_items - 1.0 - k)))[::-1])[::-1]
    chance = float((weight * k / (n_items - 1.0 - k)).sum())
    gain = np.append(gain, 0.0)
    data = points_of(values, (np.inf,) * values.shape[1], np.arange(n_items))
    map_ = points_of(positions, periods, np.arange(n_items))
    areas = np.empty(n_chosen)

    def measure(begin: int, end: int) -> None:
        distances = np.empty((1, n_items))
        for number in range(begin, end):
            item = int(chosen[number])
            if table is None:
                all_distances(data, item, distances)
            _, in_data = in_order(distances[0] if table is None else table[item], item)
            all_distances(map_, item, distances)
            _, on_map = in_order(distances[0], item)
            larger = np.delete(np.maximum(in_data, on_map), item)
            areas[number] = gain[larger - 1].sum() - chance

    over_blocks(n_chosen, AT_ONCE, measure)
    error = 0.0
    if n_chosen < n_items:
        error = float(areas.std(ddof=1) * np.sqrt((1.0 - n_chosen / n_items) / n_chosen))
    return Estimate(float(areas.mean()), error)
