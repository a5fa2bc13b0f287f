"""Placing 100 000 new items on a map | UMAP's transform, and one matrix product of that size.

Shepard's rule with k = 8 on 30×30 nodes with 50 features, through the public function. UMAP is
fitted to 5000 items and transforms 3000 others, then 12 000, all with its defaults; times are per
item. Above 10 000 items it takes 30 epochs instead of 100, so that row is its best case. Fewer
than 4096 fitted items would be unfair to it: it then measures distances pair by pair in Python,
many times slower. The product is what gives all distances: 100 000 × 50 by 50 × 900 in float32,
into memory that is already there.
"""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np

from benchmarks.timing import Contestant, Row, interleaved, show
from benchmarks.trainings import groups
from ximstudio.kernels.parallel import over_blocks
from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap
from ximstudio.place.items import place_values
from ximstudio.place.params import PlacingParams
from ximstudio.place.prototypes import ITEMS_AT_ONCE, SHARE, ScaledPrototypes
from ximstudio.train import method_named, train
from ximstudio.train.xim_family import XimParams

ROUNDS = 9
N_NEW = 100_000
N_FEATURES = 50
N_FITTED = 5000
N_TRANSFORMED = (3000, 12_000)


def trained_map() -> PrototypeMap:
    """A map of 30×30 nodes, trained for a while."""
    result = train(groups(2000, N_FEATURES), method_named("c-xim"), XimParams(n_steps=20_000))
    assert isinstance(result.model, PrototypeMap)
    return result.model


def ours(model: PrototypeMap, values: Floats, name: str = "place_values") -> Contestant:
    """Shepard's rule with k = 8, through the public function."""
    params = PlacingParams(mapping="shepard", neighbours=8)
    return Contestant(
        name=name, run=lambda: place_values(model, values, params), amount=len(values)
    )


def umap(values: Floats) -> list[Contestant]:
    """`UMAP.transform` of some and of many items that it was not fitted to."""
    from umap import UMAP  # takes seconds, and warns

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reducer = UMAP().fit(values[:N_FITTED])
    return [
        Contestant(
            name=f"UMAP transform of {n}",
            run=partial(reducer.transform, values[N_FITTED : N_FITTED + n]),
            amount=n,
        )
        for n in N_TRANSFORMED
    ]


def product(model: PrototypeMap, values: Floats) -> Contestant:
    """One float32 matrix product of the items' and prototypes' size, on all cores."""
    left = values.astype(np.float32)
    right = np.ascontiguousarray(model.prototypes.T, dtype=np.float32)
    out = np.empty((len(left), right.shape[1]), dtype=np.float32)
    return Contestant(
        name="matrix product",
        run=lambda: np.matmul(left, right, out=out),
        amount=len(values),
    )


def conversion(model: PrototypeMap, values: Floats) -> Contestant:
    """Only what `ScaledPrototypes.over` does to bring float64 items to centred, scaled float32."""
    measured = ScaledPrototypes.of(model)

    def convert(begin: int, end: int) -> None:
        items = np.empty((ITEMS_AT_ONCE, values.shape[1]), dtype=np.float32)
        for start in range(begin, end, ITEMS_AT_ONCE):
            stop = min(start + ITEMS_AT_ONCE, end)
            items[: stop - start] = measured._near(values[start:stop])

    def run() -> None:
        np.isnan(values).any()
        over_blocks(len(values), SHARE, convert)

    return Contestant(name="conversion alone", run=run, amount=len(values))


def main() -> None:
    """Print the table."""
    model = trained_map()
    values = groups(N_NEW, N_FEATURES).values
    blanks = groups(N_NEW, N_FEATURES, blanks=0.05).values
    placed, gappy, some, many, bare, converted = interleaved(
        ours(model, values),
        ours(model, blanks, "with 5 % blanks"),
        *umap(values),
        product(model, values),
        conversion(model, values),
        rounds=ROUNDS,
    )
    work = "placing one of 100 000 items"
    rows = [
        Row(work=work, ours=placed, theirs=some, at_least=100),
        Row(work=work, ours=placed, theirs=many, at_least=100),
        Row(work=work, ours=placed, theirs=bare, at_most=4),
        Row(work="the same with 5 % blanks", ours=gappy, theirs=placed),
        Row(work="float64 → float32, blanks sought", ours=converted, theirs=placed),
    ]
    show("Placing new items, 30×30 × 50", rows)


if __name__ == "__main__":
    main()
