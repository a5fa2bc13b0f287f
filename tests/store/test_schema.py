"""Files of earlier versions open, files of later ones are refused, and no schema changes unseen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.store.alike import assert_alike
from tests.store.samples import FOLDER, contents
from ximstudio.load.sides import genes_of
from ximstudio.model.made_with import MadeWith
from ximstudio.model.problem import UserError
from ximstudio.prepare.planned import sides_in
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Session
from ximstudio.store import read_session, write_session
from ximstudio.store.schema import FORMAT, MIGRATIONS, SCHEMA, described, migrated


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_that_the_sample_of_every_schema_opens(schema: int, tmp_path: Path) -> None:
    sample = FOLDER / f"schema_{schema}.xims"
    stored = read_session(sample)
    told = json.loads(sample.with_suffix(".json").read_text(encoding="utf-8"))
    found = json.loads(json.dumps(contents(stored.session)))
    # Parameters that came later have their defaults in older files.
    plan, was = found.pop("plan"), told.pop("plan")
    assert all(plan[key].items() >= values.items() for key, values in was.items())
    # Recipes of before speak of items and features, which are sides of the table by now.
    recipe = Recipe.from_values(told.pop("recipe"))
    assert stored.session.data is not None
    genes = genes_of(stored.session.data.labelled.table)
    assert Recipe.from_values(found.pop("recipe")) == recipe.bound(genes)
    assert all(
        getattr(each.params, name) in ("genes", "samples")
        for each in stored.session.data.input.recipe.steps
        for name in sides_in(each.step)
    )
    # What a sample is known by may become more.
    assert {key: found[key] for key in told} == told
    assert stored.views == {"panes": ["map", "positions"]}
    write_session(tmp_path / "again.xims", stored.session)
    assert_alike(stored.session, read_session(tmp_path / "again.xims").session)


def test_that_maps_of_schema_1_are_not_said_to_be_made_by_this_program() -> None:
    for run in read_session(FOLDER / "schema_1.xims").session.runs:
        assert run.made_with == MadeWith(program="0.1.0")


def test_that_sets_of_schema_2_have_the_colours_of_their_places() -> None:
    sets = read_session(FOLDER / "schema_2.xims").session.sets
    assert sets
    assert all(each.colour is None for each in sets)


def test_that_the_schema_has_a_new_number_if_it_has_changed() -> None:
    """If this fails: raise SCHEMA, write a migration, and run tests.store.samples."""
    kept = (FOLDER / f"schema_{SCHEMA}.txt").read_text(encoding="utf-8")
    assert described() == kept


def test_that_every_older_schema_has_a_migration_and_a_sample() -> None:
    assert set(MIGRATIONS) == set(range(1, SCHEMA))
    assert {path.name for path in FOLDER.glob("*.xims")} == {
        f"schema_{schema}.xims" for schema in range(1, SCHEMA + 1)
    }


def test_that_migrations_are_made_one_after_the_other() -> None:
    def to_two(document: dict[str, Any]) -> dict[str, Any]:
        return {**document, "marks": document["stars"]}

    def to_three(document: dict[str, Any]) -> dict[str, Any]:
        return {**document, "marks": [each.upper() for each in document["marks"]]}

    made = {1: to_two, 2: to_three}
    first = {"format": FORMAT, "schema": 1, "stars": ["a"]}
    assert migrated(first, "x", newest=3, migrations=made)["marks"] == ["A"]
    second = {"format": FORMAT, "schema": 2, "marks": ["b"]}
    assert migrated(second, "x", newest=3, migrations=made)["marks"] == ["B"]
    assert migrated(second, "x", newest=2, migrations=made) is second
    for wrong in ({**first, "stars": [1]}, {"format": FORMAT, "schema": 1}):
        with pytest.raises(UserError) as caught:
            migrated(wrong, "x", newest=3, migrations=made)
        assert caught.value.keys == ("session.damaged",)


def test_that_a_file_of_an_older_schema_is_opened_by_its_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An artificial one, which called the number of maps that were made by another name."""
    path = tmp_path / "old.xims"
    write_session(path, Session(n_made=4))

    def older(document: Any, where: str) -> Any:
        session = {**document["session"]}
        session["made"] = session.pop("n_made")
        return migrated(
            {**document, "session": session}, where, newest=SCHEMA + 1, migrations={SCHEMA: back}
        )

    def back(document: Any) -> Any:
        session = {**document["session"]}
        session["n_made"] = session.pop("made")
        return {**document, "session": session}

    monkeypatch.setattr("ximstudio.store.files.migrated", older)
    assert read_session(path).session.n_made == 4


@pytest.mark.parametrize("schema", [SCHEMA + 1, 10**9])
def test_that_newer_schemas_are_refused(schema: int) -> None:
    with pytest.raises(UserError) as caught:
        migrated({"format": FORMAT, "schema": schema}, "x")
    assert caught.value.keys == ("session.newer",)


@pytest.mark.parametrize("schema", [0, -1, "1", 1.0, True, None])
def test_that_what_is_no_number_of_a_schema_is_refused(schema: Any) -> None:
    with pytest.raises(UserError) as caught:
        migrated({"format": FORMAT, "schema": schema}, "x")
    assert caught.value.keys == ("session.damaged",)


@pytest.mark.parametrize("document", [None, [], {}, {"format": "other", "schema": 1}])
def test_that_other_documents_are_no_sessions(document: Any) -> None:
    with pytest.raises(UserError) as caught:
        migrated(document, "x")
    assert caught.value.keys == ("session.not_ours",)
