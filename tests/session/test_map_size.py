"""A map size that suits the data."""

import numpy as np
import pytest

from ximstudio.model import Matrix
from ximstudio.session.map_size import LARGEST, LONGEST, SMALLEST, spread_of, suggested_shape


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
