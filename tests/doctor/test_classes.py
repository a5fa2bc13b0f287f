"""Classes among measurements, and measurements in units of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.doctor.tables import chemistry, counts, found, keys, logs, table
from ximstudio.doctor import examine
from ximstudio.load.names import looks_like_genes
from ximstudio.model.table import FEATURES, Table

NAMES = (
    *("target", "class", "label", "cluster", "y", "diagnosis", "group", "subtype", "batch"),
    *("replicate", "sex", "stage", "grade", "outcome", "status", "Tumor_Grade", "cell type"),
)


def with_class(start: Table, name: str, values: Any) -> Table:
    return table(
        np.column_stack([start.dense, values]),
        items=start.items.names,
        features=(*start.features.names, name),
    )


def labels(start: Table) -> list[str]:
    """The features that are proposed as labels."""
    return [
        start.features.names[address.feature]
        for finding in examine(start)
        if (finding.key, finding.side) == ("numeric_labels", FEATURES)
        for address in finding.addresses
        if address.feature is not None
    ]


@pytest.mark.parametrize("name", NAMES)
def test_that_classes_are_known_by_name_among_fractions_and_counts(name: str) -> None:
    kinds = np.arange(60) % 3 + 1.0
    assert labels(with_class(chemistry(), name, kinds)) == [name]
    samples = table(
        counts().T.repeat(5, axis=0),
        items=[f"s {n}" for n in range(60)],
        features=[f"taxon {n}" for n in range(60)],
    )
    assert labels(with_class(samples, name, kinds)) == [name]


@pytest.mark.parametrize("kinds", [[0, 1], [1, 2, 3], [-1, 1], [0, 1, 2, 3, 4]])
def test_that_what_looks_like_codes_is_doubted_whatever_its_name(kinds: list[int]) -> None:
    column = np.resize(np.array(kinds, np.float64), 60)
    start = with_class(chemistry(), "whatever", column)
    assert labels(start) == ["whatever"]
    assert not found(start, "numeric_labels", FEATURES).sure


def test_that_codes_at_the_end_of_whole_numbers_are_doubted() -> None:
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.integers(0, 200, (80, 6)), np.arange(80) % 2])
    start = table(
        values.astype(np.float64), items=[f"p{n}" for n in range(80)], features=[*"uvwxyzk"]
    )
    assert labels(start) == ["k"]


@pytest.mark.parametrize("seed", range(6))
def test_that_real_whole_numbers_are_no_classes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    items = [f"p{n}" for n in range(120)]
    for values in (
        rng.integers(0, 3, (120, 40)),
        rng.integers(0, 2, (120, 40)),
        rng.integers(1, 6, (120, 12)),
        rng.poisson(0.4, (120, 60)),
        rng.poisson(rng.gamma(0.4, 30.0, (1, 60)), (120, 60)),
    ):
        n = values.shape[1]
        start = table(values.astype(np.float64), items=items, features=[f"x-{k}" for k in range(n)])
        assert labels(start) == []


def test_that_numbered_samples_are_no_classes() -> None:
    values = counts()[:, :6] // 40
    for stem in ("condition", "replicate", "group", "batch", "class"):
        start = table(values, features=[f"{stem} {n}" for n in range(6)])
        assert labels(start) == []


def test_that_measurements_in_different_units_are_scaled_and_not_logged() -> None:
    start = with_class(chemistry(), "class", np.arange(60) % 3 + 1.0)
    assert keys(start) == [("numeric_labels", FEATURES), ("scales", FEATURES)]
    finding = found(start, "scales", FEATURES)
    after = finding.repairs[0].recipe.prepare(start).table
    np.testing.assert_allclose(after.dense.std(axis=0, ddof=1), 1.0)
    # The class is set aside, not scaled.
    assert after.items.labels["class"][:4] == ("1", "2", "3", "1")
    assert keys(after) == []


def test_that_patients_of_whole_numbers_are_scaled_by_the_names_of_what_was_measured() -> None:
    rng = np.random.default_rng(1)
    columns = {
        "age": rng.integers(21, 80, 90),
        "glucose": rng.integers(70, 200, 90),
        "insulin": rng.integers(0, 800, 90),
        "pregnancies": rng.integers(0, 14, 90),
    }
    values = np.column_stack(list(columns.values())).astype(np.float64)
    start = table(values, items=[f"P{n}" for n in range(90)], features=tuple(columns))
    assert ("scales", FEATURES) in keys(start)
    assert ("unlogged", "") not in keys(start)


def test_that_names_of_what_is_measured_of_patients_are_no_genes() -> None:
    names = ("Pregnancies", "Glucose", "Insulin", "BMI", "Age", "Pressure")
    assert looks_like_genes(names)[0] == 0
    assert looks_like_genes(("Actb", "Gapdh", "Brca1", "Age"))[0] == 0.75


def test_that_expression_is_logged_and_not_scaled() -> None:
    for start in (table(2 ** logs()), table(counts()), table(2 ** logs()).transposed):
        assert "scales" not in [key for key, _ in keys(start)]
        assert "unlogged" in [key for key, _ in keys(start)]
    assert "scales" not in [key for key, _ in keys(table())]
