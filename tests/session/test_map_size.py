"""A map size that suits the data."""

from dataclasses import replace

import numpy as np
import pytest

from ximstudio.model import Matrix
from ximstudio.session.map_size import (
    LARGEST,
    LONGEST,
    SMALLEST,
    part_shape,
    spread_of,
    suggested_shape,
)
from ximstudio.train import method_named, train


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


def test_that_long_data_get_a_long_map() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(300, 5)) * [4.0, 2.0, 0.1, 0.1, 0.1]
    spread = spread_of(Matrix.from_array(values))
    assert spread == pytest.approx(2.0, rel=0.15)
    rows, columns = suggested_shape(300, spread=spread)
    assert columns > rows


def test_that_data_along_a_line_have_a_spread_too() -> None:
    line = np.outer(np.arange(10.0), [1.0, 2.0])
    assert spread_of(Matrix.from_array(line)) >= LONGEST


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
