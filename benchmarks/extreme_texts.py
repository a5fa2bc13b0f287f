"""Texts that are too large in one direction | the bounds that reading them must keep.

Every shape is read in a fresh process: seconds by the clock and of the processor, the most memory
beyond what the process held before, and the longest time of the processor between two reports, in
which a reading cannot be ended. A refusal or a table must come within 10 s + 1 s for every 10 MB of
the file, as it is on the disk.

Run `python -m benchmarks.extreme_texts`, with names of shapes to try only those.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.memory import count_afresh, resident

MB = 1_000_000
SECONDS, MB_PER_SECOND = 10, 10
GIVEN_UP = 600
"""Seconds after which a reading is ended from outside."""

HEADER = b"gene,s1,s2\n"
ROWS = b"g1,1.5,2\ng2,-3,0.25\n"


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A text that is large in one direction.

    `make` writes one of about so many bytes; `size` is that of the benchmark. `packed` ones are
    compressed with gzip, and their size is that of the text.
    """

    name: str
    size: int
    make: Callable[[int], bytes]
    packed: bool = False

    def content(self, size: int) -> bytes:
        """The file's bytes for a text of about `size` bytes."""
        text = self.make(size)
        return gzip.compress(text, 1) if self.packed else text


def _repeated(text: bytes, size: int) -> bytes:
    return text * max(1, size // len(text))


def _wide(size: int) -> bytes:
    n_columns = size // 18
    names = b",".join(b"c%d" % number for number in range(n_columns))
    row = b",".join([b"1.5"] * n_columns)
    return b"gene," + names + b"\ng1," + row + b"\ng2," + row + b"\n"


def _growing(size: int) -> bytes:
    """Rows of 1, 2, 3, … cells."""
    lines: list[bytes] = []
    taken = 0
    while taken < size:
        lines.append(b"1," * len(lines) + b"1")
        taken += len(lines[-1]) + 1
    return b"\n".join(lines)


PLAIN = (
    Shape(
        name="cell of letters",
        size=100 * MB,
        make=lambda size: HEADER + ROWS + b"A" * size + b",1,2\n",
    ),
    Shape(
        name="cell of digits",
        size=100 * MB,
        make=lambda size: HEADER + ROWS + b"g3," + b"7" * size + b",2\n",
    ),
    Shape(
        name="quoted cell",
        size=100 * MB,
        make=lambda size: HEADER + ROWS + b'"' + b"a,\n" * (size // 3) + b'",1,2\n',
    ),
    Shape(
        name="cell of quotes",
        size=60 * MB,
        make=lambda size: HEADER + ROWS + b'"' + b'""' * (size // 2) + b'",1,2\n',
    ),
    Shape(
        name="unclosed quote above",
        size=60 * MB,
        make=lambda size: HEADER + b'"g0,1,2\n' + _repeated(ROWS, size),
    ),
    Shape(
        name="unclosed quote below",
        size=60 * MB,
        make=lambda size: HEADER + _repeated(ROWS, size) + b'"g0,1,2\n' + ROWS,
    ),
    Shape(
        name="stray quotes",
        size=60 * MB,
        make=lambda size: HEADER + _repeated(b'g "x" y,1,2\n', size),
    ),
    Shape(
        name="stray and unclosed",
        size=60 * MB,
        make=lambda size: HEADER + _repeated(b'5" pipe,1,2\n', size) + b'"g0,1,2\n',
    ),
    Shape(name="short lines", size=10 * MB, make=lambda size: _repeated(b"1\n", size)),
    Shape(name="short rows", size=20 * MB, make=lambda size: _repeated(b"a,1\n", size)),
    Shape(name="rows of digits", size=20 * MB, make=lambda size: _repeated(b"1,2\n", size)),
    Shape(name="comments", size=20 * MB, make=lambda size: HEADER + ROWS + b"#a\n" * (size // 3)),
    Shape(name="spaced rows", size=20 * MB, make=lambda size: _repeated(b"a 1\n", size)),
    Shape(name="blank lines", size=100 * MB, make=lambda size: b"\n" * size),
    Shape(name="carriage returns", size=100 * MB, make=lambda size: b"\r" * size),
    Shape(
        name="blank lines in a table",
        size=100 * MB,
        make=lambda size: HEADER + ROWS + b"\n" * size + b"g3,1,2\n",
    ),
    Shape(
        name="lines of a space",
        size=100 * MB,
        make=lambda size: HEADER + ROWS + b" \n" * (size // 2) + b"g3,1,2\n",
    ),
    Shape(name="columns", size=180 * MB, make=_wide),
    Shape(name="growing rows", size=50 * MB, make=_growing),
    Shape(name="one line of numbers", size=500 * MB, make=lambda size: _repeated(b"1,2,", size)),
    Shape(name="one line of letters", size=500 * MB, make=lambda size: b"A" * size),
    Shape(name="zero bytes", size=100 * MB, make=lambda size: b"\0" * size),
    Shape(
        name="zero byte at the end",
        size=100 * MB,
        make=lambda size: HEADER + _repeated(ROWS, size) + b"\0",
    ),
    Shape(name="commas", size=100 * MB, make=lambda size: b"," * size),
    Shape(name="lines of commas", size=100 * MB, make=lambda size: _repeated(b",,\n", size)),
    Shape(
        name="commas below a table",
        size=100 * MB,
        make=lambda size: HEADER + ROWS + _repeated(b",,\n", size),
    ),
    Shape(name="spaces", size=100 * MB, make=lambda size: b" " * size),
    Shape(name="tabs", size=100 * MB, make=lambda size: b"\t" * size),
)

SHAPES = (
    *PLAIN,
    *(
        Shape(name=f"{shape.name}, gzip", size=shape.size, make=shape.make, packed=True)
        for shape in PLAIN
    ),
)


def bound(size: int) -> float:
    """Seconds within which a file must be read or refused."""
    return SECONDS + size / (MB_PER_SECOND * MB)


def main(names: list[str]) -> None:
    """Print a row per shape."""
    print(
        "| text | MB | of the file | seconds | processor | bound | memory / text"
        " | longest silence | outcome |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for shape in SHAPES:
        if names and shape.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / ("text.csv.gz" if shape.packed else "text.csv")
            content = shape.content(shape.size)
            path.write_bytes(content)
            del content
            print(_row(shape, path), flush=True)


def _row(shape: Shape, path: Path) -> str:
    size = path.stat().st_size
    begin = f"| {shape.name} | {shape.size / MB:.0f} | {size / MB:.1f} |"
    try:
        run = subprocess.run(
            [sys.executable, "-m", "benchmarks.extreme_texts", "--read", str(path)],
            capture_output=True,
            text=True,
            timeout=GIVEN_UP,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{begin} > {GIVEN_UP} | | | | | given up |"
    if run.returncode:
        tail = run.stderr.strip().splitlines()[-1:] or [f"ended by {run.returncode}"]
        return f"{begin} | | | | | {tail[0]} |"
    found = json.loads(run.stdout)
    return (
        f"{begin} {found['seconds']:.1f}"
        f" | {found['processor']:.1f} | {bound(size):.1f}"
        f" | {found['bytes'] / shape.size:.1f} | {found['silence']:.2f} s | {found['outcome']} |"
    )


def read_one(path: str) -> None:
    """Read a file and print how that went."""
    from ximstudio.load import Choices, Source, read, read_source
    from ximstudio.model.problem import UserError

    # What has to be imported once is no part of any reading.
    read_source(Source.pasted((HEADER + ROWS).decode()), Choices())
    times, spent = [time.perf_counter()], [time.process_time()]

    def report(_: float) -> None:
        times.append(time.perf_counter())
        spent.append(time.process_time())

    before = count_afresh()
    try:
        shape = read(path, Choices(), report).table.values.shape
        outcome = f"{shape[0]} × {shape[1]}"
    except UserError as error:
        outcome = error.keys[0]
    report(1.0)
    silence = max(after - before for before, after in pairwise(spent))
    told = {
        "seconds": times[-1] - times[0],
        "processor": spent[-1] - spent[0],
        "silence": silence,
        "bytes": resident("VmHWM") - before,
        "outcome": outcome,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        read_one(sys.argv[2])
    else:
        main(sys.argv[1:])
