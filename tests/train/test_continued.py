"""A map that is trained further keeps its layout and takes new items in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ximstudio.load import load
from ximstudio.model import Matrix, PrototypeMap, Result, UserError
from ximstudio.model.arrays import Floats
from ximstudio.model.parent import CONTINUED, CONTINUED_AGAIN, CONTINUED_ALONE, Parent
from ximstudio.place.items import place_items
from ximstudio.train import method_named, train
from ximstudio.train.annealing import LateParams, annealed, begun_late
from ximstudio.train.continued import (
    continued,
    continued_again,
    in_data_units,
    joined,
    usual_again,
    with_features,
)
from ximstudio.train.params import OnlineParams
from ximstudio.train.som import SomParams

SIDE = 16
MOST_MOVED = 0.05
"""Shares of the map's side that the middle item may move."""


@pytest.fixture(scope="module")
def genes() -> Matrix:
    return load("sample:yeast")


@pytest.fixture(scope="module")
def halves(genes: Matrix) -> tuple[Matrix, Matrix]:
    """Earlier and further items."""
    order = np.random.default_rng(0).permutation(genes.n_items)
    return genes.items(np.sort(order[:140])), genes.items(np.sort(order[140:]))


@pytest.fixture(scope="module", params=["c-xim", "som"])
def earlier(request: pytest.FixtureRequest, halves: tuple[Matrix, Matrix]) -> Result:
    method = method_named(request.param)
    params = method.params.from_values({"shape": (SIDE, SIDE), "n_steps": 12_000})
    return train(halves[0], method, params, seed=1)


def errors(result: Result, matrix: Matrix) -> Floats:
    """Distance of every item to its nearest prototype, as if all features were known."""
    assert isinstance(result.model, PrototypeMap)
    prototypes = result.model.prototypes
    apart = [np.nanmean((item - prototypes) ** 2, axis=1).min() for item in matrix.values]
    return np.sqrt(apart)


def neighbours(positions: Floats, k: int = 10) -> list[set[int]]:
    apart = ((positions[:, None] - positions[None]) ** 2).sum(axis=2)
    np.fill_diagonal(apart, np.inf)
    return [set(row) for row in np.argsort(apart, axis=1)[:, :k]]


def kept(before: Floats, after: Floats) -> float:
    """The share of an item's ten neighbours that are still among them."""
    pairs = zip(neighbours(before), neighbours(after), strict=True)
    return float(np.mean([len(old & new) / 10 for old, new in pairs]))


def moved(before: Floats, after: Floats) -> float:
    return float(np.median(np.linalg.norm(after - before, axis=1))) / SIDE


@pytest.mark.parametrize("alone", [False, True], ids=["with earlier items", "on new items alone"])
def test_that_old_items_keep_their_places_and_new_ones_find_theirs(
    alone: bool, earlier: Result, halves: tuple[Matrix, Matrix]
) -> None:
    old, new = halves
    further = continued(earlier, new, earlier=None if alone else old)
    result = further.train(seed=2)
    after = place_items(result, old).positions
    assert moved(earlier.positions, after) < MOST_MOVED
    # Begun anew with all of them, 0.68 to 0.75 of the neighbours are kept.
    assert kept(earlier.positions, after) > (0.6 if alone else 0.75)
    assert errors(result, new).mean() < 0.9 * errors(earlier, new).mean()
    assert errors(result, old).mean() < 1.3 * errors(earlier, old).mean()


def test_that_a_training_begun_anew_moves_the_items_more(
    earlier: Result, halves: tuple[Matrix, Matrix]
) -> None:
    old, new = halves
    gentle = continued(earlier, new, earlier=old).train(seed=2)
    anew = continued(earlier, new, earlier=old, late=LateParams(begin=0.0)).train(seed=2)
    before = earlier.positions
    assert moved(before, anew.positions[: old.n_items]) > 2.0 * moved(
        before, gentle.positions[: old.n_items]
    )


def test_that_the_result_knows_its_parent(earlier: Result, halves: tuple[Matrix, Matrix]) -> None:
    old, new = halves
    tiny = {"n_steps": 50}
    for matrix, kind in ((old, CONTINUED), (None, CONTINUED_ALONE)):
        result = continued(earlier, new, earlier=matrix, changes=tiny).train()
        assert result.parent == Parent(
            kind=kind, result_hash=earlier.hash, data_fingerprint=old.fingerprint
        )
        assert result.step == 50
    assert earlier.parent is None
    assert Parent.from_values(result.parent.as_values()) == result.parent  # type: ignore[union-attr]


def test_that_training_goes_on_from_the_earlier_prototypes(
    earlier: Result, halves: tuple[Matrix, Matrix]
) -> None:
    assert isinstance(earlier.model, PrototypeMap)
    further = continued(earlier, halves[1])
    np.testing.assert_array_equal(further.start, earlier.model.prototypes)


