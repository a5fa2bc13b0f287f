"""Recipes: saved, read back, carried out step by step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.prepare.tables import CASES, assert_same, complete, done, holed, prepared, table_of
from ximstudio.model import Severity, UserError
from ximstudio.model.problem import RecipeStep
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.recipe import (
    Planned,
    Recipe,
    planned,
    read_recipe,
    step_named,
    write_recipe,
)

USUAL = Recipe.of(
    planned("repeated", how="mean"),
    planned("repeated", how="mean", axis="features"),
    planned("filter_missing", share=0.6),
    planned("library_size", samples="features"),
    planned("log2", offset=1),
    planned("top", axis="items", n=8),
    planned("impute", how="nearest", k=3),
    planned("scale", axis="items"),
)

planned_steps = st.builds(
    lambda case, on: Planned(
        step=step_named(case[0]), params=planned(case[0], **case[1]).params, on=on
    ),
    st.sampled_from(CASES),
    st.booleans(),
)


@given(st.lists(planned_steps, max_size=5))
def test_that_any_recipe_reads_back_equal(steps: list[Planned]) -> None:
    recipe = Recipe(steps=tuple(steps))
    assert Recipe.from_values(json.loads(json.dumps(recipe.as_values()))) == recipe
    assert Recipe.from_text(recipe.as_text()) == recipe


@given(st.lists(st.text(st.characters(categories=None)), min_size=1, unique=True))
def test_that_any_names_survive_a_file(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    recipe = Recipe.of(planned("drop", names=names))
    path = tmp_path_factory.mktemp("r") / "recipe.json"
    write_recipe(recipe, path)
    assert read_recipe(path) == recipe


def test_that_a_recipe_is_kept_in_a_file(tmp_path: Path) -> None:
    write_recipe(USUAL, tmp_path / "usual.json")
    assert read_recipe(tmp_path / "usual.json") == USUAL
    assert [path.name for path in tmp_path.iterdir()] == ["usual.json"]


def test_that_steps_follow_each_other() -> None:
    step_by_step = holed()
    for each in USUAL.steps:
        step_by_step = prepared(step_by_step, each)
    assert_same(USUAL.prepare(holed()).table, step_by_step)


def test_that_every_stage_tells_what_the_table_was_and_became() -> None:
    result = USUAL.prepare(holed())
    assert len(result.stages) == len(USUAL.steps)
    assert result.stages[0].before.n_items == holed().n_items
    for before, after in zip(result.stages, result.stages[1:], strict=False):
        assert after.before is before.after
    assert result.stages[-1].after.missing == 0
    assert result.stages[-1].after.n_items == result.table.n_items == 8


def test_that_notes_have_the_address_of_their_step() -> None:
    notes = USUAL.prepare(holed()).notes
    assert notes
    assert all(note.step is not None for note in notes)
    assert all(note.severity is not Severity.ERROR for note in notes)


def test_that_a_refusal_has_the_address_of_its_step() -> None:
    with pytest.raises(UserError) as caught:
        prepared(table_of([[1, -5], [2, 3]]), planned("orientation"), planned("log2"))
    (problem,) = caught.value.problems
    assert problem.step == RecipeStep(2, "log2")
    assert problem.address.startswith("step 2 (log2), ")


def test_that_an_empty_recipe_changes_nothing() -> None:
    table = complete()
    assert Recipe().prepare(table).table is table


def test_that_an_empty_table_is_refused() -> None:
    table = Table(values=np.empty((0, 2)), items=Axis(names=()), features=Axis(names=("a", "b")))
    with pytest.raises(UserError) as caught:
        USUAL.prepare(table)
    assert caught.value.keys == ("prepare.empty",)


def test_that_progress_rises_to_one_and_may_end_the_work() -> None:
    heard: list[float] = []
    USUAL.prepare(holed(), heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        USUAL.prepare(holed(), stop)


def test_that_values_that_leave_the_range_of_numbers_are_told() -> None:
    result = Recipe.of(planned("library_size", target=1e300)).prepare(
        table_of([[1e-300, 1e300], [1e300, 1e300]])
    )
    assert not result.notes
    result = Recipe.of(planned("centre", axis="features")).prepare(
        table_of([[1.7e308], [-1.7e308], [-1.7e308]])
    )
    assert [note.key for note in result.notes] == ["prepare.became_infinite"]


@pytest.mark.parametrize(
    ("step", "key", "address"),
    [
        ({"step": "log"}, "step.unknown", "step 2 (log)"),
        ({"step": "log2", "parameters": {"ofset": 1}}, "params.unknown", "step 2 (log2)"),
        ({"step": "log2", "parameters": {"offset": -1}}, "params.bounds", "step 2 (log2)"),
        ({"step": "log2", "parameters": {"offset": 10**400}}, "params.bounds", "step 2 (log2)"),
        ({"step": "log2", "parameters": {"key": "x"}}, "params.unknown", "step 2 (log2)"),
        ({"step": "log2", "parameters": []}, "recipe.entry", "step 2 (log2)"),
        ({"step": "log2", "on": 1}, "recipe.entry", "step 2 (log2)"),
        ({"step": 5}, "recipe.entry", "step 2 (5)"),
        ({"stop": "log2"}, "recipe.entry", "step 2 (?)"),
        ("log2", "recipe.entry", "step 2 (?)"),
        (None, "recipe.entry", "step 2 (?)"),
    ],
)
def test_that_wrong_steps_are_refused_with_their_address(step: Any, key: str, address: str) -> None:
    values = {"schema": 1, "steps": [{"step": "pca"}, step]}
    with pytest.raises(UserError) as caught:
        Recipe.from_values(values, where="my.json")
    assert caught.value.keys == (key,)
    assert caught.value.problems[0].address.startswith(f"{address}, ")
    assert "my.json" in caught.value.problems[0].where


def test_that_all_wrong_steps_are_refused_together() -> None:
    steps = [{"step": "log"}, {"step": "pca"}, {"step": "scal", "parameters": {"how": "?"}}]
    with pytest.raises(UserError) as caught:
        Recipe.from_values({"schema": 1, "steps": steps})
    assert caught.value.keys == ("step.unknown", "step.unknown")
    assert "'log2'" in caught.value.problems[0].way_out
    assert "'scale'" in caught.value.problems[1].way_out


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"schema": 3, "steps": []}', "recipe.newer"),
        ('{"schema": 0, "steps": []}', "recipe.unreadable"),
        ('{"schema": true, "steps": []}', "recipe.unreadable"),
        ('{"schema": "1", "steps": []}', "recipe.unreadable"),
        ('{"steps": []}', "recipe.unreadable"),
        ('{"schema": 1, "steps": {}}', "recipe.unreadable"),
        ("[]", "recipe.unreadable"),
        ("3", "recipe.unreadable"),
        ("", "recipe.unreadable"),
        ('{"schema": 1,', "recipe.unreadable"),
        ("[" * 100_000, "recipe.unreadable"),
        ("1" * 10_000, "recipe.unreadable"),
    ],
)
def test_that_what_is_no_recipe_is_refused(tmp_path: Path, text: str, key: str) -> None:
    path = tmp_path / "recipe.json"
    path.write_text(text)
    with pytest.raises(UserError) as caught:
        read_recipe(path)
    assert caught.value.keys == (key,)
    assert str(path) in caught.value.problems[0].where


def test_that_files_that_cannot_be_read_or_written_are_refused(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xff\xfe\xfa{}")
    for name, key in (
        ("absent", "prepare.unreadable"),
        (".", "prepare.unreadable"),
        ("latin", "recipe.unreadable"),
    ):
        with pytest.raises(UserError) as caught:
            read_recipe(tmp_path / name)
        assert caught.value.keys == (key,)
    with pytest.raises(UserError) as caught:
        write_recipe(USUAL, tmp_path / "no" / "such" / "folder")
    assert caught.value.keys == ("prepare.unwritable",)


def test_that_recipes_without_parameters_take_the_defaults() -> None:
    recipe = Recipe.from_text('{"schema": 1, "steps": [{"step": "log2"}]}')
    assert recipe == Recipe.of(planned("log2"))
    assert_same(recipe.prepare(holed()).table, done(holed(), "log2"))
