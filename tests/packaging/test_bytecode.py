"""Compiled Python is kept between runs, beside the sources or in a separate folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bytecode import keep_bytecode


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


def test_that_bytecode_gets_a_folder_where_it_must_not_lie_beside_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "some.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "sources"))

    keep_bytecode(tmp_path / "kept")
    subprocess.run([sys.executable, "-c", "import some"], check=True)

    assert sys.pycache_prefix == str(tmp_path / "kept")
    assert not sys.dont_write_bytecode
    assert [path.name for path in (tmp_path / "sources").iterdir()] == ["some.py"]
    assert len(list((tmp_path / "kept").rglob("some.*.pyc"))) == 1


def test_that_bytecode_stays_beside_its_source_where_it_may(tmp_path: Path) -> None:
    keep_bytecode(tmp_path / "kept")

    assert sys.pycache_prefix is None
    assert "PYTHONPYCACHEPREFIX" not in os.environ
