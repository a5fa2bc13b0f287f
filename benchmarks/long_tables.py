"""Reading a long table of 1 000 000 rows | pandas' read_csv and pivot, dialect and columns given.

Every reading is a fresh process with warm caches, and what is timed is the call alone, with our
kernel loaded as it is in a running program. Ours is told nothing: it finds out that every row is
one value, which columns name genes and samples, and whether pairs repeat. The second table holds
counts of 10 000 genes in 10 000 cells, of which 1 % have a row, and stays sparse.
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

ROUNDS = 5
N_ROWS = 1_000_000
N_GENES = 10_000
OURS, COUNTS, PANDAS = "ours", "ours, counts of cells", "pandas, read_csv and pivot"


def write_values(path: Path) -> None:
    """Values of all genes in a hundred samples, gene by gene."""
    rng = np.random.default_rng(0)
    n_samples = N_ROWS // N_GENES
    with path.open("w") as file:
        file.write("gene,sample,value\n")
        for gene in range(N_GENES):
            values = rng.normal(8, 2, n_samples)
            rows = (f"ENSG{gene:011},sample_{n},{value:.4f}\n" for n, value in enumerate(values))
            file.write("".join(rows))


def write_counts(path: Path) -> None:
    """Counts in cells, as umi_tools writes them."""
    rng = np.random.default_rng(0)
    cells = np.unique(rng.integers(0, N_GENES * N_GENES, N_ROWS))
    with path.open("w") as file:
        file.write("gene\tcell\tcount\n")
        for cell in cells.tolist():
            gene, barcode = divmod(cell, N_GENES)
            file.write(f"ENSG{gene:011}\tAAACCTGAGAAACC{barcode:05}\t{1 + cell % 5}\n")


def read_ours(path: str) -> float:
    """Seconds to read and pivot a table with our reader."""
    from ximstudio.load import read
    from ximstudio.load.text import block

    block.read_block(b"1\t2\n" * block.MANY, width=2, name="")
    began = time.perf_counter()
    table = read(path).table
    spent = time.perf_counter() - began
    assert table.n_items == N_GENES
    return spent


def read_pandas(path: str) -> float:
    """Seconds to do the same with pandas."""
    import pandas as pd

    began = time.perf_counter()
    frame = pd.read_csv(path).pivot(index="gene", columns="sample", values="value")
    spent = time.perf_counter() - began
    assert len(frame) == N_GENES
    return spent


def in_process(processes: Processes, what: str, path: Path) -> Any:
    """One measurement in a fresh process."""
    output = processes.run("-m", "benchmarks.long_tables", what, str(path)).stdout
    return json.loads(output.splitlines()[-1])


def main() -> None:
    """Print the table."""
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    peaks: defaultdict[str, list[float]] = defaultdict(list)
    with fresh_processes() as processes:
        values, counts = processes.folder / "values.csv", processes.folder / "counts.tsv"
        write_values(values)
        write_counts(counts)
        who = ((OURS, values), (COUNTS, counts), (PANDAS, values))
        for number in range(ROUNDS + 1):
            for turn in range(len(who)):
                name, path = who[(number + turn) % len(who)]
                found = in_process(processes, name, path)
                # The first writes bytecode and may compile.
                if number:
                    seconds[name].append(found["seconds"])
                    peaks[name].append(found["peak"])
    timed = {name: Timed(name=name, seconds=np.array(seconds[name])) for name, _ in who}
    show(
        f"Reading and pivoting a long table of {N_ROWS} rows",
        [
            Row(work="values in 100 samples", ours=timed[OURS], theirs=timed[PANDAS]),
            Row(work="counts in 10 000 cells", ours=timed[COUNTS], theirs=timed[PANDAS]),
        ],
    )
    show_table(
        "Time and peak memory of the process",
        ("who", "median", "megabytes"),
        [(name, duration(timed[name].median), f"{max(peaks[name]) / 1e6:.0f}") for name, _ in who],
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        spent = read_pandas(sys.argv[2]) if sys.argv[1] == PANDAS else read_ours(sys.argv[2])
        print(json.dumps({"seconds": spent, "peak": resident("VmHWM")}))
    else:
        main()
