"""Reading a CSV of 20 000 × 500 | pandas with its C engine and with pyarrow's, dialect given.

Every reading is a fresh process with warm caches. What is timed is the call alone, from the path to
an array and names, without the imports before it; our first row has the kernel loaded before as
well, as it is in a running program, our second has not. Ours is told nothing about the file: it
finds out the encoding, delimiter, header, names and decimal marks, and checks that every cell is a
number; the others are told the delimiter and the column of names.

Another table shows how often a file of 200 MB reports, and how soon it ends when the report raises.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.memory import resident
from benchmarks.processes import Processes, fresh_processes
from benchmarks.timing import Row, Timed, duration, show, show_table

ROUNDS = 9
N_ITEMS = 20_000
N_FEATURES = 500
LONGER = 2.8
"""How many times as many rows make a file of 200 MB."""

OURS, COLD, C_ENGINE, PYARROW = "ours", "ours, kernel not loaded", "pandas, C engine", "pyarrow"


def write_table(path: Path, n_items: int) -> None:
    """Values as of logarithms of intensities, with four decimals and one blank in a hundred."""
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        file.write(",".join(["gene", *(f"sample {number}" for number in range(N_FEATURES))]) + "\n")
        for item in range(n_items):
            values = rng.normal(8, 2, N_FEATURES)
            blank = rng.random(N_FEATURES) < 0.01
            cells = ["" if no else f"{value:.4f}" for value, no in zip(values, blank, strict=True)]
            file.write(",".join([f"GENE{item}", *cells]) + "\n")


def read_ours(path: str, *, loaded: bool) -> Any:
    """Seconds to read a table with our reader."""
    from ximstudio.kernels import digits
    from ximstudio.load import read
    from ximstudio.load.text import block

    assert digits
    if loaded:
        block.read_block(b"1\t2\n" * block.MANY, width=2, name="")
    began = time.perf_counter()
    table = read(path).table
    spent = time.perf_counter() - began
    assert table.dense.shape[1] == N_FEATURES
    return spent


def read_pandas(path: str, engine: Any) -> Any:
    """Seconds to read a table with pandas."""
    import pandas as pd

    if engine == "pyarrow":
        import pyarrow.csv

        assert pyarrow.csv
    began = time.perf_counter()
    frame = pd.read_csv(path, sep=",", index_col=0, engine=engine)
    values, names = frame.to_numpy(dtype=np.float64), frame.index.tolist()
    spent = time.perf_counter() - began
    assert values.shape == (len(names), N_FEATURES)
    return spent


def cancel(path: str) -> Any:
    """How often and how evenly a reading reports, and how soon it ends."""
    from ximstudio.load import Choices, read

    class EnoughError(Exception):
        """Raised by the report."""

    heard: list[float] = []
    read(path, Choices(), lambda _: heard.append(time.perf_counter()))
    delays = []
    for limit in (0.1, 0.3, 0.5, 0.7, 0.9):
        raised: list[float] = []

        def stop(fraction: float, limit: float = limit, raised: list[float] = raised) -> None:
            if fraction > limit:
                raised.append(time.perf_counter())
                raise EnoughError

        try:
            read(path, Choices(), stop)
        except EnoughError:
            delays.append(time.perf_counter() - raised[0])
    return {"reports": len(heard), "silence": float(np.diff(heard).max()), "ends": max(delays)}


def measure(what: str, path: str) -> Any:
    """What a fresh process does."""
    if what == "cancel":
        return cancel(path)
    spent = {
        OURS: lambda: read_ours(path, loaded=True),
        COLD: lambda: read_ours(path, loaded=False),
        C_ENGINE: lambda: read_pandas(path, "c"),
        PYARROW: lambda: read_pandas(path, "pyarrow"),
    }[what]()
    peak = resident("VmHWM")
    return {"seconds": spent, "peak": peak}


def in_process(processes: Processes, what: str, path: Path) -> Any:
    """The same, measured in one."""
    output = processes.run("-m", "benchmarks.reading", what, str(path)).stdout
    return json.loads(output.splitlines()[-1])


def main() -> None:
    """Print the tables."""
    who = (OURS, COLD, C_ENGINE, PYARROW)
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    peaks: defaultdict[str, list[float]] = defaultdict(list)
    with fresh_processes() as processes:
        path = processes.folder / "table.csv"
        write_table(path, N_ITEMS)
        for number in range(ROUNDS + 1):
            for turn in range(len(who)):
                name = who[(number + turn) % len(who)]
                found = in_process(processes, name, path)
                # The first writes bytecode and may compile.
                if number:
                    seconds[name].append(found["seconds"])
                    peaks[name].append(found["peak"])
        longer = processes.folder / "longer.csv"
        write_table(longer, int(LONGER * N_ITEMS))
        megabytes = longer.stat().st_size / 1e6
        ending = in_process(processes, "cancel", longer)
    timed = {name: Timed(name=name, seconds=np.array(seconds[name])) for name in who}
    memory = {name: Timed(name=name, seconds=np.array(peaks[name])) for name in who}
    size = f"{N_ITEMS} × {N_FEATURES}"
    show(
        f"Reading a CSV of {size}",
        [
            Row(work="reading", ours=timed[OURS], theirs=timed[C_ENGINE], at_most=1.5),
            Row(work="reading", ours=timed[OURS], theirs=timed[PYARROW]),
            Row(
                work="with the kernel to load",
                ours=timed[COLD],
                theirs=timed[C_ENGINE],
                at_most=1.5,
            ),
            Row(work="with the kernel to load", ours=timed[COLD], theirs=timed[PYARROW]),
        ],
    )
    show_table(
        "Peak memory of the process, and over the C engine's",
        ("who", "megabytes", "ratio"),
        [
            (
                name,
                f"{memory[name].median / 1e6:.0f}",
                f"{memory[name].median / memory[C_ENGINE].median:.2f}",
            )
            for name in who
        ],
    )
    show_table(
        f"A file of {megabytes:.0f} MB that reports, and is told to stop",
        ("reports", "longest silence", "ends at the latest after"),
        [(str(ending["reports"]), duration(ending["silence"]), duration(ending["ends"]))],
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1], sys.argv[2])))
    else:
        main()
