"""Tables that steps are tried on, and one example at least of every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from ximstudio.model.table import Axis, Table
from ximstudio.prepare.recipe import Planned, Recipe, planned

N_ITEMS, N_FEATURES = 12, 7


def table_of(values: Any, *, items: Any = None, features: Any = None) -> Table:
    """A table of these values; samples a, b, …, genes A, B, … unless named."""
    array = np.array(values, dtype=np.float64)
    n_items, n_features = array.shape
    return Table(
        values=array,
        items=Axis(
            names=tuple(items or [chr(97 + number) for number in range(n_items)]), side="samples"
        ),
        features=Axis(
            names=tuple(features or [chr(65 + number) for number in range(n_features)]),
            side="genes",
        ),
        source="table.csv",
    )


def complete() -> Table:
    """Counts, many of them 0, with labels and places on both sides; two names occur twice.

    Their names notwithstanding, the items are the samples, as in most tests.
    """
    rng = np.random.default_rng(7)
    values = rng.poisson(3.0, size=(N_ITEMS, N_FEATURES)) * rng.choice(
        [0.0, 1.0, 2.5], size=(N_ITEMS, N_FEATURES)
    )
    values[:, 3] += 1.0
    values[2] += 1.0
    items = [f"gene {number}" for number in range(N_ITEMS)]
    items[5] = items[1]
    features = [f"sample {number}" for number in range(N_FEATURES)]
    features[6] = features[2]
    return Table(
        values=values,
        items=Axis(
            names=tuple(items),
            labels={"kind": tuple("xyz"[number % 3] for number in range(N_ITEMS))},
            numbers=np.arange(N_ITEMS) + 2,
            word="line",
            side="samples",
        ),
        features=Axis(
            names=tuple(features),
            labels={"batch": tuple("pq"[number % 2] for number in range(N_FEATURES))},
            numbers=np.arange(N_FEATURES) + 2,
            word="column",
            side="genes",
        ),
        source="table.csv",
    )


def holed() -> Table:
    """The same table with blanks; no item and no feature is empty."""
    values = np.array(complete().values)
    values[np.random.default_rng(3).random(values.shape) < 0.2] = np.nan
    values[:, 3] = complete().dense[:, 3]
    values[2] = complete().dense[2]
    return complete().with_values(values)


def sparse(table: Table) -> Table:
    """The same table without its zeros."""
    return table.with_values(csr_array(table.dense))


def prepared(table: Table, *steps: Planned) -> Table:
    return Recipe.of(*steps).prepare(table).table


def done(table: Table, key: str, **parameters: Any) -> Table:
    """The table after one step."""
    return prepared(table, planned(key, **parameters))


def permuted(table: Table, seed: int = 0) -> Table:
    """The same table with its features in another order; equal names keep theirs."""
    order = np.random.default_rng(seed).permutation(table.n_features)
    names = np.array(table.features.names)
    for name in set(table.features.names):
        places = np.flatnonzero(names[order] == name)
        order[places] = np.sort(order[places])
    return table.take("features", order)


def assert_same(found: Table, expected: Table) -> None:
    """Bit for bit, names, labels and places included."""
    assert found.is_sparse == expected.is_sparse
    np.testing.assert_array_equal(found.dense, expected.dense)
    assert np.array_equal(np.signbit(found.dense), np.signbit(expected.dense))
    for side in ("items", "features"):
        mine, other = found.axis(side), expected.axis(side)
        assert mine.names == other.names
        assert dict(mine.labels) == dict(other.labels)


def assert_places_kept(found: Table, expected: Table) -> None:
    for side in ("items", "features"):
        mine, other = found.axis(side), expected.axis(side)
        assert (mine.numbers is None) == (other.numbers is None)
        if mine.numbers is not None:
            np.testing.assert_array_equal(mine.numbers, other.numbers)
        assert mine.word == other.word


EXAMPLES: dict[str, tuple[Mapping[str, Any], ...]] = {
    "orientation": ({},),
    "rename": (
        {"axis": "items", "old": ("gene 3", "gene 4"), "new": ("SEPTIN2", "MARCHF1")},
        {"axis": "items", "old": ("gene 1",), "new": ("DELEC1",), "places": (6,)},
        {"axis": "features", "old": ("sample 0",), "new": ("zero",)},
    ),
    "repeated": tuple(
        {"axis": axis, "how": how}
        for axis in ("items", "features")
        for how in ("first", "mean", "max", "suffix")
    ),
    "make_label": (
        {"axis": "features", "names": ("sample 1", "sample 2")},
        {"axis": "items", "names": ("gene 7",)},
    ),
    "keep": (
        {"axis": "features", "names": ("sample 4", "sample 2", "sample 99")},
        {"axis": "items", "names": ("gene 1", "gene 2")},
        {"axis": "items", "label": "kind", "values": ("x", "z")},
        {"axis": "features", "label": "batch", "values": ("p",)},
    ),
    "drop": (
        {"axis": "features", "names": ("sample 4", "sample 2")},
        {"axis": "items", "names": ("gene 1", "gene 77")},
        {"axis": "items", "label": "kind", "values": ("x",)},
        {"axis": "features", "label": "batch", "values": ("p",)},
    ),
    "filter_missing": ({"axis": "features", "share": 0.2}, {"axis": "items", "share": 0.25}),
    "drop_constant": (
        {"axis": "features"},
        {"axis": "items"},
        {"axis": "items", "what": "empty"},
    ),
    "minimum": (
        {"axis": "features", "value": 3, "count": 6},
        {"axis": "items", "value": 2, "count": 2, "share": 0.5},
        {"axis": "items", "value": 0, "count": 7},
    ),
    "top": tuple(
        {"axis": axis, "n": 4, "by": by}
        for axis in ("items", "features")
        for by in ("variance", "mad")
    ),
    "infinite": ({},),
    "impute": (
        {"how": "keep"},
        {"how": "zero"},
        {"how": "mean"},
        {"how": "median"},
        {"how": "mean", "axis": "items"},
        {"how": "median", "axis": "items"},
        {"how": "nearest", "k": 3},
    ),
    "log2": ({}, {"offset": 0.5}),
    "arcsinh": ({}, {"cofactor": 150}),
    "square_root": ({},),
    "library_size": (
        {"samples": "items"},
        {"samples": "features"},
        {"samples": "items", "target": 1e6},
        {"samples": "features", "target": 1e4},
    ),
    "equal_medians": (
        {"samples": "items"},
        {"samples": "features"},
        {"samples": "features", "how": "multiply"},
    ),
    "quantile": ({"samples": "items"}, {"samples": "features"}),
    "remove_batch": (
        {"axis": "items", "label": "kind"},
        {"axis": "features", "label": "batch"},
    ),
    "centre": tuple(
        {"axis": axis, "how": how} for axis in ("items", "features") for how in ("mean", "median")
    ),
    "scale": tuple(
        {"axis": axis, "how": how, "centre": centre}
        for axis in ("items", "features")
        for how in ("z", "robust", "range", "length")
        for centre in (True, False)
    ),
    "pca": ({"n": 3},),
}

CASES = tuple((key, parameters) for key, examples in EXAMPLES.items() for parameters in examples)


STAY_SPARSE = {"orientation", "rename", "repeated", "make_label", "keep", "drop", "infinite"}
STAY_SPARSE |= {"filter_missing", "drop_constant", "minimum", "top", "arcsinh", "square_root"}
STAY_SPARSE |= {"library_size"}
SPARSE_BY_PARAMETER: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "log2": lambda p: p["offset"] == 1.0,
    "impute": lambda p: p["how"] != "nearest",
    "equal_medians": lambda p: p["how"] == "multiply",
    "scale": lambda p: p["how"] == "length" or not p["centre"],
}
"""Steps after which a sparse table is still one."""


def name_of(case: tuple[str, Mapping[str, Any]]) -> str:
    key, parameters = case
    return f"{key}-{'-'.join(str(value) for value in parameters.values())}"


def suited(key: str) -> Table:
    """A table that the example steps of this key accept; with blanks where blanks are allowed."""
    if key == "equal_medians":
        return holed().with_values(holed().dense + 0.5)
    return complete() if key == "pca" else holed()
