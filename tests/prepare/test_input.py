"""A table from its file to what training sees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ximstudio.load import Choices
from ximstudio.model import UserError
from ximstudio.prepare.input import Input, Joining
from ximstudio.prepare.recipe import Recipe, planned


def save(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def table(tmp_path: Path) -> str:
    return save(tmp_path / "table.csv", "gene,a,b,c\nx,1,2,3\ny,4,5,6\nx,7,9,8\nz,7,8,8.5\n")


def test_that_reading_labels_and_steps_make_a_matrix(table: str, tmp_path: Path) -> None:
    notes = save(tmp_path / "notes.tsv", "gene\tkind\nz\told\nX\tnew\n")
    wanted = Input(
        name=table,
        joinings=(Joining(name=notes),),
        recipe=Recipe.of(planned("repeated", how="first")),
    )
    opened = wanted.open()
    assert opened.matrix.item_ids == ("x", "y", "z")
    assert opened.matrix.item_labels["kind"] == ("new", "", "old")
    assert {note.key for note in opened.notes} >= {"prepare.removed"}


def test_that_what_the_recipe_leaves_wrong_is_refused_when_the_matrix_is_asked_for(
    table: str,
) -> None:
    opened = Input(name=table).open()
    with pytest.raises(UserError) as caught:
        _ = opened.matrix
    assert caught.value.keys == ("matrix.duplicate_item",)


@pytest.mark.parametrize(("items", "side"), [("rows", "features"), ("columns", "items")])
def test_that_classes_of_samples_follow_them_to_either_side(
    items: str, side: str, table: str, tmp_path: Path
) -> None:
    classes = save(tmp_path / "table.cls", "3 2 1\n# ill well\n0 1 1\n")
    wanted = Input(name=table, choices=Choices(items=items), joinings=(Joining(name=classes),))
    labels = wanted.read().table.axis(side).labels
    assert labels["class"] == ("ill", "well", "well")


def test_that_an_input_survives_json(table: str) -> None:
    wanted = Input(
        name=table,
        choices=Choices(labels=("a",), delimiter=",", missing=("n.d.",)),
        joinings=(Joining(name="other.csv", on="id"),),
        frozen="frozen.npz",
        recipe=Recipe.of(planned("log2", offset=2.0)),
    )
    assert Input.from_values(json.loads(json.dumps(wanted.as_values()))) == wanted
