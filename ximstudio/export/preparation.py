"""What was done to a table before training, as files: the recipe, and all that was left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ximstudio.export.tables import write_table
from ximstudio.prepare.input import Opened
from ximstudio.prepare.recipe import write_recipe


def write_preparation(folder: Path, opened: Opened) -> None:
    """The files about the preparation, as far as there is something to tell.

    recipe.json for other tables, frozen.npz with what its steps learnt from this one, and all that
    they removed as removed.csv.
    """
    frozen = opened.prepared.frozen
    if frozen.recipe.steps:
        write_recipe(frozen.recipe, folder / "recipe.json")
        frozen.write(folder / "frozen.npz")
    removed = list(_removed(opened))
    if removed:
        write_table(folder / "removed.csv", ["step", "what", "name"], removed)


def _removed(opened: Opened) -> Iterator[list[str]]:
    for number, stage in enumerate(opened.prepared.stages, start=1):
        step = f"{number} {stage.planned.step.key}"
        yield from ([step, "item", name] for name in stage.removed_items)
        yield from ([step, "feature", name] for name in stage.removed_features)