def test_that_it_is_the_rest_of_the_same_annealing() -> None:
    params = method_named("c-xim").params.from_values({"shape": (10, 10), "n_steps": 10_000})
    assert isinstance(params, OnlineParams)
    late = begun_late(params, 0.6, 100)
    assert late.n_steps == 4000
    for name in ("step", "width", "reach"):
        whole = getattr(params.resolved(100), name)
        rest = annealed("exponential", getattr(late, name), np.linspace(0.0, 1.0, 5))
        np.testing.assert_allclose(rest, annealed("exponential", whole, np.linspace(0.6, 1.0, 5)))
    assert begun_late(params, 0.0, 100) == params.resolved(100)
    assert begun_late(params, 1.0, 100).n_steps == 500
    linear = begun_late(params.replace(annealing="linear", width=(8.0, 2.0)), 0.5, 100)
    assert linear.width == (5.0, 2.0)
    batch = method_named("som").params.from_values({"algorithm": "batch", "n_epochs": 40})
    assert begun_late(batch, 0.75, 100).as_values()["n_epochs"] == 10


def test_that_a_map_that_went_on_goes_on_with_the_same_annealing(
    halves: tuple[Matrix, Matrix],
) -> None:
    old, new = halves
    method = method_named("c-xim")
    params = method.params.from_values({"shape": (4, 4), "n_steps": 5000})
    once = continued(train(old, method, params), new.items(range(20)))
    again = continued(once.train(), new.items(range(20, 40)))
    assert again.params == once.params
    assert once.params.as_values()["n_steps"] == 500


def test_that_it_goes_on_with_its_own_items_and_keeps_them_where_they_are(
    earlier: Result, halves: tuple[Matrix, Matrix]
) -> None:
    again = continued_again(earlier, halves[0])
    after = again.train(seed=1)
    assert after.item_ids == earlier.item_ids
    assert after.parent is not None
    assert (after.parent.kind, after.parent.result_hash) == (CONTINUED_AGAIN, earlier.hash)
    assert kept(earlier.positions, after.positions) > 0.8
    usual = usual_again(earlier, halves[0].n_items)
    assert usual.as_values()["n_steps"] == again.params.as_values()["n_steps"]
    assert Parent.from_values(after.parent.as_values()) == after.parent


def test_that_the_reach_keeps_its_length_among_other_items(halves: tuple[Matrix, Matrix]) -> None:
    old, _ = halves
    method = method_named("c-xim")
    params = method.params.from_values({"shape": (4, 4), "n_steps": 200})
    result = train(old, method, params)
    values = in_data_units(result, result.params).as_values()
    assert values["reach_unit"] == "data"
    np.testing.assert_allclose(
        values["reach"], np.array(params.as_values()["reach"]) * old.median_distance, rtol=1e-9
    )
    som = train(old, method_named("som"), SomParams(n_steps=50, shape=(3, 3)))
    assert in_data_units(som, som.params) is som.params


def test_that_items_and_labels_of_both_are_joined_by_name(genes: Matrix) -> None:
    one, other = genes.items(range(5)), genes.items(range(3, 9))
    shuffled = with_features(
        Matrix(
            values=other.values[:, ::-1],
            item_ids=other.item_ids,
            feature_names=other.feature_names[::-1],
            item_labels={"batch": ("second",) * 6},
        ),
        genes.feature_names,
    )
    both = joined(one, shuffled)
    assert both.item_ids == genes.item_ids[:9]
    np.testing.assert_array_equal(both.values, genes.values[:9])
    assert both.item_labels["batch"] == ("",) * 5 + ("second",) * 4
    assert both.item_labels["function"] == genes.item_labels["function"][:5] + ("",) * 4


def refused(result: Result, matrix: Matrix, **named: object) -> tuple[str, ...]:
    with pytest.raises(UserError) as caught:
        continued(result, matrix, **named)  # type: ignore[arg-type]
    return caught.value.keys


def test_that_what_cannot_go_on_is_refused(
    earlier: Result, halves: tuple[Matrix, Matrix], genes: Matrix
) -> None:
    old, new = halves
    pca = train(old, method_named("pca"))
    assert refused(pca, new) == ("continue.no_prototypes",)
    assert refused(earlier, Matrix.from_array(new.values)) == ("continue.features",)
    assert refused(earlier, old.items(range(9)), earlier=old) == ("continue.nothing_new",)
    changed = replace(genes, values=genes.values + 1.0)
    assert refused(earlier, changed, earlier=old) == ("continue.other_values",)
    assert refused(earlier, new, changes={"shape": (3, 3)}) == ("continue.grid",)
