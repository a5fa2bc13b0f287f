"""What was done to a table before training, as files: the recipe, and all that was left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ximstudio.export.tables import write_table
from ximstudio.prepare.input import Opened
from ximstudio.prepare.recipe import write_recipe


def write_preparation(folder: Path, opened: Opened) -> None:
    """recipe.json to prepare other tables alike, and removed.csv; only if there is something."""
    recipe = opened.prepared.frozen.recipe
    if recipe.steps:
        write_recipe(recipe, folder / "recipe.json")
    removed = list(_removed(opened))
    if removed:
        write_table(folder / "removed.csv", ["step", "what", "name"], removed)


def _removed(opened: Opened) -> Iterator[list[str]]:
    for number, stage in enumerate(opened.prepared.stages, start=1):
        step = f"{number} {stage.planned.step.key}"
        yield from ([step, "item", name] for name in stage.removed_items)
        yield from ([step, "feature", name] for name in stage.removed_features)
