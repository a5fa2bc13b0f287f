"""Files that appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from ximstudio.files.atomic import appearing
from ximstudio.model import UserError


def test_that_a_file_takes_its_place_at_the_end_only(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("older")
    with appearing(path) as unfinished:
        unfinished.write_text("newer")
        assert path.read_text() == "older"
    assert path.read_text() == "newer"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, MemoryError])
def test_that_whatever_ends_it_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "file"
    path.write_text("older")

    def write() -> None:
        with appearing(path) as unfinished:
            unfinished.write_text("half")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_that_what_the_system_refuses_is_told_with_a_key(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught, appearing(tmp_path / "none" / "file") as unfinished:
        unfinished.write_text("new")
    assert caught.value.keys == ("export.unwritable",)
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError), appearing(tmp_path / "folder", key="other.key") as unfinished:
        unfinished.write_text("new")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]
