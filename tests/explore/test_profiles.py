"""Profile plots of a selection."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.explore.profiles import ProfileSpan, profiles_of
from ximstudio.model import Matrix, UserError
from ximstudio.model.arrays import Floats
from ximstudio.model.selection import NOTHING, Selection

N = np.nan


def table(values: Floats | None = None) -> Matrix:
    if values is None:
        values = np.array([[1, 2, 3, 4.0], [3, N, 5, 6], [9, 9, 9, N], [0, 0, 0, 0]])
    return Matrix(
        values=values,
        item_ids=tuple("abcdefgh"[: len(values)]),
        feature_names=("f1", "f2", "f3", "f4"),
        feature_labels={"condition": ("heat", "cold", "heat", ""), "no": ("", "", "", "")},
    )


def test_that_lines_are_the_items_values_in_the_tables_order() -> None:
    shown = profiles_of(table(), Selection.of(["c", "a", "gone"]))
    assert shown.places == ("f1", "f2", "f3", "f4")
    assert (shown.ids, shown.n_items, shown.spans) == (("a", "c"), 2, ())
    np.testing.assert_array_equal(shown.lines, [[1, 2, 3, 4], [9, 9, 9, N]])
    np.testing.assert_array_equal(shown.n_known, [2, 2, 2, 1])
    np.testing.assert_allclose(shown.mean, [5, 5.5, 6, 4])
    np.testing.assert_allclose(shown.sd, [np.sqrt(32), np.sqrt(24.5), np.sqrt(18), N])


def test_that_features_of_a_group_stand_together_and_those_without_one_last() -> None:
    shown = profiles_of(table(), Selection.of("a"), label="condition")
    assert shown.places == ("f1", "f3", "f2", "f4")
    assert shown.spans == (
        ProfileSpan(name="heat", begin=0, end=2),
        ProfileSpan(name="cold", begin=2, end=3),
        ProfileSpan(name="", begin=3, end=4),
    )
    np.testing.assert_array_equal(shown.lines, [[1, 3, 2, 4]])


def test_that_an_unknown_label_is_refused() -> None:
    with pytest.raises(UserError):
        profiles_of(table(), NOTHING, label="conditions")


def test_that_nothing_selected_has_no_lines_and_no_mean() -> None:
    shown = profiles_of(table(), NOTHING)
    assert shown.lines.shape == (0, 4)
    assert np.isnan(shown.mean).all()
    assert np.isnan(shown.sd).all()


@given(st.integers(1, 60), st.integers(1, 20))
def test_that_many_lines_are_thinned_evenly(n: int, most: int) -> None:
    matrix = Matrix.from_array(np.arange(n, dtype=float)[:, None])
    shown = profiles_of(matrix, Selection.of(matrix.item_ids), most=most)
    assert len(shown.ids) == min(n, most)
    assert shown.n_items == n
    rows = shown.lines[:, 0]
    if len(rows) > 2:
        assert rows[0] == 0
        assert rows[-1] == n - 1
        assert np.ptp(np.diff(rows)) <= 1
    assert shown.mean[0] == pytest.approx((n - 1) / 2)


CELLS = st.one_of(st.just(N), st.integers(-4, 4).map(float))


@given(
    st.lists(st.lists(CELLS, min_size=4, max_size=4), min_size=1, max_size=8),
    st.sets(st.sampled_from("abcdefgh")),
    st.integers(1, 20),
    st.floats(-1e8, 1e8),
)
def test_that_mean_and_spread_are_those_of_a_slow_twin(
    cells: list[list[float]], chosen: set[str], at_once: int, far: float
) -> None:
    matrix = table(np.array(cells) + far)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ximstudio.explore.profiles.VALUES", at_once)
        shown = profiles_of(matrix, Selection.of(chosen))
    rows = [row for row, name in enumerate(matrix.item_ids) if name in chosen]
    for place in range(4):
        known = [v for v in (matrix.values[row, place] for row in rows) if v == v]
        mean = np.mean(known) if known else N
        sd = np.std(known, ddof=1) if len(known) > 1 else N
        np.testing.assert_allclose(shown.mean[place], mean, atol=1e-6)
        np.testing.assert_allclose(shown.sd[place], sd, atol=1e-6)
        assert shown.n_known[place] == len(known)
