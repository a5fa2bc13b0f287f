"""A folder appears whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from ximstudio.files.atomic_folder import NewFolder
from ximstudio.model import UserError


def test_that_nothing_is_seen_before_it_is_kept(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "out"
    with NewFolder(place) as folder:
        (folder.path / "a").write_text("1")
        assert not place.exists()
        folder.keep()
    assert (place / "a").read_text() == "1"
    assert [path.name for path in place.parent.iterdir()] == ["out"]


def test_that_an_error_removes_what_was_written(tmp_path: Path) -> None:
    def fail() -> None:
        with NewFolder(tmp_path / "out") as folder:
            (folder.path / "a").write_text("1")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_that_replacing_exchanges_the_folders_at_the_end(tmp_path: Path) -> None:
    place = tmp_path / "out"
    place.mkdir()
    (place / "old").write_text("old")
    (place / "run.json").write_text("{}")
    with NewFolder(place, replace=True) as folder:
        (folder.path / "new").write_text("new")
        assert (place / "old").exists()
        folder.keep()
    assert [path.name for path in place.iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_that_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    place = tmp_path / "out"
    place.mkdir()
    with NewFolder(place) as folder:
        folder.keep()
    assert place.is_dir()


def test_that_a_full_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("1")
    with pytest.raises(UserError) as caught, NewFolder(tmp_path, replace=True):
        pass
    assert caught.value.keys == ("export.not_ours",)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(UserError) as caught, NewFolder(tmp_path):
        pass
    assert caught.value.keys == ("export.exists",)


def test_that_no_folder_is_replaced_that_is_still_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "out"
    (place / "below").mkdir(parents=True)
    (place / "run.json").write_text("{}")
    with (
        pytest.raises(UserError) as caught,
        NewFolder(place, replace=True, needed=[place / "table.csv"]),
    ):
        pass
    assert caught.value.keys == ("export.not_ours",)
    monkeypatch.chdir(place / "below")
    with pytest.raises(UserError) as caught, NewFolder(place, replace=True):
        pass
    assert caught.value.keys == ("export.not_ours",)


def test_that_the_old_result_comes_back_if_the_new_one_cannot_take_its_place(
    tmp_path: Path,
) -> None:
    place = tmp_path / "out"
    place.mkdir()
    (place / "run.json").write_text("old")
    with NewFolder(place, replace=True) as folder:
        made = folder.path
        folder.path = tmp_path / "vanished"
        with pytest.raises(FileNotFoundError):
            NewFolder.keep(folder)
        folder.path = made
    assert (place / "run.json").read_text() == "old"


def test_that_the_folder_can_be_read_by_others(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    with NewFolder(tmp_path / "out") as folder:
        folder.keep()
    assert (tmp_path / "out").stat().st_mode == plain.stat().st_mode
