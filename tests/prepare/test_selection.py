"""Items and features kept or removed, and all of them accounted for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.prepare.tables import done, holed, sparse, table_of
from ximstudio.model import UserError
from ximstudio.model.matrix import SHOWN
from ximstudio.model.problem import Severity
from ximstudio.model.table import Table
from ximstudio.prepare.recipe import Recipe, planned

N = np.nan
LABELLED = table_of([[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 1, 1]])
LABELLED = LABELLED.with_axis(
    "items", LABELLED.items.with_labels({"kind": ("ALL", "AML", "ALL", "")})
)


def names(table: Table, axis: str, key: str, **parameters: Any) -> tuple[str, ...]:
    return done(table, key, axis=axis, **parameters).axis(axis).names


def test_that_lists_keep_the_order_of_the_table() -> None:
    assert names(LABELLED, "items", "keep", names=("c", "a")) == ("a", "c")
    assert names(LABELLED, "features", "keep", names=("C", "A")) == ("A", "C")
    assert names(LABELLED, "items", "drop", names=("c", "a")) == ("b", "d")


def test_that_labels_choose_too() -> None:
    assert names(LABELLED, "items", "keep", label="kind", values=("ALL",)) == ("a", "c")
    assert names(LABELLED, "items", "drop", label="kind", values=("ALL", "")) == ("b",)


def test_that_names_that_are_not_there_come_with_proposals() -> None:
    table = table_of([[1, 2], [3, 4]], features=["BRCA1", "TP53"])
    result = Recipe.of(planned("keep", names=("BRAC1", "TP53"))).prepare(table)
    assert [note.key for note in result.notes] == ["prepare.not_found", "prepare.removed"]
    assert "'BRCA1'" in result.notes[0].way_out
    assert result.stages[0].removed_features == ("BRCA1",)


@pytest.mark.parametrize(
    ("parameters", "key"),
    [
        ({}, "prepare.nothing_chosen"),
        ({"names": ("zz",)}, "prepare.not_found"),
        ({"label": "knd", "values": ("ALL",)}, "prepare.no_such_label"),
        ({"label": "kind", "values": ("CML",)}, "prepare.not_found"),
    ],
)
def test_that_a_choice_of_nothing_is_refused(parameters: dict[str, Any], key: str) -> None:
    with pytest.raises(UserError) as caught:
        done(LABELLED, "keep", axis="items", **parameters)
    assert caught.value.keys == (key,)


def test_that_names_and_a_label_together_are_refused() -> None:
    for parameters in (
        {"names": ("a",), "label": "kind"},
        {"names": ("a",), "label": "kind", "values": ("ALL",)},
        {"values": ("ALL",)},
        {"label": "kind"},
    ):
        with pytest.raises(UserError) as caught:
            planned("drop", **parameters)
        assert caught.value.keys == ("params.conflict",)


def test_that_dropping_everything_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        done(LABELLED, "drop", axis="features", names=("A", "B", "C"))
    assert caught.value.keys == ("prepare.nothing_left",)


@pytest.mark.parametrize(
    ("share", "kept"), [(0.0, "a"), (0.24, "a"), (0.25, "ab"), (0.5, "abc"), (1.0, "abcd")]
)
def test_that_the_share_of_blanks_decides_and_its_bound_passes(share: float, kept: str) -> None:
    table = table_of([[1, 2, 3, 4], [1, N, 3, 4], [N, N, 3, 4], [N, N, N, N]])
    assert "".join(names(table, "items", "filter_missing", share=share)) == kept
    assert "".join(names(table.transposed, "features", "filter_missing", share=share)) == kept


def test_that_three_tenths_of_ten_let_three_blanks_pass() -> None:
    values = np.ones((2, 10))
    values[0, :3] = N
    assert names(table_of(values), "items", "filter_missing", share=0.3) == ("a", "b")


def test_that_constant_and_empty_ones_say_nothing() -> None:
    table = table_of([[1, 1, N], [N, N, N], [0, 0, 0], [1, 2, N], [N, 7, N]])
    for thin in (table, sparse(table)):
        assert names(thin, "items", "drop_constant") == ("d",)
        assert names(thin, "items", "drop_constant", what="empty") == ("a", "c", "d", "e")


@pytest.mark.parametrize(
    ("parameters", "kept"),
    [
        ({"value": 5, "count": 1}, "abc"),
        ({"value": 5, "count": 2}, "ab"),
        ({"value": 5, "count": 1, "share": 0.5}, "ab"),
        ({"value": 5, "count": 1, "share": 0.6}, "a"),
        ({"value": 0, "count": 4}, "ad"),
        ({"value": -1, "count": 0}, "abcd"),
    ],
)
def test_that_low_expression_is_counted(parameters: dict[str, Any], kept: str) -> None:
    table = table_of([[5, 6, 7, 0], [5, 6, N, 0], [9, 1, N, 0], [1, 2, 3, 0]])
    for thin in (table, sparse(table)):
        assert "".join(names(thin, "items", "minimum", **parameters)) == kept


def test_that_the_most_variable_are_those_of_numpy_and_scipy() -> None:
    table = holed()
    scores = {
        "variance": np.nanvar(table.dense, axis=0, ddof=1),
        "mad": stats.median_abs_deviation(table.dense, axis=0, nan_policy="omit"),
    }
    for by, expected in scores.items():
        best = np.sort(np.argsort(-expected, kind="stable")[:3])
        found = names(table, "features", "top", n=3, by=by)
        assert found == tuple(table.features.names[number] for number in best)


def test_that_more_than_there_are_are_all() -> None:
    result = Recipe.of(planned("top", n=100)).prepare(holed())
    assert result.table.n_features == holed().n_features
    (told,) = result.notes
    assert told.key == "prepare.does_nothing"
    assert told.severity is Severity.WARNING


def test_that_ties_go_to_the_first_and_again_when_frozen() -> None:
    table = table_of([[0, 1], [0, 1], [0, 2], [0, 1]])
    result = Recipe.of(planned("top", axis="items", n=2)).prepare(table)
    for found in (result, result.frozen.apply(table)):
        assert found.table.items.names == ("a", "c")
        assert [note.key for note in found.notes] == ["prepare.ties", "prepare.removed"]
        assert "'a'; 'b'; 'd'" in found.notes[0].where
    new = table_of([[0, 1], [0, 1], [0, 0.9]], items=["x", "b", "z"])
    assert result.frozen.apply(new).table.items.names == ("x",)


def test_that_there_is_no_word_of_ties_where_none_is_cut() -> None:
    table = table_of([[0, 1], [0, 1], [0, 2], [0, 0]])
    for n in (1, 3, 4):
        for axis, turned in (("items", table), ("features", table.transposed)):
            result = Recipe.of(planned("top", axis=axis, n=n)).prepare(turned)
            assert "prepare.ties" not in [note.key for note in result.notes]


def test_that_the_variance_decides_where_the_median_deviation_is_the_same() -> None:
    # Most values of most columns are 0: a median absolute deviation of 0, however they vary.
    columns = [[0, 0, 0, 0, 0], [0, 0, 0, 0, 9], [1, 2, 3, 4, 5], [0, 0, 0, 0, 50], [0, 0, 0, 9, 0]]
    table = table_of(columns).transposed
    names_of = {n: names(table, "features", "top", n=n, by="mad") for n in range(1, 6)}
    assert names_of == {
        1: ("c",),
        2: ("c", "d"),
        3: tuple("bcd"),
        4: tuple("bcde"),
        5: tuple("abcde"),
    }
    told = {
        n: [
            note.key
            for note in Recipe.of(planned("top", axis="features", n=n, by="mad"))
            .prepare(table)
            .notes
        ]
        for n in range(1, 5)
    }
    assert [n for n, keys in told.items() if "prepare.ties" in keys] == [3]
    turned = table.transposed
    frozen = Recipe.of(planned("top", axis="items", n=3, by="mad")).prepare(turned).frozen
    assert frozen.apply(turned).table.items.names == ("b", "c", "d")
    new = table_of([[0, 0, 0, 0, 8], [0, 0, 0, 0, 10], [0, 1, 2, 3, 4]], items=list("xyz"))
    assert frozen.apply(new).table.items.names == ("y", "z")


@pytest.mark.parametrize("axis", ["items", "features"])
def test_that_sparse_and_dense_tables_keep_the_same_of_equally_variable_ones(axis: str) -> None:
    # The same values in other places: sums in another order differ in their last digits.
    rng = np.random.default_rng(2)
    line = rng.gamma(2.0, size=25) * rng.integers(2, size=25)
    lines = table_of([rng.permutation(line) for _ in range(40)], items=[f"i{n}" for n in range(40)])
    table = lines if axis == "items" else lines.transposed
    for by in ("variance", "mad"):
        first = Recipe.of(planned("top", axis=axis, n=7, by=by)).prepare(table)
        assert first.table.axis(axis).names == tuple(f"i{number}" for number in range(7))
        thin = Recipe.of(planned("top", axis=axis, n=7, by=by)).prepare(sparse(table))
        assert thin.table.axis(axis).names == first.table.axis(axis).names
        assert (
            first.frozen.apply(sparse(table)).table.axis(axis).names == first.table.axis(axis).names
        )


def test_that_new_items_must_vary_as_much_as_the_last_that_was_kept() -> None:
    frozen = (
        Recipe.of(planned("top", axis="items", n=2))
        .prepare(table_of([[0, 1], [0, 5], [0, 9]]))
        .frozen
    )
    new = table_of([[0, 4], [0, 6]], items=["x", "y"])
    result = frozen.apply(new)
    assert result.table.items.names == ("y",)
    assert result.stages[0].removed_items == ("x",)


def new_items(names: str) -> Table:
    return table_of(np.ones((len(names), 3)), items=list(names))


@pytest.mark.parametrize(
    ("new", "kept", "told"),
    [
        ("xy", "xy", ["selection_not_applied"]),
        ("xay", "xay", ["selection_not_applied"]),
        ("xab", "xa", ["selection_not_applied", "removed"]),
        ("ad", "a", ["removed"]),
        ("a", "a", []),
    ],
)
def test_that_a_list_to_keep_removes_only_whom_it_removed_at_first(
    new: str, kept: str, told: list[str]
) -> None:
    frozen = Recipe.of(planned("keep", axis="items", names=("a", "c"))).prepare(LABELLED).frozen
    result = frozen.apply(new_items(new))
    assert result.table.items.names == tuple(kept)
    assert [note.key for note in result.notes] == [f"prepare.{key}" for key in told]


@pytest.mark.parametrize(
    ("new", "kept", "told"), [("xy", "xy", []), ("xac", "x", ["removed"]), ("bd", "bd", [])]
)
def test_that_a_list_to_drop_removes_only_whom_it_removed_at_first(
    new: str, kept: str, told: list[str]
) -> None:
    frozen = Recipe.of(planned("drop", axis="items", names=("a", "c"))).prepare(LABELLED).frozen
    result = frozen.apply(new_items(new))
    assert result.table.items.names == tuple(kept)
    assert [note.key for note in result.notes] == [f"prepare.{key}" for key in told]


def test_that_a_label_chooses_among_new_items_and_lacks_nothing_the_first_had() -> None:
    chosen = planned("keep", axis="items", label="kind", values=("ALL", "AML", "CML"))
    frozen = Recipe.of(chosen).prepare(LABELLED).frozen
    new = new_items("xyz")
    new = new.with_axis("items", new.items.with_labels({"kind": ("AML", "", "AML")}))
    result = frozen.apply(new)
    assert result.table.items.names == ("x", "z")
    assert [note.key for note in result.notes] == ["prepare.not_found", "prepare.removed"]
    assert "'CML'" in result.notes[0].where
    assert "'ALL'" not in result.notes[0].where


def test_that_features_are_not_chosen_anew_for_new_items() -> None:
    frozen = Recipe.of(planned("top", n=1)).prepare(table_of([[0, 1], [0, 9]])).frozen
    assert frozen.apply(table_of([[1, 5], [100, 5]])).table.features.names == ("B",)


def test_that_the_note_names_the_first_and_the_stage_names_all() -> None:
    table = table_of(np.zeros((20, 2)))
    table = table.with_values(np.vstack([[1, 2], np.zeros((19, 2))]))
    result = Recipe.of(planned("drop_constant", axis="items")).prepare(table)
    (stage,) = result.stages
    assert stage.removed_items == table.items.names[1:]
    (note,) = stage.notes
    assert note.where.count("'") == 2 * SHOWN
    assert note.address.startswith("step 1 (drop_constant), items 'b'")
