"""Settings of the window, and damaged settings files."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ximstudio.load import Choices
from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session.preferences_file import SETTINGS_FOLDER
from ximstudio.session.presets import presets_file
from ximstudio.ui.runtime.settings import MOST_RECENT, Recent, Remembered, Settings
from ximstudio.ui.widgets.look.theme import Scheme


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "not made yet" / "settings.json"


def test_that_everything_is_there_again_on_the_next_day(path: Path) -> None:
    recent = Recent(name="a.csv", size="3 genes", input=Input(name="a.csv").as_values())
    settings = Settings(path)
    settings.change(scheme=Scheme.DARK, folder="/data", layout={"window": "AAA="})
    settings.change(switches={"runs folded": True})
    settings.remember_file(recent)

    again = Settings(path).now

    assert again == settings.now
    assert again.recent == (recent,)
    assert again.scheme is Scheme.DARK


def test_that_settings_and_pasted_tables_can_be_moved_as_presets_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(SETTINGS_FOLDER, str(tmp_path / "stick"))
    settings = Settings.of_this_person()
    settings.change(folder="/data")

    assert Settings(tmp_path / "stick" / "settings.json").now.folder == "/data"
    assert presets_file().parent == tmp_path / "stick"
    assert settings.pasted == tmp_path / "stick" / "pasted"


def test_that_no_half_written_file_is_left(path: Path) -> None:
    Settings(path).change(folder="/data")

    left = {each.name for each in path.parent.iterdir()}
    assert left - {f".{path.name}.lock"} == {path.name}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '{"schema": 99}',
        '{"schema": 1, "scheme": "pink", "folder": null, "layout": [], "switches": 1}',
        '{"schema":1,"scheme":"auto","recent":[{"x":1},{"name":1},{"name":"a","size":1}]}',
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
    ids=range(9),
)
def test_that_a_damaged_file_counts_as_none(path: Path, content: str) -> None:
    path.parent.mkdir()
    path.write_text(content, encoding="utf-8")

    now = Settings(path).now

    assert replace(now, folder="") == Remembered()


def test_that_a_file_that_cannot_be_read_is_told_of_and_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("[" * 100_000, encoding="utf-8")
    settings = Settings(path)

    assert settings.trouble is not None
    settings.change(folder="/data")

    assert path.with_name("settings.unreadable-1.json").read_text(encoding="utf-8")[:2] == "[["
    assert Settings(path).now.folder == "/data"
    assert Settings(path).trouble is None


def test_that_one_bad_entry_costs_nothing_but_itself(path: Path) -> None:
    path.parent.mkdir()
    recent = [{"name": "a.csv", "later": 1}, 5, {"name": "b.csv"}]
    values = {"schema": 2, "scheme": "pink", "folder": "/data", "recent": recent, "new": [1]}
    path.write_text(json.dumps(values), encoding="utf-8")
    settings = Settings(path)

    assert settings.now.folder == "/data"
    assert [each.name for each in settings.now.recent] == ["a.csv", "b.csv"]
    settings.change(scheme=Scheme.DARK)

    kept = json.loads(path.read_text(encoding="utf-8"))
    assert (kept["schema"], kept["new"], kept["scheme"]) == (2, [1], "dark")


def test_that_two_windows_keep_what_the_other_changed(path: Path) -> None:
    one, other = Settings(path), Settings(path)
    one.remember_file(Recent(name="a.csv"))
    one.change(scheme=Scheme.DARK, switches={"runs folded": True})
    other.remember_file(Recent(name="b.csv"))
    other.change(switches={**other.now.switches, "steps folded": True}, layout={"window": "AAA="})
    one.forget_file("a.csv")
    one.change(layout={**one.now.layout, "dialog": "BBB="})

    now = Settings(path).now
    assert [each.name for each in now.recent] == ["b.csv"]
    assert now.scheme is Scheme.DARK
    assert now.switches == {"runs folded": True, "steps folded": True}
    assert now.layout == {"window": "AAA=", "dialog": "BBB="}


def test_that_a_folder_that_cannot_be_written_to_keeps_nobody_from_working(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = Settings(tmp_path / "file" / "settings.json")

    settings.change(folder="/data")

    assert settings.now.folder == "/data"


def test_that_the_newest_file_is_on_top_and_none_is_there_twice() -> None:
    settings = Settings()
    for number in (*range(MOST_RECENT + 3), 5):
        settings.remember_file(Recent(name=f"{number}.csv"))

    names = [recent.name for recent in settings.now.recent]

    assert names[:2] == ["5.csv", f"{MOST_RECENT + 2}.csv"]
    assert len(set(names)) == len(names) == MOST_RECENT


def test_that_a_recent_file_is_wanted_as_it_was_opened(path: Path) -> None:
    wanted = Input(
        name="a.csv",
        choices=Choices(items="columns", delimiter=";"),
        recipe=Recipe.of(planned("log2")),
    )
    Settings(path).remember_file(Recent(name="a.csv", input=wanted.as_values()))

    (recent,) = Settings(path).now.recent

    assert recent.wanted == wanted


def test_that_a_recent_file_whose_recipe_is_not_understood_is_opened_plainly() -> None:
    values = Input(name="a.csv").as_values()
    values["recipe"]["steps"] = [{"step": "no such step", "parameters": {}, "on": True}]

    assert Recent(name="a.csv", input=values).wanted == Input(name="a.csv")
