"""A heat map's pixels against slow means, and against the rows that they show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ximstudio.pictures.raster.heat_raster import NARROW, HeatTable, PixelSpan, heat_codes

N_COLOURS = 256
COLOURS = np.arange(N_COLOURS + 1, dtype=np.uint32)
"""Colours that are their own entries."""


def slow_mean(codes: np.ndarray, rows: tuple[int, int], columns: tuple[int, int]) -> int:
    """The mean entry of a part, rounded half up; 0 if all of it is blank."""
    part = codes[slice(*rows), slice(*columns)].astype(np.int64)
    known = part[part > 0]
    return int((known.sum() + len(known) // 2) // len(known)) if len(known) else 0


def some_codes(n_rows: int, n_columns: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    codes = rng.integers(1, N_COLOURS + 1, (n_rows, n_columns)).astype(np.uint16)
    codes[rng.random(codes.shape) < 0.2] = 0
    return codes


@given(
    st.integers(1, 40),
    st.integers(1, 30),
    st.integers(1, 25),
    st.integers(1, 25),
    st.integers(0, 9),
)
@settings(max_examples=60, deadline=None)
def test_that_a_pixel_shows_the_mean_of_the_rows_and_columns_in_it(
    n_rows: int, n_columns: int, height: int, width: int, seed: int
) -> None:
    codes = some_codes(n_rows, n_columns, seed)
    rows, columns = PixelSpan(0.0, n_rows, height), PixelSpan(0.0, n_columns, width)
    pixels = HeatTable.of(codes).pixels(COLOURS, rows, columns)

    assert pixels.shape == (height, width)
    for line in range(height):
        for column in range(width):
            part = [
                (int(span.edges(total)[pixel]), int(span.edges(total)[pixel + 1]))
                if span.size < 1.0
                else (int(span.middles(total)[pixel]), int(span.middles(total)[pixel]) + 1)
                for span, total, pixel in ((rows, n_rows, line), (columns, n_columns, column))
            ]
            assert pixels[line, column] == slow_mean(codes, part[0], part[1])


@pytest.mark.parametrize("n_columns", [3, NARROW + 3])
def test_that_sums_are_of_all_above_and_to_the_left(n_columns: int) -> None:
    codes = some_codes(5, n_columns, 0)
    table = HeatTable.of(codes)
    for sums, values in ((table.sums, codes.astype(np.int64)), (table.known, codes > 0)):
        assert not sums[0].any()
        assert not sums[:, 0].any()
        np.testing.assert_array_equal(sums[1:, 1:], values.cumsum(axis=0).cumsum(axis=1))


@pytest.mark.parametrize("n_blanks", [0, 1, 12])
def test_that_a_table_knows_whether_it_has_blanks(n_blanks: int) -> None:
    codes = np.ones((3, 4), dtype=np.uint16)
    codes.flat[:n_blanks] = 0
    assert HeatTable.of(codes).has_blanks == bool(n_blanks)


@given(st.integers(1, 60), st.integers(1, 50))
def test_that_every_row_is_in_one_pixel_and_every_pixel_has_a_row(total: int, pixels: int) -> None:
    span = PixelSpan(0.0, total, pixels)
    if span.size < 1.0:
        edges = span.edges(total)
        assert edges[0] == 0
        assert edges[-1] == total
        assert (np.diff(edges) >= 1).all()
    else:
        assert set(span.middles(total).tolist()) == set(range(total))


def test_that_a_closer_look_shows_the_rows_that_are_seen() -> None:
    codes = np.repeat(np.arange(1, 11, dtype=np.uint16)[:, None], 3, axis=1)
    pixels = HeatTable.of(codes).pixels(COLOURS, PixelSpan(2.0, 5.0, 6), PixelSpan(0.0, 3.0, 3))
    assert pixels[:, 0].tolist() == [3, 3, 4, 4, 5, 5]


def test_that_blanks_have_an_entry_of_their_own_and_the_ends_share_the_last() -> None:
    values = np.array([[np.nan, -9.0, -1.0, 0.0, 1.0, 9.0]])
    codes = heat_codes(values, N_COLOURS, low=-1.0, high=1.0)
    assert codes.tolist() == [[0, 1, 1, 129, 256, 256]]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_that_a_table_of_nothing_gives_nothing(shape: tuple[int, int]) -> None:
    table = HeatTable.of(np.zeros(shape, dtype=np.uint16))
    assert not table.pixels(COLOURS, PixelSpan(0.0, 1.0, 4), PixelSpan(0.0, 1.0, 4)).any()
