"""Kernels are compiled when they are first called, and numba is not imported before."""

from __future__ import annotations

import os
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


def told_by(code: str, **settings: str) -> list[str]:
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
    loaded = told_by(f"import sys, {module}\nprint(*sys.modules)")

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

    told = told_by(code, NUMBA_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path))

    assert told == ["1", "''"]
    assert list(tmp_path.glob("ximstudio/kernels-*/**/*.nbi"))
