"""Colours that people with another sight can tell apart, and texts that can be read."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pictures.contrast import TEXT_CONTRAST, contrast
from ximstudio.maps.palettes import PALETTES, Palette, PaletteScheme
from ximstudio.model.arrays import Floats
from ximstudio.pictures.colours import DARK, LIGHT, Colours, channels

SIGHTS = {
    "all cones": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
}
"""What is left of linear red, green and blue without one kind of cones (Machado et al. 2009)."""
TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
)  # fmt: skip
WHITE = np.array([0.9505, 1.0, 1.089])
CLASSES_APART, LINES_APART, STEPS_APART = 15.0, 12.0, 8.0
"""Least ΔE (CIE 1976): 2.3 is just seen side by side; small points far apart need far more."""
CLASSES = 8

both = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
every_sight = pytest.mark.parametrize("sight", SIGHTS)


def lab(rgb: Floats, sight: str) -> Floats:
    """CIE L*a*b* of colours from 0 to 255 as they are seen, shape (K, 3)."""
    shares = rgb / 255.0
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ SIGHTS[sight].T, 0.0, 1.0)
    ratio = seen @ TO_XYZ.T / WHITE
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.column_stack(
        [116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])]
    )


def least_difference(colours: tuple[str, ...], sight: str) -> float:
    places = lab(np.array([channels(colour) for colour in colours], dtype=np.float64), sight)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    return float(apart[np.triu_indices(len(colours), 1)].min())


def test_that_red_and_green_of_one_lightness_are_told_apart_by_some_only() -> None:
    pair = ("#B05A3C", "#7C7A33")

    assert least_difference(pair, "all cones") > 3.0 * least_difference(pair, "deuteranopia")


@both
@every_sight
def test_that_classes_can_be_told_apart(colours: Colours, sight: str) -> None:
    assert len(colours.classes) == CLASSES
    assert least_difference(colours.classes, sight) >= CLASSES_APART


@both
@every_sight
def test_that_lines_of_plots_can_be_told_apart(colours: Colours, sight: str) -> None:
    assert least_difference(colours.series, sight) >= LINES_APART


@every_sight
@pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.key)
def test_that_steps_of_a_palette_can_be_told_apart(palette: Palette, sight: str) -> None:
    steps = lab(palette.table[:: 256 // 8].astype(np.float64), sight)

    assert np.linalg.norm(np.diff(steps, axis=0), axis=1).min() >= STEPS_APART
    if palette.scheme is PaletteScheme.SEQUENTIAL:
        # Much and little are told by lightness, which every sight has.
        assert np.all(np.diff(steps[:, 0]) > 0.0) or np.all(np.diff(steps[:, 0]) < 0.0)


BACKDROPS = ("window", "surface", "raised", "sunken", "hover", "pressed")
WRITTEN = {
    "text": (*BACKDROPS, "selection", "accent_soft"),
    "muted": BACKDROPS,
    "accent": ("window", "surface", "raised", "accent_soft"),
    "accent_text": ("accent", "accent_hover", "accent_pressed"),
    "danger": ("window", "surface", "danger_soft"),
    "warning": ("window", "surface", "warning_soft"),
    "success": ("window", "surface", "success_soft"),
}
"""Every colour that texts have in the style sheet, and what they stand on."""


@both
@pytest.mark.parametrize("role", WRITTEN)
def test_that_texts_can_be_read(colours: Colours, role: str) -> None:
    named = colours.named

    least = min(contrast(named[role], named[backdrop]) for backdrop in WRITTEN[role])
    assert least >= TEXT_CONTRAST
