"""The whole command `ximstudio run sample:yeast` | 5 seconds, and where the time goes.

Every run is a fresh process with warm caches: bytecode written, kernels compiled, files read
before. The stages come from a process with a stopwatch on each (`benchmarks.stages`), the
packages from `python -X importtime`.
"""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from itertools import count

import numpy as np

from benchmarks.processes import Processes, fresh_processes
from benchmarks.timing import duration, show_table

ROUNDS = 9
LIMIT = 5.0
"""Seconds that the whole command may take."""
SHOWN_PACKAGES = 10


def wall_times(processes: Processes) -> dict[str, list[float]]:
    """Seconds per run of the whole command, of its imports, and of Python doing nothing."""
    outs = count()
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    # One more: the first run writes bytecode and may compile.
    for number in range(ROUNDS + 1):
        runs = {
            "whole command": (
                *("-m", "ximstudio", "run", "sample:yeast"),
                *("--out", str(processes.folder / f"out-{next(outs)}")),
            ),
            "imports only": ("-c", "import ximstudio.commands.run"),
            "Python alone": ("-c", "pass"),
        }
        for name, arguments in runs.items():
            began = time.perf_counter()
            processes.run(*arguments)
            if number > 0:
                seconds[name].append(time.perf_counter() - began)
    return seconds


def stages(processes: Processes) -> dict[str, list[float]]:
    """Seconds per stage of the command, inside one process each."""
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for number in range(ROUNDS + 1):
        out = str(processes.folder / f"stages-{number}")
        output = processes.run("-m", "benchmarks.stages", out).stdout
        if number > 0:
            for stage, spent in json.loads(output.splitlines()[-1]).items():
                seconds[stage].append(spent)
    return seconds


def import_times(processes: Processes) -> dict[str, float]:
    """Seconds that each top package's own modules take to import, the longest first."""
    out = str(processes.folder / "imports")
    arguments = ("-X", "importtime", "-m", "ximstudio", "run", "sample:yeast", "--out", out)
    seconds: defaultdict[str, float] = defaultdict(float)
    for line in processes.run(*arguments).stderr.splitlines():
        if found := re.match(r"import time: +(\d+) \| +\d+ \| +(\w+)", line):
            seconds[found[2]] += int(found[1]) * 1e-6
    return dict(sorted(seconds.items(), key=lambda pair: -pair[1]))


def main() -> None:
    """Print the tables."""
    headings = ("what", "median", "range", "target", "")
    with fresh_processes() as processes:
        walls = wall_times(processes)
        inside = stages(processes)
        packages = import_times(processes)
    rows = []
    for name, seconds in (walls | inside).items():
        median = float(np.median(seconds))
        target, verdict = "", ""
        if name == "whole command":
            target, verdict = f"< {LIMIT:g} s", "holds" if median < LIMIT else "MISSED"
        span = f"{duration(min(seconds))}–{duration(max(seconds))}"
        rows.append((name, duration(median), span, target, verdict))
    show_table("ximstudio run sample:yeast", headings, rows)
    longest = list(packages.items())[:SHOWN_PACKAGES]
    others = sum(packages.values()) - sum(seconds for _, seconds in longest)
    show_table(
        "Imports of that command, own time per top package",
        ("package", "seconds"),
        [(name, duration(spent)) for name, spent in [*longest, ("all others", others)]],
    )


if __name__ == "__main__":
    main()
