"""Read damaged HDF5 files one after the other, in a process that may break down over it.

    python -m tests.load.hdf5_fuzz KIND FOLDER FIRST LAST

prints a line per file: its number, and what became of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

from tests.load.damage import outcome
from tests.load.hdf5_files import damaged, sample
from ximstudio.load.reading import Choices, silent
from ximstudio.load.single_cell.hdf5_kinds import read as read_here
from ximstudio.load.source import Source
from ximstudio.model import UserError

PATIENCE = 10.0
"""Seconds without a line after which the process is ended: the library runs in a circle."""


def outcomes(kind: str, folder: Path, last: int) -> Counter[str]:
    """How often damaged files gave a table, a refusal, or the end of the process."""
    found: Counter[str] = Counter()
    first = 0
    while first < last:
        lines = _batch(kind, folder, first, last)
        found.update(came for _, came in lines)
        first += len(lines)
        if first < last:
            found["died"] += 1
            first += 1
    return found


def _batch(kind: str, folder: Path, first: int, last: int) -> list[tuple[str, str]]:
    command = [sys.executable, "-m", __name__, kind, str(folder), str(first), str(last)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as child:
        assert child.stdout is not None
        lines: list[tuple[str, str]] = []
        while True:
            watch = threading.Timer(PATIENCE if lines else 6 * PATIENCE, child.kill)
            watch.start()
            line = child.stdout.readline()
            watch.cancel()
            watch.join()
            if not line.endswith("\n"):
                return lines
            number, came = line.rstrip("\n").split(" ", 1)
            lines.append((number, came))


def main(kind: str, folder: Path, first: int, last: int) -> None:
    """Read the files from `first` up to, not including, `last`."""
    content = sample(kind, folder / f"sound_{os.getpid()}.h5").read_bytes()
    path = folder / f"damaged_{os.getpid()}.h5"
    for number in range(first, last):
        path.write_bytes(damaged(content, number))
        try:
            came = outcome(read_here(Source.at(path), Choices(), silent))
        except UserError as error:
            came = outcome(error)
        except Exception as error:
            came = f"bug {type(error).__name__}: {error}".replace("\n", " ")
        print(number, came, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
