"""Facts about items: columns, their order, and what a map adds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.maps_to_show import run_of, some_matrix
from ximstudio.maps.clusters import clustering_named, find_clusters, items_of
from ximstudio.measure.neighbourhoods import item_trust
from ximstudio.pictures.item_facts import (
    CLUSTER,
    CONTINUITY,
    ERROR,
    LABEL,
    NODE,
    TRUST,
    FactColumn,
    facts_of,
)


def test_that_a_table_without_a_map_has_names_and_labels() -> None:
    facts = facts_of(some_matrix())

    assert [column.key for column in facts.columns] == ["name", f"{LABEL}kind", f"{LABEL}dose"]
    assert facts.columns[0].text(3) == "YBR003W"
    assert facts.columns[0].name == "Gene"


def test_that_measures_come_once_they_were_taken() -> None:
    before = facts_of(some_matrix(), run_of("som", state="finished"))
    after = facts_of(some_matrix(), run_of("som"))

    assert before.column(NODE) is not None
    assert before.column(TRUST) is None
    assert {TRUST, CONTINUITY, ERROR} <= {column.key for column in after.columns}
    trust, evidence = after.column(TRUST), run_of("som").evidence
    assert trust is not None
    assert trust.numbers is not None
    assert evidence is not None
    np.testing.assert_array_equal(trust.numbers, item_trust(evidence.ranks))


def test_that_a_node_is_written_as_its_row_and_column() -> None:
    run = run_of("som")
    node = facts_of(some_matrix(), run).column(NODE)
    assert node is not None
    assert run.result.winners is not None
    row, column = divmod(int(run.result.winners[7]), 8)

    assert node.text(7) == f"{row + 1}, {column + 1}"


def test_that_clusters_of_the_map_are_a_column() -> None:
    run = run_of("som")
    found = find_clusters(run.result, run.matrix, way=clustering_named("ward"))
    named = replace(run, clustering=found)

    column = facts_of(some_matrix(), named).column(CLUSTER)

    assert column is not None
    numbers = items_of(found, run.result.winners)
    expected = [found.names[number] if number >= 0 else "" for number in numbers.tolist()]
    assert [column.text(item) for item in range(60)] == expected
    assert facts_of(some_matrix(), run).column(CLUSTER) is None


def test_that_a_map_without_nodes_has_no_column_of_them() -> None:
    facts = facts_of(some_matrix(), run_of("pca"))

    assert facts.column(NODE) is None
    assert facts.column(ERROR) is None
    assert facts.column(TRUST) is not None


def test_that_numbers_of_a_label_are_sorted_as_numbers() -> None:
    matrix = some_matrix()
    dose = facts_of(matrix).column(f"{LABEL}dose")
    assert dose is not None
    texts = matrix.item_labels["dose"]

    order = dose.ordered(np.arange(60), falling=True)

    assert [float(texts[number]) for number in order] == sorted(map(float, texts), reverse=True)


@given(
    st.lists(st.sampled_from(["", "b", "B", "a", "Ä", "ß", "zz"]), min_size=1, max_size=30),
    st.booleans(),
    st.data(),
)
def test_that_texts_are_sorted_as_a_slow_twin_does(
    texts: list[str], falling: bool, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.sampled_from(range(len(texts))), unique=True))
    column = FactColumn(key="x", name="x", texts=texts)

    ordered = column.ordered(np.array(rows, dtype=np.int64), falling=falling).tolist()

    known = [row for row in rows if texts[row]]
    twin = sorted(known, key=lambda row: texts[row].casefold())
    if falling:
        twin = [
            row
            for text in sorted({texts[row].casefold() for row in known}, reverse=True)
            for row in known
            if texts[row].casefold() == text
        ]
    assert ordered == twin + [row for row in rows if not texts[row]]


@pytest.mark.parametrize("falling", [False, True])
def test_that_what_has_no_value_comes_last_either_way(falling: bool) -> None:
    column = FactColumn(key="x", name="x", numbers=np.array([np.nan, 2.0, 1.0, np.nan]))

    order = column.ordered(np.arange(4), falling=falling)

    assert order.tolist() == ([1, 2, 0, 3] if falling else [2, 1, 0, 3])


def test_that_the_order_of_texts_is_not_known_before_somebody_asked() -> None:
    column = facts_of(replace(some_matrix())).columns[0]

    assert not column.is_placed
    assert len(column.places) == 60
    assert column.is_placed
