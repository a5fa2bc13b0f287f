"""The first reading: no compiler for small tables, and shared waiting for large ones."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest

from ximstudio.load.reading import Choices, silent
from ximstudio.load.source import Source
from ximstudio.load.text import block, delimited, digits

SMALL = Path(__file__).parents[1] / "data" / "text" / "comma.csv"
LARGE = b"1\t2\n" * block.MANY


class Enough(Exception):
    """Raised by a report."""


class Broken(Exception):
    """Raised instead of loading."""


@pytest.fixture
def not_loaded() -> None:
    """As if nothing had been read yet."""
    digits.load_ahead.cache_clear()


def modules_after(code: str, **settings: str) -> set[str]:
    """The modules that a fresh process has loaded when it has done something."""
    code = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | settings,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_that_a_small_table_is_inspected_without_a_slow_library() -> None:
    code = f"from ximstudio.cli import main\nmain(['inspect', {str(SMALL)!r}])"
    slow = {"numba", "llvmlite", "pandas", "scipy", "sklearn", "matplotlib", "h5py", "pyarrow"}
    assert not slow & modules_after(code)


def test_that_a_compiled_kernel_is_loaded_without_the_compilers_libraries(tmp_path: Path) -> None:
    code = (
        "from ximstudio.load.text.block import MANY, read_block\n"
        "found = read_block(b'1\\t2.5e300\\n' * MANY, width=2, name='')\n"
        "assert (found.values == [1, 2.5e300]).all()"
    )
    compiling = modules_after(code, NUMBA_CACHE_DIR=str(tmp_path))
    loading = modules_after(code, NUMBA_CACHE_DIR=str(tmp_path))
    assert {"numba", "numba.np.linalg", "scipy.linalg"} <= compiling
    assert "numba" in loading
    assert not {"numba.np.linalg", "scipy.linalg"} & loading


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("times", [1, 20])
def test_that_a_large_file_has_the_kernel_loaded_while_it_is_read(
    packed: bool, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(delimited, "load_ahead", lambda: begun.append("loading"))
    path = tmp_path / "table"
    content = os.urandom(block.MANY // 2).hex().encode() * times
    path.write_bytes(gzip.compress(content) if packed else content)

    def report(_: float) -> None:
        begun.append("reading")
        raise Enough

    with pytest.raises(Enough):
        delimited.read(Source.at(path), Choices(), report)
    assert begun == ["loading", "reading"][times == 1 :]


@pytest.mark.usefixtures("not_loaded")
def test_that_what_goes_wrong_with_the_kernel_is_raised_and_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken() -> None:
        raise Broken

    with monkeypatch.context() as patch:
        patch.setattr(digits, "_load", broken)
        with pytest.raises(Broken):
            block.read_block(LARGE, width=2, name="")
    assert block.read_block(LARGE, width=2, name="", report=silent).values.shape == (block.MANY, 2)


def test_that_waiting_for_the_kernel_is_told_and_can_be_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loading: Future[None] = Future()
    heard: list[float] = []
    monkeypatch.setattr(digits, "BETWEEN_REPORTS", 0.001)
    monkeypatch.setattr(digits, "load_ahead", lambda: loading)

    def end(fraction: float) -> None:
        heard.append(fraction)
        if heard.count(fraction) == 3:
            raise Enough

    with pytest.raises(Enough):
        block.read_block(LARGE, width=2, name="", report=end)
    assert heard[-3:] == [0.1] * 3

    def go_on(_: float) -> None:
        if not loading.done():
            loading.set_result(None)

    block.read_block(LARGE, width=2, name="", report=go_on)
    assert loading.done()
