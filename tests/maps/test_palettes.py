"""Colours for numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ximstudio.maps.palettes import (
    PALETTES,
    Colours,
    Palette,
    PaletteScheme,
    Scale,
    coloured,
    default_palette,
    palette_named,
    scale_of,
)
from ximstudio.model import UserError
from ximstudio.model.arrays import Floats

every_palette = pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.key)

TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
"""Oklab (Ottosson 2020)."""
DEUTERANOPE = np.array(
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]
)
"""What is left of linear red, green and blue without the green cones (Machado et al. 2009)."""


def linear(colours: Colours) -> Floats:
    c = colours / 255.0
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def oklab(light: Floats) -> Floats:
    return np.asarray(np.cbrt(light @ TO_LMS.T) @ TO_OKLAB.T)


def from_oklab(lab: Floats) -> Colours:
    light = (lab @ np.linalg.inv(TO_OKLAB).T) ** 3 @ np.linalg.inv(TO_LMS).T
    c = np.where(
        light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 0) ** (1 / 2.4) - 0.055
    )
    return np.rint(255.0 * c).astype(np.uint8)


def near(one: Colours, other: Colours) -> bool:
    """Whether colours differ by one of 255 steps at the most."""
    return bool(np.abs(one.astype(int) - other.astype(int)).max() <= 1)


# Tables -------------------------------------------------------------------------------------------


@every_palette
def test_that_a_palette_has_256_colours_that_cannot_be_changed(palette: Palette) -> None:
    assert palette.table.shape == (256, 3)
    assert palette.table.dtype == np.uint8
    with pytest.raises(ValueError, match="read-only"):
        palette.table[0] = 0
    assert palette_named(palette.key) is palette


def test_that_keys_and_names_are_unique_and_unknown_ones_refused() -> None:
    assert len({palette.key for palette in PALETTES}) == len(PALETTES)
    assert len({palette.name for palette in PALETTES}) == len(PALETTES)
    with pytest.raises(UserError) as refused:
        palette_named("virids")
    assert refused.value.keys == ("palette.unknown",)
    assert {scheme: default_palette(scheme).key for scheme in PaletteScheme} == {
        PaletteScheme.SEQUENTIAL: "viridis",
        PaletteScheme.DIVERGING: "blue_rust",
    }


@pytest.mark.parametrize("key", ["viridis", "cividis", "magma"])
def test_that_published_tables_are_those_of_matplotlib(key: str) -> None:
    from matplotlib import colormaps

    theirs = np.asarray(colormaps[key](np.arange(256)))[:, :3]
    assert np.abs(palette_named(key).table / 255.0 - theirs).max() <= 0.5001 / 255.0


def test_that_own_tables_are_what_their_recipe_gives() -> None:
    steps = np.linspace(0.0, 1.0, 256)
    grey = np.column_stack([0.2 + 0.77 * steps, 0.0 * steps, 0.0 * steps])
    assert near(from_oklab(grey), palette_named("greys").table)
    side = np.linspace(-1.0, 1.0, 256)
    away, hue = np.abs(side), np.radians(np.where(side < 0.0, 252.0, 47.0))
    chroma = 0.125 * np.sin(2.2 * away)
    lab = [0.965 - 0.585 * away, chroma * np.cos(hue), chroma * np.sin(hue)]
    assert near(from_oklab(np.column_stack(lab)), palette_named("blue_rust").table)


@every_palette
def test_that_more_is_lighter_or_farther_from_the_middle_darker(palette: Palette) -> None:
    lightness = oklab(linear(palette.table))[:, 0]
    if palette.scheme is PaletteScheme.DIVERGING:
        np.testing.assert_allclose(lightness, lightness[::-1], atol=0.01)
        lightness = lightness[:128]
    # Rounding to 8 bits makes steps of a few thousandths.
    assert np.diff(lightness).min() > -0.004
    assert np.diff(lightness[::16]).min() > 0.0
    assert np.ptp(lightness) > 0.5


def test_that_both_sides_differ_to_those_who_see_no_green() -> None:
    seen = oklab(np.clip(linear(palette_named("blue_rust").table) @ DEUTERANOPE.T, 0.0, 1.0))
    apart = np.linalg.norm(seen - seen[::-1], axis=1)
    assert apart[:64].min() > 0.12


# Which number gets which --------------------------------------------------------------------------


@given(
    st.lists(st.floats(-10.0, 10.0), min_size=1, max_size=30),
    st.floats(-9.0, 0.0),
    st.floats(0.5, 9.0),
)
def test_that_colours_are_those_of_matplotlib(values: list[float], low: float, high: float) -> None:
    from matplotlib.colors import ListedColormap, Normalize

    table = palette_named("magma").table
    found = coloured(np.array(values), table, low=low, high=high, blank=(1, 2, 3))
    share = np.clip(np.asarray(Normalize(low, high)(np.array(values))), 0.0, 1.0)
    # Right between two colours rounding decides.
    unsure = np.isclose(share * 256 % 1.0, 0.0, atol=1e-9) | np.isclose(share * 256 % 1.0, 1.0)
    theirs = np.rint(255 * np.asarray(ListedColormap(table / 255.0)(share))[:, :3])
    np.testing.assert_array_equal(found[~unsure], theirs[~unsure])


def test_that_ends_and_blanks_get_their_colours() -> None:
    table = palette_named("viridis").table
    values = np.array([[0.0, 1.0], [-np.inf, np.inf], [np.nan, 5.0]])
    found = coloured(values, table, low=0.0, high=1.0, blank=(9, 8, 7))
    assert found.shape == (3, 2, 3)
    expected = [[table[0], table[-1]], [table[0], table[-1]], [(9, 8, 7), table[-1]]]
    np.testing.assert_array_equal(found, np.array(expected))


def test_that_a_flat_map_has_one_colour() -> None:
    table = palette_named("viridis").table
    found = coloured(np.array([2.0, 2.0, np.nan]), table, low=2.0, high=2.0, blank=(9, 8, 7))
    np.testing.assert_array_equal(found, [table[0], table[0], (9, 8, 7)])


def test_that_zero_is_in_the_middle_of_numbers_on_both_sides() -> None:
    values = np.array([-1.0, np.nan, 3.0, np.inf])
    assert scale_of(values, PaletteScheme.DIVERGING) == Scale(PaletteScheme.DIVERGING, -3.0, 3.0)
    assert scale_of(-values, PaletteScheme.DIVERGING) == Scale(PaletteScheme.DIVERGING, -3.0, 3.0)
    assert scale_of(values) == Scale(PaletteScheme.SEQUENTIAL, -1.0, 3.0)
    assert scale_of(values + 2.0, PaletteScheme.DIVERGING) == Scale(
        PaletteScheme.SEQUENTIAL, 1.0, 5.0
    )
    assert scale_of(np.array([np.nan])) == Scale(PaletteScheme.SEQUENTIAL, 0.0, 1.0)
