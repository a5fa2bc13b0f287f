"""Items that training never saw, matched to the map by the names of their features."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from tests import twins
from ximstudio.model import LinearMap, Matrix, Result, UserError
from ximstudio.place import MAPPINGS
from ximstudio.place.items import place_items, place_values, project
from ximstudio.train import METHODS, method_named, train
from ximstudio.train.method import Method
from ximstudio.train.xim_family import XimParams


def named(matrix: Matrix, prefix: str) -> Matrix:
    """The same items under other names."""
    return Matrix(
        values=matrix.values,
        item_ids=tuple(f"{prefix} {name}" for name in matrix.item_ids),
        feature_names=matrix.feature_names,
    )


def data(*, blanks: bool = False) -> Matrix:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(50, 6)) + 4.0 * rng.integers(0, 3, (50, 1))
    if blanks:
        hidden = np.less(rng.random(values.shape), 0.1)
        hidden[:, 0] = False
        values[hidden] = np.nan
    return Matrix.from_array(values)


def trained(matrix: Matrix, method: Method, **changes: object) -> Result:
    wanted = {"shape": (6, 6), "n_steps": 2000, **changes}
    known = {name: value for name, value in wanted.items() if name in method.params.specs()}
    return train(matrix, method, method.params.from_values(known))


@pytest.mark.parametrize("blanks", [False, True], ids=["complete", "blanks"])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_new_items_with_known_values_lie_where_the_old_ones_lie(
    method: Method, blanks: bool
) -> None:
    matrix = data(blanks=blanks)
    result = trained(matrix, method)
    placed = place_items(result, named(matrix, "new"))
    assert np.array_equal(placed.positions, result.positions)
    if result.winners is None:
        assert placed.winners is None
    else:
        assert twins.winners_of(placed) == twins.winners_of(result)


@pytest.mark.parametrize("mapping", [rule.key for rule in MAPPINGS])
def test_that_every_mapping_places_some_of_the_items_like_all_of_them(mapping: str) -> None:
    matrix = data()
    result = trained(matrix, method_named("c-xim"), mapping=mapping)
    some = [4, 40, 7]
    placed = place_items(result, matrix.items(some))
    np.testing.assert_allclose(placed.positions, result.positions[some], atol=1e-5)
    assert placed.winners is not None
    assert result.winners is not None
    assert np.array_equal(placed.winners, result.winners[some])


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_features_are_matched_by_name(method: Method) -> None:
    matrix = data()
    result = trained(matrix, method)
    order = np.array([3, 0, 5, 1, 4, 2])
    rng = np.random.default_rng(1)
    shuffled = Matrix(
        values=np.column_stack([matrix.values[:, order], rng.normal(size=50)]),
        item_ids=matrix.item_ids,
        feature_names=(*(matrix.feature_names[number] for number in order), "one more"),
    )
    placed = place_items(result, shuffled)
    assert np.array_equal(placed.positions, result.positions)


def test_that_missing_features_are_refused() -> None:
    matrix = data()
    result = trained(matrix, method_named("c-xim"))
    fewer = Matrix(
        values=matrix.values[:, :4],
        item_ids=matrix.item_ids,
        feature_names=matrix.feature_names[:4],
    )
    with pytest.raises(UserError) as error:
        place_items(result, fewer)
    assert error.value.keys == ("place.features",)


def test_that_new_items_lie_among_their_like() -> None:
    matrix = data()
    result = trained(matrix, method_named("c-xim"))
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 50, 30)
    values = matrix.values[rows] + 0.01 * rng.normal(size=(30, 6))
    placed = place_items(result, Matrix.from_array(values))
    apart = np.linalg.norm(placed.positions - result.positions[rows], axis=1)
    assert np.median(apart) < 0.1


@pytest.mark.parametrize("mapping", ["shepard", "softmax", "winner"])
def test_that_a_new_item_may_have_blanks(mapping: str) -> None:
    matrix = data()
    result = trained(matrix, method_named("c-xim"), mapping=mapping)
    values = matrix.values[:5].copy()
    values[:, 2] = np.nan
    placed = place_items(result, Matrix.from_array(values))
    assert np.isfinite(placed.positions).all()


@pytest.mark.parametrize(
    ("key", "mapping"),
    [("c-xim", "shepard"), ("c-xim", "softmax"), ("c-xim", "winner"), ("pca", "none")],
)
def test_that_a_new_item_without_any_value_is_refused(key: str, mapping: str) -> None:
    """Nothing is known about it, so it has no place; node 0 would be a lie."""
    matrix = data()
    result = trained(matrix, method_named(key), mapping=mapping)
    values = matrix.values[:3].copy()
    values[1] = np.nan
    with pytest.raises(UserError):
        place_items(result, Matrix.from_array(values))


@pytest.mark.parametrize("factor", [1e10, 1e25])
def test_that_a_new_item_very_far_away_gets_a_finite_place_or_is_refused(factor: float) -> None:
    matrix = data()
    result = trained(matrix, method_named("c-xim"))
    try:
        placed = place_items(result, Matrix.from_array(matrix.values[:3] * factor))
    except UserError:
        return
    assert np.isfinite(placed.positions).all()


BEYOND_FLOAT32 = """
import warnings
import numpy as np
from ximstudio.model import Grid, Matrix, PrototypeMap, UserError
from ximstudio.place.items import place_values
from ximstudio.place.params import PlacingParams

warnings.simplefilter("ignore")
model = PrototypeMap(grid=Grid(4, 4), prototypes=np.random.default_rng(0).normal(size=(16, 3)))
for size in (1e31, 1e39, 1e100):
    for sign in (1.0, -1.0):
        try:
            placed = place_values(model, np.full((3, 3), sign * size), PlacingParams())
        except UserError:
            continue
        assert placed.winners.min() >= 0 and placed.winners.max() < 16, placed.winners
        assert np.isfinite(placed.positions).all(), placed.positions
"""


def test_that_values_beyond_single_precision_do_not_reach_outside_the_map() -> None:
    """In a process of its own: indices that were never written may point anywhere."""
    done = subprocess.run(
        [sys.executable, "-c", BEYOND_FLOAT32], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_that_values_in_another_unit_than_the_map_still_find_winners() -> None:
    matrix = data()
    result = trained(matrix, method_named("som"))
    placed = place_values(result.model, matrix.values * 1e6, XimParams())
    assert placed.winners is not None
    assert placed.winners.min() >= 0
    assert placed.winners.max() < 36


def test_that_a_projection_has_the_same_bits_with_any_number_of_threads() -> None:
    rng = np.random.default_rng(0)
    model = LinearMap(
        centre=rng.normal(size=300), components=rng.normal(size=(2, 300)), explained=np.ones(2) / 2
    )
    values = rng.normal(size=(3000, 300))
    with threadpool_limits(1):
        one = project(model, values).positions
    np.testing.assert_array_equal(project(model, values).positions, one)
