"""Named sets on a table: their side, their members, their mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.maps_to_show import run_of, some_matrix
from ximstudio.explore.sets import MEAN, SHARE, SetMatcher, membership, set_layers, set_mean
from ximstudio.load.annotation.gene_sets import GeneSet
from ximstudio.maps import LayerEvidence
from ximstudio.maps.layer import Layer
from ximstudio.model import Matrix
from ximstudio.model.arrays import Floats
from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.model.result import PrototypeMap

N = np.nan
MEMBERS = NamedSet.of("first ten", [f"YBR{number:03d}W" for number in range(10)])
STRESS = NamedSet.of("stress", ("heat", "salt", "not there"), side=SetSide.FEATURES)


def table(values: Floats | None = None) -> Matrix:
    return Matrix(
        values=np.arange(12.0).reshape(4, 3) if values is None else values,
        item_ids=("a", "b", "c", "d")[: 4 if values is None else len(values)],
        feature_names=("TP53", "MYC", "KRAS"),
        item_labels={} if values is not None else {"name": ("one", "two", "three", "four")},
    )


def as_gene_set(name: str, *members: str, description: str = "") -> GeneSet:
    return GeneSet(name=name, description=description, members=members)


def test_that_a_set_is_of_the_side_that_has_more_of_it() -> None:
    fitting = SetMatcher(table())
    genes = fitting.fitted(as_gene_set("genes", "myc", "TP53", "a", "EGFR"))
    assert genes.set.side is SetSide.FEATURES
    assert genes.set.members == ("MYC", "TP53")
    assert genes.matched.missing == ("a", "EGFR")
    items = fitting.fitted(as_gene_set("items", "three", "a", description="ours"))
    assert items.set == NamedSet(name="items", members=("c", "a"), side=SetSide.ITEMS, note="ours")


def test_that_of_equals_it_is_a_set_of_items() -> None:
    fitting = SetMatcher(table())
    assert fitting.fitted(as_gene_set("x", "a", "MYC")).set.members == ("a",)
    assert fitting.fitted(as_gene_set("none", "q")).set.side is SetSide.ITEMS


def test_that_membership_is_by_the_sets_own_side() -> None:
    matrix = table()
    items = NamedSet.of("x", ["d", "a", "gone"])
    features = NamedSet.of("y", ["MYC"], side=SetSide.FEATURES)
    assert membership(items, matrix).tolist() == [True, False, False, True]
    assert membership(features, matrix).tolist() == [False, True, False]


def slow_mean(one: NamedSet, matrix: Matrix) -> list[float]:
    """Cell by cell."""
    values = matrix.values
    scores = []
    for f, name in enumerate(matrix.feature_names):
        if name in one.members:
            known = [cell for cell in values[:, f] if cell == cell]
            spread = np.std(known, ddof=1) if len(set(known)) > 1 else np.inf
            scores.append((values[:, f] - _mean(known)) / spread)
    return [
        _mean([score[row] for score in scores if score[row] == score[row]])
        for row in range(len(values))
    ]


def _mean(known: list[float]) -> float:
    return float(np.mean(known)) if known else N


CELLS = st.one_of(st.just(N), st.integers(-3, 3).map(float))


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=4),
    st.sets(st.sampled_from(["TP53", "MYC", "KRAS", "a", "b"])),
)
def test_that_means_are_those_of_a_slow_twin(cells: list[list[float]], members: set[str]) -> None:
    matrix = table(np.array(cells))
    one = NamedSet.of("x", sorted(members), side=SetSide.FEATURES)
    np.testing.assert_allclose(set_mean(one, matrix), slow_mean(one, matrix), atol=1e-12)


def test_that_pieces_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=(30, 20))
    matrix, again = Matrix.from_array(values), Matrix.from_array(values)
    one = NamedSet.of("y", matrix.feature_names[2:19], side=SetSide.FEATURES)
    whole = set_mean(one, matrix)
    monkeypatch.setattr("ximstudio.explore.profiles.VALUES", 40)
    np.testing.assert_allclose(set_mean(one, again), whole)


def test_that_a_large_constant_does_not_become_a_score() -> None:
    matrix = table(np.array([[0.1, 1, N], [0.1, 2, N], [0.1, 4, N]]) * 1e9)
    one = NamedSet.of("x", ["TP53"], side=SetSide.FEATURES)
    assert set_mean(one, matrix).tolist() == [0.0, 0.0, 0.0]


def evidence() -> LayerEvidence:
    return LayerEvidence(result=run_of("som").result, matrix=some_matrix())


def layer(key: str) -> Layer:
    return next(one for one in set_layers((MEMBERS, STRESS)) if one.key == key)


def test_that_there_are_layers_only_for_sets_there_are() -> None:
    assert set_layers(()) == ()
    assert [one.key for one in set_layers((MEMBERS,))] == [SHARE]
    assert [one.key for one in set_layers((STRESS,))] == [MEAN]
    assert layer(SHARE).options(evidence().result, some_matrix()) == ("first ten",)


def test_that_the_share_of_a_set_is_that_of_the_nodes_members() -> None:
    found = layer(SHARE).of(evidence(), "first ten")

    winners = evidence().winners
    for node in range(48):
        here = np.flatnonzero(winners == node)
        if len(here):
            assert found[node] == np.mean([number < 10 for number in here])
        else:
            assert np.isnan(found[node])


def test_that_the_mean_of_a_set_is_that_of_its_features_as_z_scores() -> None:
    found = layer(MEAN).of(evidence(), "stress")

    model, values = evidence().result.model, some_matrix().values
    assert isinstance(model, PrototypeMap)
    scores = [
        (model.prototypes[:, column] - np.nanmean(values[:, column]))
        / np.nanstd(values[:, column], ddof=1)
        for column in (0, 2)
    ]
    np.testing.assert_allclose(found, np.mean(scores, axis=0))


def test_that_a_set_of_which_nothing_is_there_has_no_values() -> None:
    strange = NamedSet.of("strange", ("nothing",), side=SetSide.FEATURES)
    (made,) = set_layers((strange,))

    assert np.isnan(made.of(evidence(), "strange")).all()
