"""Binary files in a child process | the same functions called in this one; pandas on calamine.

What a child process costs: to start, for the smallest file when one is kept, and for a large h5ad
file, whose table comes over a pipe. Then a workbook of 30 000 × 100 numbers, read as the program
reads it, by the path through the library that all sheets took before (`LARGE` beyond any size),
and by `pandas.read_excel(engine="calamine")`; in turn, so that all see the same machine.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from benchmarks.timing import duration, show_table
from ximstudio import isolated
from ximstudio.load import Choices, Source, read_source
from ximstudio.load.reading import silent
from ximstudio.load.single_cell import h5ad
from ximstudio.load.workbook import excel, sheet_xml
from ximstudio.model.arrays import Floats

ROUNDS = 5
CELLS, GENES = 33_000, 2_000
"""Of a dense h5ad file of 500 MB of float64."""
ROWS, COLUMNS = 30_000, 100


def write_h5ad(path: Path, n_cells: int, n_genes: int) -> Path:
    """Write a dense table, uncompressed."""
    text = h5py.string_dtype()
    with h5py.File(path, "w") as file:
        file["X"] = np.random.default_rng(0).normal(size=(n_cells, n_genes))
        for name, count in (("obs", n_cells), ("var", n_genes)):
            group = file.create_group(name)
            group.create_dataset("_index", data=[f"{name}{n}" for n in range(count)], dtype=text)
            group.attrs["_index"] = "_index"
            group.attrs["encoding-type"] = "dataframe"
            group.attrs.create("column-order", [], dtype=text)
    return path


def write_workbook(path: Path) -> Path:
    """Write numbers of all digits, with names."""
    import xlsxwriter

    values = np.random.default_rng(0).normal(size=(ROWS, COLUMNS)).tolist()
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["gene", *(f"s{number}" for number in range(COLUMNS))])
        for number, row in enumerate(values, 1):
            sheet.write_string(number, 0, f"GENE{number}")
            sheet.write_row(number, 1, row)
    return path


def timed(act: Callable[[], Any]) -> float:
    """Return the seconds that it takes."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def in_turn(acts: dict[str, Callable[[], Any]], rounds: int = ROUNDS) -> dict[str, Floats]:
    """Return the seconds of each in every round, measured one after the other."""
    spent: dict[str, list[float]] = {name: [] for name in acts}
    for number in range(rounds + 1):
        for name, act in acts.items():
            seconds = timed(act)
            # The first may compile.
            if number:
                spent[name].append(seconds)
    return {name: np.array(seconds) for name, seconds in spent.items()}


def shown(what: str, seconds: Floats, *others: Floats) -> list[str]:
    """Return the cells of a row: median seconds, and medians of the ratios to others."""
    ratios = [f"{np.median(seconds / other):.2f}×" for other in others]
    return [what, duration(float(np.median(seconds))), *ratios]


def started(path: Path) -> None:
    """Read a file by a child that has to be started."""
    isolated.close()
    read_source(Source.at(path), Choices())


def by_library(path: Path) -> None:
    """Read a workbook as all were read before."""
    large, sheet_xml.LARGE = sheet_xml.LARGE, 1 << 60
    try:
        excel.read(Source.at(path), Choices(), silent)
    finally:
        sheet_xml.LARGE = large


def by_pandas(path: Path) -> None:
    """Read a workbook with pandas."""
    import pandas as pd

    pd.read_excel(path, engine="calamine", index_col=0).to_numpy(dtype=np.float64)


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = write_h5ad(folder / "small.h5ad", 10, 5)
        large = write_h5ad(folder / "large.h5ad", CELLS, GENES)
        book = write_workbook(folder / "book.xlsx")
        spent = in_turn(
            {
                "small, this process": lambda: h5ad.FORMAT.read(
                    Source.at(small), Choices(), silent
                ),
                "small, kept child": lambda: read_source(Source.at(small), Choices()),
                "small, new child": lambda: started(small),
                "large, this process": lambda: h5ad.FORMAT.read(
                    Source.at(large), Choices(), silent
                ),
                "large, child": lambda: read_source(Source.at(large), Choices()),
            }
        )
        books = in_turn(
            {
                "in a child": lambda: read_source(Source.at(book), Choices()),
                "in this process": lambda: excel.read(Source.at(book), Choices(), silent),
                "through the library": lambda: by_library(book),
                "pandas, calamine": lambda: by_pandas(book),
            },
        )
        megabytes = large.stat().st_size / 1e6
    show_table(
        f"h5ad files in a child process (large: {megabytes:.0f} MB)",
        ["what", "seconds", "ratio to this process"],
        [
            shown(what, seconds, spent[what.split(",")[0] + ", this process"])
            for what, seconds in spent.items()
        ],
    )
    show_table(
        f"A workbook of {ROWS} × {COLUMNS}",
        ["how", "seconds", "ratio to pandas", "ratio to the child"],
        [
            shown(how, seconds, books["pandas, calamine"], books["in a child"])
            for how, seconds in books.items()
        ],
    )


if __name__ == "__main__":
    main()
