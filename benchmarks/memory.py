"""Memory of this process, as Linux counts it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path


def resident(what: str) -> int:
    """Bytes that are resident now (VmRSS), or were at most (VmHWM)."""
    # Not the ru_maxrss of getrusage: a process inherits it from the one that started it.
    found = re.search(rf"{what}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) * 1024


def count_afresh() -> int:
    """Forget the most that was held so far; bytes held now."""
    Path("/proc/self/clear_refs").write_text("5")
    return resident("VmRSS")


def taken_by(work: Callable[[], object]) -> int:
    """Bytes that work held at most, beyond those held before."""
    before = count_afresh()
    work()
    return resident("VmHWM") - before
