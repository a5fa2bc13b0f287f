"""Reading a CSV of 20 000 × 500 | pandas with its C engine and with pyarrow's, dialect given.

Every reading is a fresh process with warm caches. What is timed is the call alone, from the path to
an array and names, without the imports before it; our first row has the kernel loaded before as
well, as it is in a running program, our second has not. Ours is told nothing about the file: it
finds out the encoding, delimiter, header, names and decimal marks, and checks that every cell is a
number; the others are told the delimiter and the column of names.

Another table shows how often a file of 200 MB reports, and how soon it ends when the report raises.

The last one compares parsers of decimal numbers alone, all told how numbers are written: their
time, how many numbers are not those that Python reads, and which place of a wrong cell they tell.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.memory import resident
from benchmarks.processes import Processes, fresh_processes
from benchmarks.timing import Contestant, Row, Timed, duration, interleaved, show, show_table

ROUNDS, PARSER_ROUNDS = 9, 5
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


N_ROWS, N_COLUMNS = 30_000, 100
WRONG_LINE, WRONG_COLUMN, WRONG_TEXT = 20_001, 51, "oops"
NOTATIONS: dict[str, tuple[str, str]] = {
    "17 digits": (".", ""),
    "decimal commas": (",", ""),
    "thousands marks": (".", ","),
}
"""Name of a file → its decimal mark and its mark between thousands; tabs are between cells."""


def written_numbers(kind: str) -> tuple[bytes, Any]:
    """Return a table as text, and its numbers as Python reads them."""
    rng = np.random.default_rng(1)
    numbers = np.exp(rng.normal(8, 3, (N_ROWS, N_COLUMNS)))
    decimal, thousands = NOTATIONS[kind]
    spelt = ".17g" if kind == "17 digits" else ",.4f" if thousands else ".6f"
    lines = [[format(number, spelt) for number in row] for row in numbers.tolist()]
    meant = np.array([[float(cell.replace(",", "")) for cell in row] for row in lines])
    text = "\n".join("\t".join(row) for row in lines) + "\n"
    return (text if decimal == "." else text.replace(".", decimal)).encode(), meant


def parsed_by_ours(data: bytes, decimal: str, thousands: str) -> Any:
    """Return the numbers that our parser reads."""
    from ximstudio.load.text.block import read_block

    return read_block(
        data,
        width=N_COLUMNS,
        delimiter="\t",
        decimal=decimal,
        thousands=thousands,
        names=[str(number) for number in range(1, N_COLUMNS + 1)],
        name="table",
    ).values


def parsed_by_pandas(precision: Any, data: bytes, decimal: str, thousands: str) -> Any:
    """Return the numbers that pandas' C parser reads."""
    import pandas as pd

    return pd.read_csv(
        io.BytesIO(data),
        sep="\t",
        header=None,
        dtype=np.float64,
        decimal=decimal,
        thousands=thousands or None,
        float_precision=precision,
    ).to_numpy()


def parsed_by_pyarrow(data: bytes, decimal: str, thousands: str) -> Any:
    """Return the numbers that pyarrow reads, which knows no marks between thousands."""
    import pyarrow as pa
    from pyarrow import csv

    if thousands:
        raise NotImplementedError
    names = [str(number) for number in range(1, N_COLUMNS + 1)]
    table = csv.read_csv(
        pa.BufferReader(data),
        csv.ReadOptions(column_names=names),
        csv.ParseOptions(delimiter="\t"),
        csv.ConvertOptions(column_types=dict.fromkeys(names, pa.float64()), decimal_point=decimal),
    )
    return np.column_stack([column.to_numpy() for column in table.columns])


PARSERS: dict[str, Any] = {
    OURS: parsed_by_ours,
    "pandas": partial(parsed_by_pandas, None),
    "pandas, round_trip": partial(parsed_by_pandas, "round_trip"),
    PYARROW: parsed_by_pyarrow,
}


def told_place(parse: Any, data: bytes, *marks: str) -> str:
    """Return which places of a wrong cell an error names: line, column, both or none."""
    lines = data.split(b"\n")
    cells = lines[WRONG_LINE - 1].split(b"\t")
    cells[WRONG_COLUMN - 1] = WRONG_TEXT.encode()
    lines[WRONG_LINE - 1] = b"\t".join(cells)
    try:
        parse(b"\n".join(lines), *marks)
    except NotImplementedError:
        return "–"
    except Exception as error:
        told = str(error)
        places = {"line": str(WRONG_LINE), "column": str(WRONG_COLUMN)}
        return ", ".join(word for word, number in places.items() if number in told) or "none"
    return "no error"


def show_parsers() -> None:
    """Print the table of parsers."""
    rows = []
    for kind, marks in NOTATIONS.items():
        data, meant = written_numbers(kind)
        usable = {
            name: parse for name, parse in PARSERS.items() if not (marks[1] and name == PYARROW)
        }
        timed = interleaved(
            *(
                Contestant(name=name, run=partial(parse, data, *marks))
                for name, parse in usable.items()
            ),
            rounds=PARSER_ROUNDS,
        )
        for one in timed:
            parse = usable[one.name]
            wrong = int((parse(data, *marks) != meant).sum())
            place = told_place(parse, data, *marks)
            rows.append((kind, one.name, duration(one.median), f"{wrong}", place))
    show_table(
        f"Parsing {N_ROWS} × {N_COLUMNS} numbers",
        ("numbers", "parser", "time", "other bits", "places told"),
        rows,
    )


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
    show_parsers()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1], sys.argv[2])))
    else:
        main()
