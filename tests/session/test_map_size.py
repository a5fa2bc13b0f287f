"""A map size that suits the data."""

from dataclasses import replace

import numpy as np
import pytest

from ximstudio.model import Matrix
from ximstudio.session.descent import part_shape
from ximstudio.train import METHODS, Method, method_named, train
from ximstudio.train.params import LARGEST, LONGEST, SMALLEST, suggested_shape

SIZED = [method for method in METHODS if "shape" in method.params.specs()]


@pytest.mark.parametrize("n_items", [1, 2, 10, 186, 5000, 10**7])
@pytest.mark.parametrize("spread", [0.0, 1.0, 2.0, np.inf])
def test_that_sides_are_even_and_within_bounds(n_items: int, spread: float) -> None:
    rows, columns = suggested_shape(n_items, spread=spread)
    assert rows % 2 == columns % 2 == 0
    assert SMALLEST / np.sqrt(LONGEST) - 2 <= rows <= columns <= LARGEST * np.sqrt(LONGEST) + 2


def test_that_more_items_get_more_nodes() -> None:
    nodes = [rows * columns for rows, columns in map(suggested_shape, (20, 200, 2000))]
    assert nodes == sorted(set(nodes))


def test_that_some_hundred_items_get_what_the_defaults_were_tuned_on() -> None:
    rows, columns = suggested_shape(200)
    assert abs(rows - 30) <= 2
    assert abs(columns - 30) <= 2


@pytest.mark.parametrize("wide", [True, False])
def test_that_a_part_is_as_wide_and_high_as_where_its_items_lie(wide: bool) -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(40, 3)))
    method = method_named("som")
    result = train(matrix, method, method.params.from_values({"shape": (20, 20), "n_steps": 20}))
    places = np.full((40, 2), 7.0)
    places[:, 0 if wide else 1] = np.arange(40) % 18
    result = replace(result, positions=places)
    rows, columns = part_shape(result, matrix.item_ids[:20])
    assert (rows, columns)[:: 1 if wide else -1] == suggested_shape(20, spread=LONGEST)
    alike = replace(result, positions=np.full((40, 2), 7.0))
    assert part_shape(alike, matrix.item_ids[:20]) == suggested_shape(20)


@pytest.mark.parametrize("method", SIZED, ids=lambda method: method.key)
def test_that_maps_are_of_the_suggested_size_unless_one_is_given(method: Method) -> None:
    open_ = method.params()
    assert open_.as_values()["shape"] is None
    assert method.params.from_texts({"shape": "auto"}) == open_
    assert open_.resolved(186).as_values()["shape"] == suggested_shape(186)
    given = method.params.from_texts({"shape": "7x9"})
    assert given.sized(186) == given
    assert given.resolved(186).as_values()["shape"] == (7, 9)


def test_that_a_result_and_its_record_name_the_size() -> None:
    matrix = Matrix.from_array(np.random.default_rng(0).normal(size=(24, 3)))
    method = method_named("c-xim")
    result = train(matrix, method, method.params.from_values({"n_steps": 20}))
    assert result.params.as_values()["shape"] == suggested_shape(24)
    explicit = method.params.from_values({"n_steps": 20, "shape": suggested_shape(24)})
    np.testing.assert_array_equal(train(matrix, method, explicit).positions, result.positions)
