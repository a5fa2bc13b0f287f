"""What the numbers of a table are, by what was done to them. No Qt."""

from __future__ import annotations

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
