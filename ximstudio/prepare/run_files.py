"""Write the preparation of a table to files: the recipe, and all that was left out."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from ximstudio.files.columns import texts
from ximstudio.files.csv_table import write_csv
from ximstudio.prepare.input import Opened
from ximstudio.prepare.recipe import write_recipe

RECIPE, FROZEN = "recipe.json", "frozen.npz"


def write_preparation(folder: Path, opened: Opened) -> None:
    """The files about the preparation, as far as there is something to tell.

    recipe.json for other tables, frozen.npz with what its steps learnt from this one, and all that
    they removed as removed.csv.
    """
    frozen = opened.prepared.frozen
    if frozen.recipe.steps:
        write_recipe(frozen.recipe, folder / RECIPE)
        frozen.write(folder / FROZEN)
    removed = list(_removed(opened))
    if removed:
        columns = map(texts, ("step", "what", "name"), zip(*removed, strict=True))
        write_csv(folder / "removed.csv", list(columns))


def copy_preparation(source: Path, folder: Path) -> None:
    """The recipe of another run and what its steps learnt there, as far as it had one."""
    for name in (RECIPE, FROZEN):
        if (source / name).exists():
            shutil.copyfile(source / name, folder / name)


def _removed(opened: Opened) -> Iterator[list[str]]:
    for number, stage in enumerate(opened.prepared.stages, start=1):
        step = f"{number} {stage.planned.step.key}"
        yield from ([step, "item", name] for name in stage.removed_items)
        yield from ([step, "feature", name] for name in stage.removed_features)
