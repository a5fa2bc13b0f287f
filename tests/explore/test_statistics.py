"""A selection in numbers."""

from __future__ import annotations

import tracemalloc
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.explore.statistics import _median, class_labels, enrichment_of, statistics_of
from ximstudio.model import Matrix, UserError
from ximstudio.model.selection import NOTHING, Selection

N = np.nan
IDS = tuple("abcdefgh")


def table(kinds: str = "xxxyyyy ") -> Matrix:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(8, 4))
    values[:3, 2] += 50.0
    values[:3, 0] -= 5.0
    values[0, 1] = N
    values[:, 3] = 7.0
    return Matrix(
        values=values,
        item_ids=IDS,
        feature_names=("lower", "same", "higher", "constant"),
        item_labels={
            "kind": tuple(kind.strip() for kind in kinds),
            "name": tuple(f"n{number}" for number in range(8)),
        },
    )


def test_that_the_features_that_set_a_selection_apart_come_first() -> None:
    found = statistics_of(table(), Selection.of("abc"))
    assert found.features.tolist() == [2, 0, 1]
    assert found.standardised[2] > 0 > found.standardised[0]
    assert np.isnan(found.standardised[3])
    assert found.differences[3] == 0.0
    assert (found.n_items, found.n_all, found.n_values, found.n_blank) == (3, 8, 12, 1)


def test_that_standardised_differences_are_cohens_d() -> None:
    matrix = table()
    found = statistics_of(matrix, Selection.of("abc"))
    for feature in range(3):
        inside, outside = matrix.values[:3, feature], matrix.values[3:, feature]
        inside = inside[~np.isnan(inside)]
        n, m = len(inside), len(outside)
        within = ((n - 1) * inside.var(ddof=1) + (m - 1) * outside.var(ddof=1)) / (n + m - 2)
        d = (inside.mean() - outside.mean()) / np.sqrt(within)
        assert found.standardised[feature] == pytest.approx(d)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("n_chosen", [3000, 4000])
def test_that_the_median_takes_one_copy_of_the_values(n_chosen: int, blanks: bool) -> None:
    values = np.random.default_rng(0).normal(size=(4000, 1000))
    if blanks:
        values[::7, ::3] = N
    matrix = Matrix.from_array(values)
    rows = np.arange(n_chosen)
    n_known = int((~np.isnan(values[:n_chosen])).sum())

    tracemalloc.start()
    found = _median(matrix, rows, n_known)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert found == np.nanmedian(values[:n_chosen])
    assert most < 1.75 * values[:n_chosen].nbytes


CELLS = st.one_of(st.just(N), st.integers(-4, 4).map(float))


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=8, max_size=8),
    st.sets(st.sampled_from(IDS)),
)
def test_that_all_values_together_are_those_of_a_slow_twin(
    cells: list[list[float]], chosen: set[str]
) -> None:
    matrix = Matrix(values=np.array(cells), item_ids=IDS, feature_names=("p", "q", "r"))
    found = statistics_of(matrix, Selection.of(chosen))
    known = [v for name, row in zip(IDS, cells, strict=True) if name in chosen for v in row]
    known = [v for v in known if v == v]
    expected: list[float] = [
        float(np.mean(known)) if known else N,
        float(np.std(known, ddof=1)) if len(known) > 1 else N,
        float(np.median(known)) if known else N,
    ]
    together = np.array([found.mean, found.sd, found.median])
    np.testing.assert_allclose(together, np.array(expected), atol=1e-12)
    assert found.n_values - found.n_blank == len(known)
    assert set(found.features.tolist()) == set(np.flatnonzero(~np.isnan(found.standardised)))


@pytest.mark.parametrize("chosen", [NOTHING, Selection.of(IDS)], ids=["nothing", "everything"])
def test_that_without_a_rest_nothing_sets_apart(chosen: Selection) -> None:
    found = statistics_of(table(), chosen)
    assert len(found.features) == 0
    assert np.isnan(found.differences).all()


def test_that_enrichment_is_the_chance_of_at_least_as_many() -> None:
    found = {one.text: one for one in enrichment_of(table(), Selection.of("abdh"))}
    # h has no kind and does not count: three of seven are drawn, two of the three x among them.
    expected = (comb(3, 2) * comb(4, 1) + comb(3, 3)) / comb(7, 3)
    one = found["x"]
    assert (one.label, one.here, one.everywhere) == ("kind", 2, 3)
    assert one.expected == pytest.approx(9 / 7)
    assert one.p == pytest.approx(expected)
    assert found["y"].p == pytest.approx(1.0 - 1 / comb(7, 3))


def test_that_q_is_adjusted_over_all_texts_also_those_that_are_not_there() -> None:
    found = enrichment_of(table("xxxyyyzz"), Selection.of("abc"))
    (one,) = found
    assert one.p == pytest.approx(1 / comb(8, 3))
    assert one.q == pytest.approx(3 * one.p)


def test_that_the_most_surprising_come_first() -> None:
    found = enrichment_of(table("xxxyyyyy"), Selection.of("abcd"))
    assert [one.text for one in found] == ["x", "y"]
    assert found[0].p <= found[1].p


def test_that_names_are_no_classes_but_can_be_asked_for() -> None:
    assert class_labels(table()) == ("kind",)
    (one,) = enrichment_of(table(), Selection.of("a"), ["name"])
    assert one.p == pytest.approx(1 / 8)
    with pytest.raises(UserError):
        enrichment_of(table(), NOTHING, ["nam"])


def test_that_nothing_selected_is_enriched_in_nothing() -> None:
    assert enrichment_of(table(), NOTHING) == ()
    assert enrichment_of(Matrix.from_array(np.zeros((2, 2))), Selection.of(["item 1"])) == ()


@pytest.mark.parametrize("n_chosen", [10, 100, 333])
def test_that_what_never_varies_sets_nothing_apart(n_chosen: int) -> None:
    # Means of these are off by their last digits, differently for selections of other sizes.
    values = np.random.default_rng(1).normal(size=(1000, 4))
    values[:, 1], values[:, 3] = 1.0 / 3.0, 0.1
    matrix = Matrix.from_array(values)
    found = statistics_of(matrix, Selection.of(matrix.item_ids[:n_chosen]))
    assert sorted(found.features.tolist()) == [0, 2]


def test_that_the_rest_has_a_mean_where_the_selection_is_blank() -> None:
    matrix = table()
    found = statistics_of(matrix, Selection.of("a"))
    assert np.isnan(found.differences[1])
    assert found.rest[1] == pytest.approx(matrix.values[1:, 1].mean())
