"""Individual reach of every item, from the distances of its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ximstudio.kernels import reach
from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats, Floats32, Ints
from ximstudio.model.condition import NoneOf
from ximstudio.model.method_params import MethodParams
from ximstudio.model.spec import Choice, Number, Pair, param
from ximstudio.train.annealing import annealed
from ximstudio.train.batch_params import REPELS

POINTS = 33
"""Points of training at which reaches are computed; interpolated in between."""
AT_ONCE = 2**22
"""Distances held together by one core."""
LEAST = 1e-3
"""Shortest reach over the size of the data, so that items among copies of themselves repel, too."""
BY = {"neighbours": reach.NEIGHBOURS, "perplexity": reach.PERPLEXITY}
EXACT = 20_000
SAMPLE = 5_000
"""Up to EXACT items, neighbours are searched among all of them, beyond in a sample."""
FEWEST = 2.0
"""Smallest automatic number of neighbours in reach."""


@dataclass(frozen=True, kw_only=True)
class LocalReachParams(MethodParams):
    """Source of the data reach."""

    reach_from: str = param(
        "global",
        Choice(
            label="Reach of an item",
            symbol="γ_i",
            help="Same reach of repulsion for all items, or one by the neighbourhood of each item:"
            " shorter where items are dense. With more than"
            f" {EXACT} items, neighbours are searched in a sample of {SAMPLE}.",
            equation="TR 12, TR 25",
            advanced=True,
            when=REPELS,
            options={
                "global": "the data reach, the same for all items",
                "neighbours": "the distance of an item to its k-th neighbour",
                "perplexity": "the reach at which an item has k neighbours in effect, as in"
                " stochastic neighbour embedding",
            },
        ),
    )
    reach_neighbours: tuple[float | None, float | None] = param(
        (None, None),
        Pair(
            label="Neighbours in reach",
            symbol="k",
            help="Number of neighbours within the reach of an item, at the start and at the end.",
            unit="items",
            equation="TR 25",
            first=Number(
                label="start",
                help="",
                low=1.0,
                high=1e9,
                automatic="a third of the items; by perplexity nine tenths",
            ),
            second=Number(
                label="end",
                help="",
                low=1.0,
                high=1e9,
                automatic="2; by perplexity half of the items",
            ),
            advanced=True,
            when=NoneOf("reach_from", "global") & REPELS,
        ),
    )

    @property
    def local_reach(self) -> bool:
        """True if every item has its own reach."""
        return self.reach_from != "global"

    def neighbours_for(self, n_items: int) -> tuple[float, float]:
        """Start and end number of neighbours, chosen if left open."""
        start, end = self.reach_neighbours
        by_perplexity = self.reach_from == "perplexity"
        first = 0.9 * n_items if by_perplexity else n_items / 3.0
        last = 0.5 * n_items if by_perplexity else FEWEST
        return (
            max(first, FEWEST) if start is None else start,
            max(last, FEWEST) if end is None else end,
        )

    def resolved(self, n_items: int) -> Self:
        chosen = super().resolved(n_items)
        return chosen.replace(reach_neighbours=self.neighbours_for(n_items))


def local_reaches(values: Floats, counts: Floats, *, by: str, seed: int) -> Floats32:
    """Reach of every item at every count of neighbours, (N, counts), in units of the data.

    Missing values are NaN; distances are those of `model.distances`. Up to EXACT items, all others
    are used; beyond, a seeded SAMPLE, with proportionally fewer neighbours.
    """
    n_items = len(values)
    others, share = np.arange(n_items), 1.0
    if n_items > EXACT:
        # Keys differ from those of the order of items and of the start.
        rng = np.random.default_rng([seed, 0, 2])
        others, share = np.sort(rng.choice(n_items, SAMPLE, replace=False)), SAMPLE / n_items
    rows = _Rows(values, others)
    reaches = np.empty((n_items, len(counts)), dtype=np.float32)

    def work(begin: int, end: int) -> None:
        reach.reaches_of(BY[by], rows.sorted(begin, end), share * counts, reaches[begin:end])

    over_blocks(n_items, max(1, AT_ONCE // len(others)), work)
    np.maximum(reaches, np.float32(LEAST), out=reaches)
    reaches *= np.float32(rows.size)
    return reaches


class _Rows:
    """Squared distances of items to others, in units of the data's size."""

    def __init__(self, values: Floats, others: Ints) -> None:
        known = ~np.isnan(values)
        moved = np.where(known, values - np.nanmedian(values, axis=0), 0.0)
        self.size = float(np.sqrt((moved**2).sum() / max(len(values), 1))) or 1.0
        self.values = moved / self.size
        self.known = None if known.all() else known.astype(np.float64)
        self.others = others

    def sorted(self, begin: int, end: int) -> Floats32:
        """Distances of items begin … end − 1 to others, ascending; infinite where unknown."""
        x, y = self.values[begin:end], self.values[self.others]
        if self.known is None:
            squares = (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1) - 2.0 * (x @ y.T)
        else:
            of_x, of_y = self.known[begin:end], self.known[self.others]
            common = of_x @ of_y.T
            squares = (x**2) @ of_y.T + of_x @ (y**2).T - 2.0 * (x @ y.T)
            squares *= x.shape[1] / np.maximum(common, 1.0)
            squares[common == 0.0] = np.inf
        squares[self.others == np.arange(begin, end)[:, None]] = np.inf
        near: Floats32 = np.maximum(squares, 0.0).astype(np.float32)
        near.sort(axis=1)
        return near


def reach_counts(annealing: str, neighbours: tuple[float, float]) -> Floats:
    """Number of neighbours in reach at each of the POINTS of training (TR 25)."""
    return annealed(annealing, neighbours, np.linspace(0.0, 1.0, POINTS))


def reaches_at(
    values: Floats,
    fraction: float,
    *,
    by: str,
    annealing: str,
    neighbours: tuple[float, float],
    seed: int,
) -> Floats:
    """Reach of every item at a fraction of training, shape (N,), as the kernel computes it."""
    before = min(int(fraction * (POINTS - 1)), POINTS - 2)
    counts = reach_counts(annealing, neighbours)[before : before + 2]
    share = fraction * (POINTS - 1) - before
    # Data in their own unit may exceed single precision; powers of 2 change no digit.
    _, exponent = np.frexp(np.nanmax(np.abs(values)))
    reaches = local_reaches(np.ldexp(values, -exponent), counts, by=by, seed=seed)
    return np.asarray(np.ldexp(reaches @ [1.0 - share, share], exponent))
