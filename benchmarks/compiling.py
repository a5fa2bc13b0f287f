"""Compiling all kernels of a run | loading them from the cache, in fresh processes.

Each process imports the package, then trains a tiny map and places its items, so that what it
spends is the compiler or the cache. Compiled once per machine and version.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.processes import Processes, fresh_processes
from benchmarks.timing import Row, Timed, show

ROUNDS = 3


def first_use() -> tuple[float, float]:
    """Seconds spent on importing the package, and on its first training and placing."""
    began = time.perf_counter()
    from benchmarks.trainings import groups
    from ximstudio.train import method_named, train
    from ximstudio.train.xim_family import XimParams

    imported = time.perf_counter()
    train(groups(20, 3), method_named("c-xim"), XimParams(shape=(3, 3), n_steps=64))
    return imported - began, time.perf_counter() - imported


def measured(processes: Processes, cache: str) -> tuple[float, float]:
    """`first_use` in a fresh process with this kernel cache."""
    output = processes.run("-m", "benchmarks.compiling", "child", NUMBA_CACHE_DIR=cache).stdout
    imports, use = map(float, output.split())
    return imports, use


def main() -> None:
    """Print the table."""
    cold, cached, imports = [], [], []
    with fresh_processes() as processes:
        measured(processes, str(processes.folder / "unused"))
        for number in range(ROUNDS):
            cache = str(processes.folder / f"kernels-{number}")
            cold.append(measured(processes, cache)[1])
            spent = measured(processes, cache)
            imports.append(spent[0])
            cached.append(spent[1])
    compiled = Timed(name="compiled", seconds=np.array(cold))
    loaded = Timed(name="loaded from the cache", seconds=np.array(cached))
    package = Timed(name="import of the package", seconds=np.array(imports))
    rows = [
        Row(work="kernels compiled", ours=compiled, theirs=loaded),
        Row(work="kernels loaded", ours=loaded, theirs=package),
    ]
    show("First use in a process", rows)


if __name__ == "__main__":
    if sys.argv[1:] == ["child"]:
        print(*first_use())
    else:
        main()
