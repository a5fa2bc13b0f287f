"""Classes and traits of samples, which belong to the columns of another file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.load.known_structure import DATA, damaged, in_corpus, keys_of
from ximstudio.load.source import Source
from ximstudio.load.structured.cls import FORMAT, read_cls, with_cls
from ximstudio.model import UserError
from ximstudio.model.table import FEATURES, ITEMS, Axis, Table


def refusal(text: str) -> tuple[str, ...]:
    with pytest.raises(UserError) as caught:
        read_cls(Source.pasted(text))
    return caught.value.keys


def test_that_classes_are_read_by_name() -> None:
    labels = read_cls(in_corpus("cls/names.cls"))
    assert labels == {"class": ("ALL", "ALL", "AML", "ALL", "AML")}


def test_that_numbers_stand_for_the_names_above_them() -> None:
    labels = read_cls(in_corpus("cls/numbers.cls"))
    assert labels == {"class": ("wild type", "wild type", "mutant", "rescue", "mutant")}


def test_that_words_stand_for_the_names_in_the_order_they_come() -> None:
    labels = read_cls(Source.pasted("4 2 1\n# tumour normal\nt n n t\n"))
    assert labels == {"class": ("tumour", "normal", "normal", "tumour")}


def test_that_numbers_that_programs_read_differently_are_refused() -> None:
    with pytest.raises(UserError) as caught:
        read_cls(in_corpus("cls/ambiguous.cls"))
    assert caught.value.keys == ("load.cls_ambiguous",)


def test_that_measured_traits_are_read_letter_by_letter() -> None:
    labels = read_cls(in_corpus("cls/traits.cls"))
    assert labels == {"age": ("61", "48", "55"), "Gene X": ("0.10", "-2", "3e1")}


def test_that_it_is_no_table() -> None:
    for name in ("names", "traits"):
        source = in_corpus(f"cls/{name}.cls")
        assert FORMAT.recognises(source)
        assert keys_of(FORMAT, source) == ("load.only_labels",)


def test_that_other_files_are_not_recognised() -> None:
    for text in ("", "5 2 1\n1 2 3\n", "gene\ta\n# x\n", "#1.2\n3\t2\n", "#numeric\n"):
        assert not FORMAT.recognises(Source.pasted(text))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "load.truncated"),
        ("5 2 1\n# a b\n", "load.truncated"),
        ("5 2\n# a b\na b a b a\n", "load.bad_sizes"),
        ("5 2 1\na b\na b a b a\n", "load.not_cls"),
        ("5 3 1\n# a b\na b a b a\n", "load.sizes_disagree"),
        ("5 2 1\n# a b\na b a b\n", "load.sizes_disagree"),
        ("3 2 1\n# a b\n0 1 2\n", "load.sizes_disagree"),
        ("#numeric\n", "load.truncated"),
        ("#numeric\n1 2 3\n", "load.not_cls"),
        ("#numeric\n#a\n1 2 3\n#b\n1 2\n", "load.sizes_disagree"),
        ("#numeric\n#a\n", "load.sizes_disagree"),
    ],
)
def test_that_what_is_wrong_is_refused_with_its_key(text: str, key: str) -> None:
    assert refusal(text) == (key,)


def test_that_labels_are_attached_by_order() -> None:
    table = Table(
        values=np.zeros((2, 3)),
        items=Axis(names=("g1", "g2")),
        features=Axis(names=("a", "b", "c"), labels={"class": ("1", "2", "3")}),
    )
    joined = with_cls(table, {"class": ("x", "y", "x")}, FEATURES)
    assert dict(joined.features.labels) == {
        "class": ("1", "2", "3"),
        "class (2)": ("x", "y", "x"),
    }
    with pytest.raises(UserError) as caught:
        with_cls(table, {"class": ("x", "y", "x")}, ITEMS)
    assert caught.value.keys == ("load.sizes_disagree",)


def test_that_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.cls"
    outcomes: set[bool | tuple[str, ...]] = set()
    for name in ("numbers", "traits"):
        for case in damaged((DATA / f"cls/{name}.cls").read_bytes()):
            path.write_bytes(case)
            FORMAT.recognises(Source.at(path))
            try:
                outcomes.add(bool(read_cls(Source.at(path))))
            except UserError as error:
                outcomes.add(error.keys)
    assert True in outcomes
    assert ("load.sizes_disagree",) in outcomes
