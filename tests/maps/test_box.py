"""Places inside of a line, against a slow twin that asks one place and one side at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.maps.box import enclosed
from ximstudio.model.arrays import Bools, Floats


def slow_enclosed(places: Floats, polygon: Floats) -> Bools:
    found = []
    for x, y in places.tolist():
        inside = False
        for (x1, y1), (x2, y2) in zip(
            polygon.tolist(), np.roll(polygon, -1, axis=0).tolist(), strict=True
        ):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * ((x2 - x1) / (y2 - y1)):
                inside = not inside
        found.append(inside)
    return np.array(found, dtype=np.bool_)


@given(st.integers(0, 2**32 - 1), st.integers(3, 40), st.booleans())
def test_that_a_lasso_holds_what_the_slow_twin_says(seed: int, n_corners: int, whole: bool) -> None:
    rng = np.random.default_rng(seed)
    places, polygon = rng.uniform(-1, 11, (200, 2)), rng.uniform(0, 10, (n_corners, 2))
    if whole:
        # Corners and places of a grid: rays go through corners, sides are level.
        places, polygon = np.rint(places), np.rint(polygon)
    assert np.array_equal(enclosed(places, polygon), slow_enclosed(places, polygon))


def test_that_a_rectangle_holds_what_is_between_its_sides() -> None:
    places = np.random.default_rng(0).uniform(0, 10, (500, 2))
    polygon = np.array([[2.0, 3.0], [8.0, 3.0], [8.0, 9.0], [2.0, 9.0]])
    expected = ((places > [2.0, 3.0]) & (places < [8.0, 9.0])).all(axis=1)
    assert np.array_equal(enclosed(places, polygon), expected)


def test_that_a_line_without_an_inside_holds_nothing() -> None:
    places = np.zeros((3, 2))
    assert not enclosed(places, np.empty((0, 2))).any()
    assert not enclosed(places, np.array([[-1.0, 0.0], [1.0, 0.0]])).any()
    assert not enclosed(places, np.array([[-1.0, 0.0], [1.0, 0.0], [0.5, 0.0]])).any()


def test_that_what_has_no_place_is_nowhere() -> None:
    places = np.array([[np.nan, 1.0], [1.0, np.nan], [1.0, 1.0]])
    box = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    assert enclosed(places, box).tolist() == [False, False, True]
