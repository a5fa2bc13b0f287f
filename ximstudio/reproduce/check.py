"""Check at the end of a script: compare its maps with the receipt, and print the result."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from typing import Any

from ximstudio.reproduce.again import run_ticks
from ximstudio.reproduce.making import Made
from ximstudio.reproduce.receipt import records_in, understood
from ximstudio.reproduce.ticks import Tick
from ximstudio.train.record import MapRecord


def check(expected: Mapping[str, Any], **made: Made) -> None:
    """Print a tick for all that is as expected; exit with 1 if something is not."""
    receipt = understood(dict(expected), "EXPECTED")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal without "✓" gets a "?" instead of a traceback.
        sys.stdout.reconfigure(errors="replace")
    ticks: list[Tick] = []
    for name, record in records_in(receipt, "EXPECTED").items():
        _say(heading(name, record))
        for tick in run_ticks(name, record, made[name]):
            _say(f"  {tick}")
            ticks.append(tick)
    if not all(tick.verdict.holds for tick in ticks):
        raise SystemExit(1)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def heading(name: str, record: MapRecord) -> str:
    """The line above the ticks of a run."""
    return f"{name.replace('_', ' ')}: {record.method.name}, seed {record.seed}"
