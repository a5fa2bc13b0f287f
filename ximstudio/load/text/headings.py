"""Combine header rows into the names of the columns and labels beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ximstudio.load.headers import is_id_name
from ximstudio.load.text.layout import Layout

PERSEUS_CELL = re.compile(r"#!\{(?:[A-Z]:)?([^}]*)\}(.*)", re.S)
"""First cell of a Perseus row about the columns: the row's name, and the cell itself."""

PREFIX = re.compile(r"!?(?:sample_)", re.I)
"""Prefix of GEO's sample labels."""

UNIT = re.compile(
    r"[\[(]?(?:(?:log\d*[ _(]*)?(?:fpkm|rpkm|tpm|cpm|rpm|counts?|reads|intensity|ratios?|c[tqp])\)?"
    r"|[numkµ]?(?:g|l|mol|m|s|a|v|u)(?:[/ ·][numkµ]?(?:l|ml|g|mg|mol|h|min))?"
    r"|a\.?u\.?|%|fold|ppm|ppb|counts?/s|h|hours?|min|-)[\])]?",
    re.I,
)
"""Pattern of a quantity or unit in a row of units."""

CLASS = "class"
"""Name of an unnamed row of classes."""

FEWEST_CLASSED = 4
"""Number of columns from which on repeated names are classes."""


@dataclass(frozen=True, kw_only=True)
class Headings:
    """The contents of header rows.

    Parameters
    ----------
    names
        One per column, stripped; "" for a column without one.
    labels
        Name of a header row that does not name the columns → its cells.
    reason
        How the names were made, as a sentence; "" if there is but one header row.
    trimmed
        Names from which white space was taken off.
    """

    names: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]
    reason: str
    trimmed: tuple[str, ...]


def headings_of(layout: Layout) -> Headings:
    """Return the names of the columns: one header row if its names differ, else all, joined."""
    numeric = layout.numeric
    if not layout.header:
        return Headings(names=("",) * layout.width, labels={}, reason="", trimmed=())
    if len(layout.header) == 1:
        (cells,) = layout.header
        names = tuple(map(str.strip, cells))
        labels = _classes(names, numeric)
        return Headings(names=names, labels=labels, reason="", trimmed=_trimmed(cells))
    # The last row may only name the index, as pandas writes it.
    *above, index = layout.header
    if any(index[column].strip() for column in numeric) or not is_id_name(index[0]):
        above, index = [*layout.header], ("",) * layout.width
    rows, called = _own_names(above, numeric)
    naming = _naming(rows, numeric)
    rows = _spread(rows, naming, numeric)
    numbers = [number for number in range(len(rows)) if number != naming]
    labels = _labels(rows, called, numbers, numeric, naming)
    if naming is None:
        joined = list(map(join_cells, zip(*rows, strict=True)))
        names = _over(numeric, joined, [index, joined])
        reason = f"The names in {len(rows)} header rows repeat, and are joined."
        return Headings(names=names, labels=labels, reason=reason, trimmed=())
    names = _over(numeric, list(map(str.strip, rows[naming])), [index, rows[naming], *rows])
    reason = f"Header row {naming + 1} names the columns; labels are {', '.join(labels)}."
    return Headings(names=names, labels=labels, reason=reason, trimmed=_trimmed(rows[naming]))


def join_cells(cells: Iterable[str]) -> str:
    """Join the different filled cells by spaces."""
    return " ".join(dict.fromkeys(cell.strip() for cell in cells if cell.strip()))


def _over(
    numeric: Sequence[int], names: Sequence[str], beside: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """Return names over the numbers, and the first available name for the other columns."""
    over_numbers = frozenset(numeric)
    return tuple(
        name if column in over_numbers else _first(*(row[column] for row in beside))
        for column, name in enumerate(names)
    )


def _own_names(
    rows: Sequence[tuple[str, ...]], numeric: Sequence[int]
) -> tuple[list[tuple[str, ...]], list[str]]:
    """Split header rows from their own names; "" for a row without one."""
    cut, called = [], []
    over, n_beside = frozenset(numeric), min(numeric, default=0)
    for row in rows:
        if marked := PERSEUS_CELL.match(row[0]):
            called.append(marked[1].strip())
            cut.append((marked[2], *row[1:]))
        else:
            # The last first: names of labels are next to them.
            beside = [cell for column, cell in enumerate(row) if column not in over][::-1]
            called.append(PREFIX.sub("", _first(*row[:n_beside], *beside)))
            cut.append(row)
    return cut, called


def _naming(rows: Sequence[Sequence[str]], numeric: Sequence[int]) -> int | None:
    """Return the header row whose names over the numbers all differ, the first such."""
    different = []
    for number, row in enumerate(rows):
        names = [row[column].strip() for column in numeric]
        if all(names) and len(set(names)) == len(names):
            different.append(number)
    first = different[0] if different else None
    return next((number for number in different if is_id_name(rows[number][0])), first)


def _spread(
    rows: Sequence[tuple[str, ...]], naming: int | None, numeric: Sequence[int]
) -> list[tuple[str, ...]]:
    """Return header rows with merged cells repeated over all their columns.

    So are those of rows above others that leave columns blank, but not the first.
    """
    last = len(rows) - 1 if naming is None else naming
    spread = []
    for number, row in enumerate(rows):
        cells = list(row)
        blank = [column for column in numeric if not row[column].strip()]
        if number < last and blank and row[numeric[0]].strip():
            for before, column in pairwise(numeric):
                cells[column] = cells[column] if cells[column].strip() else cells[before]
        spread.append(tuple(cells))
    return spread


def _labels(
    rows: Sequence[Sequence[str]],
    called: Sequence[str],
    numbers: Sequence[int],
    numeric: Sequence[int],
    naming: int | None,
) -> dict[str, tuple[str, ...]]:
    """Return header rows as labels; unnamed ones are named by their contents.

    What names rows is no name of a label, unless the row that names columns has one, too.
    """
    own = naming is not None and bool(called[naming])
    labels: dict[str, tuple[str, ...]] = {}
    for number in numbers:
        name = called[number]
        plain = not name or (not own and is_id_name(name))
        over = [rows[number][column].strip() for column in numeric]
        if _are_units(over) and (plain or UNIT.fullmatch(name)):
            name = "unit"
        elif not name and _are_codes(over):
            name = CLASS
        elif plain and name and len(numbers) == len(rows):
            # All rows are joined to names; those of levels are their own.
            name = name if number else f"header row {number + 1}"
        elif plain:
            name = f"header row {number + 1}"
        if name in labels:
            name = f"header row {number + 1}"
        labels[name] = tuple(rows[number])
    return labels


def _are_units(cells: Sequence[str]) -> bool:
    filled = {*cells} - {""}
    return bool(filled) and all(map(UNIT.fullmatch, filled))


def _are_codes(cells: Sequence[str]) -> bool:
    return all(cell.isdecimal() for cell in cells) and 2 * len(set(cells)) <= len(cells)


def _classes(names: Sequence[str], numeric: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """Return the only header row as a label if its few names repeat as classes do."""
    over = [names[column] for column in numeric]
    if len(over) < FEWEST_CLASSED or not all(over) or 2 * len(set(over)) > len(over):
        return {}
    return {CLASS: tuple(names)}


def _first(*cells: str) -> str:
    """Return the first non-blank cell: columns beside the numbers may be named in any row."""
    return next((cell.strip() for cell in cells if cell.strip()), "")


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(cell for cell in cells if cell != cell.strip() and cell.strip())
