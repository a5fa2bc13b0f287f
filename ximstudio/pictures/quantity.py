"""What the numbers of a table are, by what was done to them, and which colours suit. No Qt."""

from __future__ import annotations

from ximstudio.maps.palettes import PaletteScheme, Scale, scale_of
from ximstudio.model.arrays import Floats
from ximstudio.prepare.recipe import Recipe
from ximstudio.session.shown import Shown

CHANGES = {
    "log2": "log2",
    "arcsinh": "arcsinh",
    "square_root": "root",
    "quantile": "ranked",
    "centre": "centred",
    "scale": "scaled",
}
"""Steps of a recipe that change what a value means → how the value is called after them."""
ONE_SIDED = 0.2
"""How far values reach to their shorter side of 0, of the longer, if they are on one side."""
COMPONENTS = "pca"
"""The step after which there are no values any more."""


def value_words(shown: Shown) -> str:
    """What a colour bar calls the values of a table: "centred log2 value"."""
    return "value as prepared" if shown.run is None else recipe_words(shown.run.input.recipe)


def recipe_words(recipe: Recipe) -> str:
    """What values are called after a recipe."""
    words = "value"
    for planned in recipe.steps:
        if planned.on and planned.step.key == COMPONENTS:
            words = "score"
        elif planned.on and planned.step.key in CHANGES:
            words = f"{CHANGES[planned.step.key]} {words}"
    return words


def sided_scale(values: Floats) -> Scale:
    """The scale of values, on both sides of 0 if they are.

    A few values below 0, as of a background that was taken off, do not make two sides.
    """
    scale = scale_of(values)
    shorter, longer = sorted((abs(scale.low), abs(scale.high)))
    return scale if shorter < ONE_SIDED * longer else scale_of(values, PaletteScheme.DIVERGING)
