"""Area under R_NX(k) over all neighbourhood sizes, from k = 1 to all items."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.kernels.parallel import over_blocks
from ximstudio.kernels.points import all_distances
from ximstudio.measure.estimate import Estimate
from ximstudio.measure.ranks import in_order, points_of
from ximstudio.model.arrays import Floats

MOST_PAIRS = 20_000_000
"""Number of distances that may be sorted: all for 4472 items, those of a sample above."""
AT_ONCE = 16


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
