"""The label shown first, and labels that are numbers rather than classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ximstudio.maps.label_kinds import (
    default_class_label,
    is_scale,
    label_kinds,
    numbers_of,
)
from ximstudio.model import Matrix

N = 60
NAMES = tuple(f"gene {number}" for number in range(N))
CLUSTERS = tuple(str(number % 5) for number in range(N))
KINDS = tuple("" if number % 4 == 0 else "ab"[number % 2] for number in range(N))
DOSES = tuple(f"{number / 7:.3f}" for number in range(N))


def table(**labels: tuple[str, ...]) -> Matrix:
    return replace(Matrix.from_array(np.zeros((N, 2))), item_labels=labels)


@pytest.mark.parametrize(
    ("labels", "context"),
    [
        ({"name": NAMES, "cluster": CLUSTERS}, "cluster"),
        ({"kind": KINDS, "cluster": CLUSTERS}, "cluster"),
        ({"cluster": CLUSTERS, "kind": CLUSTERS}, "cluster"),
        ({"kind": KINDS}, "kind"),
        ({"name": NAMES}, None),
        ({"dose": DOSES}, None),
        ({"same": ("a",) * N}, None),
        ({"blank": ("",) * N}, None),
        ({"few": ("a", "b") + ("",) * (N - 2)}, None),
        ({"pairs": tuple(str(number // 3) for number in range(N))}, "pairs"),
        ({"twenty-one": tuple(str(min(number // 2, 20)) for number in range(N))}, None),
        ({}, None),
    ],
)
def test_that_the_label_shown_first_has_classes(
    labels: dict[str, tuple[str, ...]], context: str | None
) -> None:
    assert default_class_label(table(**labels)) == context


def test_that_a_label_with_many_numbers_is_a_scale() -> None:
    kinds = label_kinds(table(name=NAMES, dose=DOSES, cluster=CLUSTERS))
    assert kinds.classes == ("name", "cluster")
    assert kinds.scales == ("dose",)


@pytest.mark.parametrize("odd", ["heat", "1_2", "inf", "1,5"])
def test_that_one_text_that_is_no_number_makes_a_label_one_of_classes(odd: str) -> None:
    assert is_scale(DOSES)
    assert not is_scale((*DOSES[1:], odd))


def test_that_blanks_of_a_scale_are_unknown() -> None:
    texts = ("", *DOSES[1:], "nan")
    assert is_scale(texts)
    numbers = numbers_of(texts)
    assert np.isnan(numbers).tolist() == [True, *[False] * (N - 1), True]
    assert numbers[1] == float(DOSES[1])


def test_that_labels_are_looked_at_once() -> None:
    matrix = table(cluster=CLUSTERS)
    assert label_kinds(matrix) is label_kinds(matrix)


def test_that_a_label_goes_on_telling_classes_where_one_is_left() -> None:
    whole = replace(
        Matrix.from_array(np.arange(12.0).reshape(12, 1)),
        item_labels={"kind": ("a",) * 6 + ("b",) * 6, "name": tuple("abcdefghijkl")},
    )
    part = whole.items(range(4))
    assert (label_kinds(whole).class_label, label_kinds(part).class_label) == ("kind", "")
    assert default_class_label(part, "kind") == "kind"
    assert default_class_label(part) is None
    assert default_class_label(part, "gone") is None
    assert default_class_label(whole, "name") == "kind"
