"""Upper bounds on tables, so that no text takes minutes to be refused."""

from __future__ import annotations

import numpy as np

from ximstudio.load.text.rows import Rows
from ximstudio.model.problem import UserError
from ximstudio.model.words import grouped

MOST_COLUMNS = 2_000_000
"""Maximum cells of a row; the widest tables, of methylation and variants, have about a million."""

LONGEST_CELL = 4 * 1024 * 1024
"""Maximum bytes of a cell; spreadsheets allow 32 767 letters, lists of terms take 100 000s."""


def refuse_endless(rows: Rows, name: str) -> None:
    """Refuse rows with too many cells or with too long a cell, and quote their line."""
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
    for row in np.flatnonzero(rows.ends - rows.starts > LONGEST_CELL).tolist():
        length = _endless_cell(rows, row)
        if length:
            raise UserError(
                key="load.endless_cell",
                what=f"A cell has {grouped(length)} letters; at most {grouped(LONGEST_CELL)} can be"
                " read.",
                where=f"{name}, line {rows.lines[row]}",
                way_out="Look there for a quotation mark that is not closed, and for a lost"
                " delimiter or line end.",
            )


def _endless_cell(rows: Rows, row: int) -> int:
    """Return the length of the first cell of a row that is too long, 0 if none is.

    Of a row with quotation marks, what its longest cell has at least.
    """
    begin, end = int(rows.starts[row]), int(rows.ends[row])
    if rows.quoted and rows.data.find(b'"', begin, end) >= 0:
        length = (end - begin) // int(rows.cells[row])
        return length if length > LONGEST_CELL else 0
    mark = bytes([rows.delimiter])
    while begin + LONGEST_CELL < end:
        last = rows.data.rfind(mark, begin, begin + LONGEST_CELL + 1)
        if last < 0:
            after = rows.data.find(mark, begin, end)
            return (end if after < 0 else after) - begin
        begin = last + 1
    return 0
