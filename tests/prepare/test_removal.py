"""Counts of removed, renamed and kept names, in words that fit the number."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.prepare.tables import table_of
from ximstudio.model import UserError
from ximstudio.model.table import Table
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.prepare.removal import counted_on

ONE_AS_SEVERAL = re.compile(
    r"\b1 (?:items|features|components|names|places)\b|^1 of [^:]* (?:are|were)\b", re.M
)


@pytest.mark.parametrize(
    ("n", "text"), [(1, "1 item has"), (0, "0 items have"), (3, "3 items have")]
)
def test_that_counted_things_and_what_they_do_agree(n: int, text: str) -> None:
    assert counted_on("items", n, "has", "have") == text
    assert counted_on("items", n) == text.rsplit(" ", 1)[0]


def plain(*, last: Any = (7.0, 9.0, 8.0)) -> Table:
    return table_of([[1.0, 2.0, 4.0], [3.0, 1.0, 5.0], [2.0, 8.0, 1.0], last], items=list("abcd"))


ONE: dict[str, tuple[Callable[[], Table], dict[str, Any]]] = {
    "rename": (plain, {"old": ("a",), "new": ("z",)}),
    "drop": (plain, {"axis": "items", "names": ("a",)}),
    "keep": (plain, {"axis": "items", "names": ("a", "b", "c", "not there")}),
    "top": (plain, {"axis": "items", "n": 3}),
    "drop_constant": (lambda: plain(last=(5.0, 5.0, 5.0)), {"axis": "items"}),
    "filter_missing": (lambda: plain(last=(5.0, np.nan, np.nan)), {"axis": "items", "share": 0.5}),
    "minimum": (lambda: plain(last=(0.0, 0.0, 0.0)), {"axis": "items", "value": 0.5, "count": 1}),
    "scale": (lambda: plain(last=(5.0, 5.0, 5.0)), {"axis": "items", "how": "z"}),
    "library_size": (lambda: plain(last=(0.0, 0.0, 0.0)), {"samples": "items"}),
    "equal_medians": (lambda: plain(last=(0.0, 0.0, 0.0)), {"samples": "items", "how": "multiply"}),
    "impute": (lambda: plain(last=(np.nan,) * 3), {"axis": "items", "how": "mean"}),
    "pca": (plain, {"n": 1}),
    "repeated": (
        lambda: table_of([[1.0, 2.0], [3.0, 1.0], [2.0, 8.0]], items=["a", "b", "a"]),
        {"axis": "items", "how": "suffix"},
    ),
}


@pytest.mark.parametrize("key", ONE)
def test_that_one_is_not_told_as_several(key: str) -> None:
    made, parameters = ONE[key]
    step = planned(key, **parameters)
    told = [step.sentence]
    try:
        told += [note.what for note in Recipe.of(step).prepare(made()).notes]
    except UserError as error:
        told += [problem.what for problem in error.problems]
    assert any(re.search(r"\b1\b", text) for text in told)
    assert not ONE_AS_SEVERAL.search("\n".join(told))
