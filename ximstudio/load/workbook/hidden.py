"""Find the hidden rows and columns of an XLSX sheet, which are read like all others."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ximstudio.load.account import note
from ximstudio.model.problem import Problem
from ximstudio.model.words import counted

TRUE = rb"""["'](?:1|true)["']"""
ROW = re.compile(rb"<(?:[\w.-]+:)?row\s[^>]*?\bhidden\s*=\s*" + TRUE)
COLUMN = re.compile(rb"<(?:[\w.-]+:)?col\s([^>]*?\bhidden\s*=\s*" + TRUE + rb"[^>]*)>")
ENDS = re.compile(rb"""\b(min|max)\s*=\s*["'](\d{1,7})["']""")
ROWS_BEGIN = b"sheetData"


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """Number of hidden rows with cells, and ranges (first, last) of hidden columns."""

    rows: int = 0
    columns: tuple[tuple[int, int], ...] = ()


def hidden_in(data: bytes, n_columns: int) -> Hidden:
    """Return the hidden rows and columns in the XML of a sheet, within so many columns."""
    if b"hidden" not in data:
        return Hidden()
    begin = max(data.find(ROWS_BEGIN), 0)
    return Hidden(
        rows=count_hidden_rows(data[begin:]), columns=hidden_columns(data[:begin], n_columns)
    )


def count_hidden_rows(data: bytes) -> int:
    """Count the hidden rows in a piece of XML."""
    return sum(1 for _ in ROW.finditer(data)) if b"hidden" in data else 0


def hidden_columns(head: bytes, n_columns: int) -> tuple[tuple[int, int], ...]:
    """Return first and last of the columns that are hidden, from the XML before the rows."""
    columns = []
    for found in COLUMN.finditer(head):
        ends = {name: int(number) for name, number in ENDS.findall(found[1])}
        first, last = ends.get(b"min", 0), min(ends.get(b"max", 0), n_columns)
        if 1 <= first <= last:
            columns.append((first, last))
    return tuple(columns)


def hidden_note(hidden: Hidden, where: str) -> list[Problem]:
    """Return the note that hidden cells are in the table; none if nothing is hidden."""
    n_columns = sum(last - first + 1 for first, last in hidden.columns)
    parts = [
        counted(count, word)
        for count, word in ((hidden.rows, "hidden row"), (n_columns, "hidden column"))
        if count
    ]
    if not parts:
        return []
    return [
        note(
            "hidden_cells",
            f"The sheet has {' and '.join(parts)}, and they are read like all others.",
            where,
            "If they were hidden or filtered to leave them out, copy the visible cells to a"
            " new sheet, and open that.",
        )
    ]
