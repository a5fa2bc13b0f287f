"""Contestants timed in turn, and their ratios as a table.

On a shared machine an absolute time says little. Contestants therefore run one after the other,
round after round, and each round gives one ratio: what else the machine does strikes both sides.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from ximstudio.kernels.parallel import n_cores
from ximstudio.model.arrays import Floats

UNTIL_QUIET = 0.2
"""Seconds after which threads that wait for more work have gone to sleep; OpenBLAS's take 0.03."""


@dataclass(frozen=True, kw_only=True)
class Contestant:
    """Something to time; one call of `run` does `amount` units of work (steps, items, runs)."""

    name: str
    run: Callable[[], object]
    amount: float = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Timed:
    """Seconds per unit of work, one per round."""

    name: str
    seconds: Floats

    @property
    def median(self) -> float:
        return float(np.median(self.seconds))


def interleaved(*contestants: Contestant, rounds: int) -> list[Timed]:
    """Every contestant once per round, in an order that moves on by one each round.

    The round before the first is thrown away: it compiles, allocates and warms caches. Each has the
    machine for itself: the threads of a linear-algebra library wait busily for a while after their
    last product, and would take a core from who comes next.
    """
    seconds = np.empty((rounds, len(contestants)))
    for contestant in contestants:
        contestant.run()
    for number in range(rounds):
        for turn in range(len(contestants)):
            who = (number + turn) % len(contestants)
            time.sleep(UNTIL_QUIET)
            began = time.perf_counter()
            contestants[who].run()
            seconds[number, who] = (time.perf_counter() - began) / contestants[who].amount
    return [
        Timed(name=contestant.name, seconds=column)
        for contestant, column in zip(contestants, seconds.T, strict=True)
    ]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One comparison: ratios per round, and what they must reach if anything.

    With `at_least`, the ratio is how many times faster we are; otherwise it is our time over
    theirs.
    """

    work: str
    ours: Timed
    theirs: Timed
    at_least: float | None = None
    at_most: float | None = None

    @property
    def ratios(self) -> Floats:
        quotients = self.ours.seconds / self.theirs.seconds
        return np.asarray(quotients if self.at_least is None else 1.0 / quotients)

    @property
    def target(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return "" if self.at_most is None else f"≤ {self.at_most:g}"

    @property
    def verdict(self) -> str:
        median = float(np.median(self.ratios))
        if self.at_least is not None:
            return "holds" if median >= self.at_least else "MISSED"
        if self.at_most is not None:
            return "holds" if median <= self.at_most else "MISSED"
        return ""

    @property
    def cells(self) -> tuple[str, ...]:
        low, middle, high = np.quantile(self.ratios, (0.25, 0.5, 0.75))
        kind = "× faster" if self.at_least is not None else "× its time"
        return (
            self.work,
            self.theirs.name,
            duration(self.ours.median),
            duration(self.theirs.median),
            f"{middle:.3g}{kind}",
            f"{low:.3g}–{high:.3g}",
            self.target,
            self.verdict,
        )


HEADINGS = ("work", "against", "ours", "theirs", "ratio", "middle half", "target", "")


def show(title: str, rows: Sequence[Row]) -> None:
    """Print comparisons as a table, after the facts about the machine."""
    show_table(title, HEADINGS, [row.cells for row in rows])


def show_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table whose columns also line up on a terminal."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        return f"| {' | '.join(padded)} |"

    print(f"\n## {title}\n\n{machine()}\n")
    print(line(headings))
    print(line(["-" * width for width in widths]))
    for row in rows:
        print(line(row))
    sys.stdout.flush()


def duration(seconds: float) -> str:
    """Seconds in the unit that a person would choose."""
    for unit, length in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def machine() -> str:
    """Processor, cores, versions and how busy the machine is, in one line."""
    packages = ("numpy", "numba", "ximstudio", "minisom", "orange3", "umap-learn")
    versions = ", ".join(f"{name} {found}" for name in packages if (found := version(name)))
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC; {processor()}, {n_cores()} cores{load};"
        f" Python {platform.python_version()}, {versions}"
    )


def processor() -> str:
    """What the processor calls itself."""
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for text in facts.read_text().splitlines():
            if text.startswith("model name"):
                return text.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def version(package: str) -> str | None:
    """The installed version of a package, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
