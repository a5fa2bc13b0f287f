"""The guide lists every step as it is, and what it shows works."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from ximstudio.model.table import Table
from ximstudio.prepare.recipe import Frozen, Prepared, Recipe
from ximstudio.prepare.step import Step
from ximstudio.prepare.steps import STEPS

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guide" / "preparing.md"


def row_of(step: Step) -> str:
    """A step as docs/guide/preparing.md shows it."""
    defaults = step.params.defaults()
    shown = [f"`{name}={spec.show(defaults[name])}`" for name, spec in step.params.specs().items()]
    return f"| {step.name} | `{step.key}` | {step.about} | {' '.join(shown) or '–'} |"


def test_that_the_guide_lists_every_step_as_it_is() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    table = text.split("| step | key |")[1].split("\n\n")[0].splitlines()[2:]
    assert table == [row_of(step) for step in STEPS]


def test_that_the_guides_recipe_is_one() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert [each.step.key for each in Recipe.from_text(example).steps] == [
        "repeated",
        "log2",
        "top",
    ]


def test_that_the_guides_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(example, names)
    prepared, later = names["prepared"], names["later"]
    assert isinstance(prepared, Prepared)
    assert isinstance(later, Prepared)
    assert isinstance(names["frozen"], Frozen)
    table = names["table"]
    assert isinstance(table, Table)
    np.testing.assert_array_equal(later.table.dense, prepared.table.dense[:10])
