"""Kernels are compiled when they are first called, and numba is not imported before."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from ximstudio.kernels.jit import Kernel, inlined, kernel, strict
from ximstudio.model.arrays import Floats

CHECKOUT = Path(__file__).parents[2]


@inlined
def doubled(value: float) -> float:
    """Twice a number."""
    return 2.0 * value


@strict
def summed(values: Floats) -> float:
    """The sum of the doubled numbers."""
    total = 0.0
    for value in values:
        total += doubled(value)
    return total


@kernel
def mean(values: Floats) -> float:
    """The mean of the doubled numbers."""
    return summed(values) / values.size


def old_label(code: str, **settings: str) -> list[str]:
    """What a fresh process prints, word by word."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(CHECKOUT)} | settings,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()


def test_that_a_kernel_calls_kernels() -> None:
    assert mean(np.array([1.0, 2.0, 6.0])) == 6.0


def test_that_a_kernel_is_known_by_the_name_and_words_of_its_function() -> None:
    assert (mean.__name__, mean.__doc__) == ("mean", "The mean of the doubled numbers.")


def test_that_threads_that_call_first_at_the_same_time_get_one_and_the_same() -> None:
    def plus_one(value: float) -> float:
        return value + 1.0

    made = kernel(plus_one)
    assert isinstance(made, Kernel)
    together = threading.Barrier(4)

    def ask() -> int:
        together.wait()
        return id(made.compiled)

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask) for _ in range(4)]

    assert {each.result() for each in asked} == {id(made.compiled)}


@pytest.mark.parametrize(
    "module",
    ["ximstudio.train", "ximstudio.place", "ximstudio.measure.catalogue", "ximstudio.maps"],
)
def test_that_what_there_is_can_be_listed_without_numba_and_scipy(module: str) -> None:
    loaded = old_label(f"import sys, {module}\nprint(*sys.modules)")

    assert module in loaded
    assert not {"numba", "llvmlite", "scipy", "sklearn"} & set(loaded)


@pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere XDG does not count.")
def test_that_compiled_kernels_are_kept_in_a_folder_of_ours_whoever_imports_numba_first(
    tmp_path: Path,
) -> None:
    code = (
        "import numba, numpy as np\n"
        "from ximstudio.kernels.search import argmin\n"
        "print(argmin(np.array([3, 1, 2], dtype=np.float32)), repr(numba.config.CACHE_DIR))"
    )

    told = old_label(code, NUMBA_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path))

    assert told == ["1", "''"]
    assert list(tmp_path.glob("ximstudio/kernels-*/**/*.nbi"))


FOLDER_OF = "from ximstudio.kernels.compiler import cache_folder, cache_is_kept"


def folder_told(home: Path, temporary: Path) -> tuple[Path, bool]:
    """Where a fresh process keeps its kernels, and whether the next one finds them there."""
    settings = {"HOME": str(home), "XDG_CACHE_HOME": str(home), "TMPDIR": str(temporary)}
    code = f"{FOLDER_OF}; print(cache_folder(), cache_is_kept())"
    folder, kept = old_label(code, NUMBA_CACHE_DIR="", **settings)
    return Path(folder), kept == "True"


@pytest.mark.skipif(os.name == "nt", reason="folders of Windows have other rights")
def test_that_kernels_are_kept_among_temporary_files_where_home_is_read_only(
    tmp_path: Path,
) -> None:
    (tmp_path / "home").touch()  # no folder, so nothing can be made in it: root may write anywhere
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    first, kept = folder_told(tmp_path / "home", temporary)
    assert kept
    assert temporary in first.parents
    assert first.stat().st_mode & 0o077 == 0
    assert folder_told(tmp_path / "home", temporary) == (first, True)
    # What others may write to could hold anything.
    first.parent.chmod(0o777)
    second, kept = folder_told(tmp_path / "home", temporary)
    assert not kept
    assert second != first


def misses_of(checkout: Path, cache: Path) -> int:
    """How many kernels a fresh process compiles of those that a search needs."""
    code = (
        "import numpy as np\n"
        "from ximstudio.kernels.search import argmin\n"
        "argmin(np.array([3, 1, 2], dtype=np.float32))\n"
        "print(sum(argmin.compiled.stats.cache_misses.values()))"
    )
    settings = {"PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1", "NUMBA_CACHE_DIR": str(cache)}
    (told,) = old_label(code, **settings)
    return int(told)


@pytest.mark.thorough
def test_that_the_same_kernels_elsewhere_are_not_compiled_again(tmp_path: Path) -> None:
    cache, other = tmp_path / "cache", tmp_path / "other"
    shutil.copytree(CHECKOUT / "ximstudio", other / "ximstudio")
    assert [misses_of(each, cache) for each in (CHECKOUT, other)] == [1, 0]

    # A change in any of them may be one in a kernel that the others call.
    with (other / "ximstudio/kernels/points.py").open("a") as file:
        file.write("# changed\n")
    assert [misses_of(each, cache) for each in (other, other, CHECKOUT)] == [1, 0, 0]


def test_that_processes_that_start_together_compile_once(tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text(
        "import sys\n"
        "from ximstudio.kernels.jit import kernel\n"
        "@kernel\n"
        "def inner(value): return value * 3.0\n"
        "@kernel\n"
        "def outer(value): return inner(value) + 1.0\n"
        "if __name__ == '__main__':\n"
        "    import shared\n"
        "    print('ready', flush=True); input()\n"
        "    assert shared.outer(2.0) == 7.0\n"
        "    stats = [each.compiled.stats for each in (shared.inner, shared.outer)]\n"
        "    print(sum(sum(each.cache_misses.values()) for each in stats))\n",
        encoding="utf-8",
    )
    settings = {"PYTHONPATH": f"{CHECKOUT}{os.pathsep}{tmp_path}", "NUMBA_CACHE_DIR": str(tmp_path)}
    started = [
        subprocess.Popen(
            [sys.executable, str(tmp_path / "shared.py")],
            env=os.environ | settings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for each in started:
        assert each.stdout is not None
        assert each.stdout.readline().split() == ["ready"]
    for each in started:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    misses = [int(each.communicate()[0]) for each in started]
    assert all(each.returncode == 0 for each in started)
    assert sum(misses) == 2


def test_that_a_process_that_compiled_or_could_not_ends_without_a_word(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(
        "from ximstudio.kernels.jit import kernel\n"
        "@kernel\n"
        "def good(value): return value * 3.0\n"
        "@kernel\n"
        "def bad(value): return value + 'text'\n",
        encoding="utf-8",
    )
    code = (
        "import atexit, gc, two\n"
        "from filelock import BaseFileLock as Lock\n"
        "def n_locks(): return sum(isinstance(each, Lock) for each in gc.get_objects())\n"
        # What is registered first is called last.
        "atexit.register(lambda: print(n_locks()))\n"
        "two.good(2.0), two.good(2)\n"
        "print(n_locks())\n"
        "try: two.bad(2.0)\n"
        "except Exception: print(n_locks())\n"
    )
    settings = {"PYTHONPATH": f"{CHECKOUT}{os.pathsep}{tmp_path}", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    # A lock that outlives the modules it needs complains of it when the interpreter ends.
    assert done.stdout.split() == ["0", "1", "0"]
    assert done.stderr == ""
