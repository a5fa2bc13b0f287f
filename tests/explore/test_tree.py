"""Trees over rows: distances, merges, orders and lines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist

from ximstudio.explore import tree as trees
from ximstudio.explore.tree import apart, linked, tree_of
from ximstudio.kernels.parallel import checking
from ximstudio.model import UserError
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.directions import directions
from ximstudio.model.distances import distances_between


class TooLongError(Exception):
    """A person wants no more."""


def some_values(n_rows: int = 40, *, blanks: bool = False, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    values = 50.0 + rng.normal(size=(n_rows, 7))
    if blanks:
        values[rng.random(values.shape) < 0.2] = np.nan
    return np.asarray(values)


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
def test_that_distances_are_those_of_the_model(blanks: bool) -> None:
    values = some_values(blanks=blanks)
    pairs = np.triu_indices(len(values), 1)
    shapes = directions(values, centred=True)
    np.testing.assert_allclose(
        apart(values),
        np.minimum(distances_between(shapes, *pairs), 2.0),
        atol=1e-7,
    )


def test_that_correlation_is_that_of_numpy_and_constant_rows_have_none() -> None:
    values = some_values(6)
    alike = np.asarray(np.corrcoef(values))[np.triu_indices(6, 1)]
    expected = np.sqrt(np.maximum(2.0 - 2.0 * alike, 0.0))
    np.testing.assert_allclose(apart(values), expected, atol=1e-7)
    values[0] = 3.0
    np.testing.assert_allclose(apart(values)[:5], np.sqrt(2.0))


def test_that_rows_without_a_common_column_do_not_correlate() -> None:
    blank = np.nan
    values = np.array([[0.0, 1.0, blank, blank], [blank, blank, 0.0, 1.0], [4.0, 1.0, 2.0, 3.0]])
    table = apart(np.vstack([values, np.full(4, blank)]))
    assert np.isfinite(table).all()
    np.testing.assert_allclose(table[[0, 2, 4, 5]], np.sqrt(2.0))


@pytest.mark.parametrize("n_rows", [2, 3, 50, 400])
def test_that_merges_are_those_of_scipy(n_rows: int) -> None:
    table = pdist(some_values(n_rows))
    expected: Floats = np.asarray(hierarchy.linkage(table, "average"), dtype=np.float64)
    np.testing.assert_allclose(linked(table), expected)


def length(order: Ints, values: Floats) -> float:
    """Sum of the distances between neighbours."""
    return float(np.linalg.norm(np.diff(values[order], axis=0), axis=1).sum())


@pytest.mark.parametrize("n_rows", [40, 400])
def test_that_neighbours_in_the_order_are_nearer_than_in_scipy_s_plain_one(n_rows: int) -> None:
    # Of directions, whose distances are those of the correlation.
    values = directions(some_values(n_rows), centred=True)
    tree = tree_of(values)
    assert sorted(tree.order.tolist()) == list(range(n_rows))
    plain = hierarchy.leaves_list(tree.merges).astype(np.int64)
    assert length(tree.order, values) < length(plain, values)


@given(st.integers(0, 12), st.booleans())
def test_that_no_branches_cross(n_rows: int, optimal: bool) -> None:
    values = some_values(n_rows, seed=n_rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "MOST_OPTIMAL", 300 if optimal else 0)
        tree = tree_of(values)
    places = {row: place for place, row in enumerate(tree.order.tolist())}
    members = {row: [row] for row in range(n_rows)}
    for merge, (j, k) in enumerate(tree.merges[:, :2].astype(int).tolist()):
        members[n_rows + merge] = members[j] + members[k]
        inside = sorted(places[row] for row in members[n_rows + merge])
        assert inside == list(range(inside[0], inside[-1] + 1))
    assert tree.lines.shape == (3 * max(n_rows - 1, 0), 2, 2)


def test_that_the_lines_of_a_tree_of_three_are_drawn_by_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trees, "apart", pdist)
    tree = tree_of(np.array([[0.0], [10.0], [1.0]]))
    order = tree.order.tolist()
    assert order in ([1, 0, 2], [1, 2, 0], [0, 2, 1], [2, 0, 1])
    low, high = sorted((order.index(0), order.index(2)))
    other = float(order.index(1))
    first, second = tree.lines.reshape(2, 3, 2, 2)
    assert first[1].tolist() == [[low, 1.0], [high, 1.0]]
    assert (first[[0, 2]].reshape(-1, 2).min(axis=0) == [low, 0.0]).all()
    middle, top = 0.5 * (low + high), 9.5
    assert sorted(map(tuple, second[1].tolist())) == sorted([(middle, top), (other, top)])
    ends = {tuple(end) for line in second[[0, 2]].tolist() for end in line}
    assert ends == {(middle, 1.0), (middle, top), (other, 0.0), (other, top)}


def test_that_too_many_rows_are_refused_with_a_way_out() -> None:
    with pytest.raises(UserError) as refused:
        tree_of(np.zeros((trees.MOST_ROWS + 1, 1)))
    assert refused.value.keys == ("order.too_many",)


def test_that_a_person_may_end_it() -> None:
    def check() -> None:
        raise TooLongError

    with checking(check), pytest.raises(TooLongError):
        tree_of(some_values())
