"""Functions for child processes, well-behaved and not."""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ximstudio.model import UserError

Report = Callable[[float], None]


def process_id(report: Report) -> int:
    report(0.5)
    return os.getpid()


def echo(content: Any, _: Report) -> Any:
    return content


def arrays(n_values: int, _: Report) -> dict[str, Any]:
    values = np.arange(float(n_values))
    fixed = values[::-1].copy()
    fixed.flags.writeable = False
    return {"values": values, "fixed": fixed, "names": tuple(map(str, range(100)))}


def refuse(_: Report) -> None:
    raise UserError(key="test.refused", what="No.", where="here", way_out="none")


def stumble(_: Report) -> None:
    raise KeyError("stumbled")


def abort(_: Report) -> None:
    print("last words", file=sys.stderr, flush=True)
    os.abort()


def starve(_: Report) -> None:
    """Abort as libraries do that are refused memory."""
    print("memory allocation of 103079215080 bytes failed", file=sys.stderr, flush=True)
    os.abort()


def leave(_: Report) -> None:
    os._exit(3)


def chatter(_: Report) -> str:
    """Write where answers go, and more on the error stream than is kept."""
    print("among the answers", flush=True)
    os.write(1, b"\0" * 1000)
    for _line in range(1000):
        print("x" * 1000, file=sys.stderr)
    return "heard"


def circle(report: Report) -> None:
    """Compute for ever, in C and with the interpreter's lock, as a library does."""
    report(0.5)
    sum(itertools.repeat(0))


def go_round(report: Report) -> None:
    """Report for ever, and come no further."""
    while True:
        report(0.5)


def wait(report: Report) -> None:
    """Wait for a signal that nobody sends, without computing."""
    report(0.5)
    while True:
        signal.pause()


def fill(_: Report) -> None:
    """Take ever more memory, and use it."""
    taken = []
    while True:
        taken.append(np.ones(2**20))


def reserve(_: Report) -> None:
    """Ask for more memory at once than there is."""
    np.ones(2**47, dtype=np.uint8)


def nested(report: Report) -> tuple[int, int]:
    """Call another function as isolated as it can be."""
    from ximstudio import isolated

    limits = isolated.CallLimits.for_size(0)
    return os.getpid(), isolated.run(process_id, limits=limits, report=report)
