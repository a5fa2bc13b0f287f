"""Names of the values of a table, by its preparation, and suitable colours. No Qt."""

from __future__ import annotations

from ximstudio.maps.palettes import PaletteScheme, Scale, scale_of
from ximstudio.model.arrays import Floats
from ximstudio.prepare.recipe import Recipe
from ximstudio.session.shown import Shown

ONE_SIDED = 0.2
"""Ratio of the extents on both sides of 0 up to which values count as one-sided."""


def value_words(shown: Shown) -> str:
    """Name the values of a table for a colour bar: "centred log2 value"."""
    return "value as prepared" if shown.run is None else recipe_words(shown.run.input.recipe)


def recipe_words(recipe: Recipe) -> str:
    """Name values after a recipe."""
    words = "value"
    for planned in recipe.steps:
        if planned.on:
            words = planned.step.values.format(words)
    return words


def sided_scale(values: Floats) -> Scale:
    """Return the scale of values, diverging if they lie on both sides of 0.

    A few values below 0, as after subtraction of a background, do not count.
    """
    scale = scale_of(values)
    shorter, longer = sorted((abs(scale.low), abs(scale.high)))
    return scale if shorter < ONE_SIDED * longer else scale_of(values, PaletteScheme.DIVERGING)
