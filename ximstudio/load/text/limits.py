"""Bounds on what is taken for a table, so that no text takes minutes to be refused."""

from __future__ import annotations

import numpy as np

from ximstudio.load.text.rows import Rows
from ximstudio.model.problem import UserError
from ximstudio.model.words import grouped

MOST_COLUMNS = 2_000_000
"""Cells of a row; the widest tables, of methylation and variants, have about a million."""

LONGEST_CELL = 4 * 1024 * 1024
"""Bytes of a cell; a spreadsheet holds 32 767 letters, a list of terms some hundred thousand."""


def refuse_endless(rows: Rows, name: str) -> None:
    """Refuse rows of too many cells, and those with a cell that is too long, with their line."""
    if not len(rows):
        return
    widest = int(np.argmax(rows.cells))
    if rows.cells[widest] > MOST_COLUMNS:
        raise UserError(
            key="load.too_wide",
            what=f"A row has {grouped(int(rows.cells[widest]))} cells; at most"
            f" {grouped(MOST_COLUMNS)} can be read.",
            where=f"{name}, line {rows.lines[widest]}",
            way_out="Check the delimiter and the line ends; if the table is that wide, exchange its"
            " rows and columns, or take a part of it.",
        )
    lengths = rows.ends - rows.starts
    for row in np.flatnonzero(lengths > LONGEST_CELL).tolist():
        length = _longest_cell(rows, row)
        if length > LONGEST_CELL:
            raise UserError(
                key="load.endless_cell",
                what=f"A cell has {grouped(length)} letters; at most {grouped(LONGEST_CELL)} can be"
                " read.",
                where=f"{name}, line {rows.lines[row]}",
                way_out="Look there for a quotation mark that is not closed, and for a lost"
                " delimiter or line end.",
            )


def _longest_cell(rows: Rows, row: int) -> int:
    """Bytes of the longest cell of a row; of one with quotation marks, what it has at least."""
    buffer = np.frombuffer(rows.data, np.uint8)[rows.starts[row] : rows.ends[row]]
    if rows.quoted and b'"' in rows.raw(row):
        return len(buffer) // int(rows.cells[row])
    marks = np.flatnonzero(buffer == rows.delimiter)
    return int(np.diff(np.concatenate(([-1], marks, [len(buffer)]))).max()) - 1
