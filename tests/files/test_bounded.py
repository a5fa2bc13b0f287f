"""Files from elsewhere: no pipe, device, size or depth holds up a reader."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ximstudio.cli import main
from ximstudio.export.provenance import Provenance, read_provenance
from ximstudio.files.bounded import (
    IrregularFileError,
    OversizedFileError,
    open_regular,
    parse_json,
    read_bounded,
)
from ximstudio.load.run import read_record
from ximstudio.model.problem import UserError
from ximstudio.prepare.recipe import Frozen, read_recipe
from ximstudio.report.page import read_report
from ximstudio.reproduce.script_file import LARGEST, read_script

DEEP = ("[" * 100_000, '{"a":' * 100_000, "[" * 1000 + "]" * 1000)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_that_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bounded(path, 5) == b"12345"
    with pytest.raises(OversizedFileError):
        read_bounded(path, 4)


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null"])
def test_that_devices_are_no_files(name: str) -> None:
    if not Path(name).exists():
        pytest.skip(f"this system has no {name}")
    with pytest.raises(IrregularFileError):
        open_regular(Path(name))


def test_that_a_pipe_is_refused_without_waiting_for_a_writer(pipe: Path) -> None:
    with pytest.raises(IrregularFileError):
        read_bounded(pipe, 10)


def test_that_a_file_that_is_not_there_stays_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_bounded(tmp_path / "none", 10)


@pytest.mark.parametrize("text", [*DEEP, "", "{", "1" * 5000], ids=range(6))
def test_that_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_json(text)


READERS: tuple[Callable[[Path], object], ...] = (
    read_recipe,
    Frozen.read,
    read_script,
    read_provenance,
    read_report,
)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__qualname__)
def test_that_every_reader_refuses_a_pipe(reader: Callable[[Path], object], pipe: Path) -> None:
    with pytest.raises(UserError):
        reader(pipe)


@pytest.mark.parametrize("command", ["verify", "recipe", "frozen"])
@pytest.mark.parametrize("name", ["pipe", "/dev/zero"])
def test_that_commands_do_not_wait_for_a_pipe_or_device(
    command: str, name: str, pipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(pipe) if name == "pipe" else name
    out = ["--out", str(tmp_path / "out")]
    words = {
        "verify": ["verify", file],
        "recipe": ["run", "sample:yeast", *out, "--recipe", file],
        "frozen": ["run", "sample:yeast", *out, "--frozen", file],
    }
    assert main(words[command]) == 2
    assert "regular file" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", DEEP, ids=range(len(DEEP)))
def test_that_records_of_any_depth_cost_a_message(text: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(text, encoding="utf-8")
    (tmp_path / "recipe.json").write_text(text, encoding="utf-8")
    for refused, key in (
        (lambda: read_record(tmp_path), "run.damaged"),
        (lambda: read_recipe(tmp_path / "recipe.json"), "recipe.unreadable"),
        (lambda: Provenance.from_text(text, tmp_path), "provenance.damaged"),
    ):
        with pytest.raises(UserError) as caught:
            refused()
        assert caught.value.keys == (key,)


def test_that_a_script_is_read_once_however_often_a_receipt_begins(tmp_path: Path) -> None:
    path = tmp_path / "map.py"
    path.write_text("EXPECTED = {\n" * 200_000, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_script(path)
    assert caught.value.keys == ("verify.no_receipt",)


def test_that_a_script_of_any_size_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "map.py"
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(UserError) as caught:
        read_script(path)
    assert caught.value.keys == ("verify.no_receipt",)


@pytest.mark.parametrize("piece", ["<script ", "<script>", "<", "<script <"])
def test_that_a_page_of_beginnings_is_read_once(piece: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(piece * 200_000, encoding="utf-8")
    assert read_report(path) is None
