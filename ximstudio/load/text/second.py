"""Refuse a text with another table below the first, or beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.load.headers import is_id_name
from ximstudio.load.reading import Report, silent, slices
from ximstudio.load.text.notation import Notation
from ximstudio.load.text.rows import Rows
from ximstudio.model.arrays import Ints
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.model.words import counted

if TYPE_CHECKING:
    from ximstudio.load.text.understood import Understood

FEWEST_NAMES = 2
"""Minimum number of cells of a header beside the first."""

MOST_LOOKED_AT = 1000
"""Maximum number of rows examined below blank lines, and with the header's beginning."""


def second_header(
    rows: Rows,
    corner: str,
    body: Ints,
    numeric: Sequence[int],
    notation: Notation,
    report: Report = silent,
) -> int | None:
    """Return the first row of the body that begins another table; None if none does.

    It begins as the header of the table does, or below a blank line with what is no name of a row,
    and names columns that hold numbers.
    """
    for row in _candidates(rows, corner, body, report):
        cells = [cell.strip() for cell in rows.cut(row)]
        same = cells[0] == corner.strip() and bool(corner.strip())
        over = [cells[column] for column in numeric if column < len(cells) and cells[column]]
        texts = all(notation.value(cell) is None for cell in over)
        if (same or is_id_name(cells[0])) and len(over) >= FEWEST_NAMES and texts:
            return row
    return None


def _candidates(rows: Rows, corner: str, body: Ints, report: Report) -> list[int]:
    """Return rows below a blank line, and those that begin like the corner."""
    buffer = np.frombuffer(rows.data, np.uint8)
    letters = corner.strip().encode()
    below_blank: list[int] = []
    alike: list[int] = []
    for part in slices(len(body), report, 0.0):
        some = body[part]
        # The first row has none before it.
        below = some[1:] if part.start == 0 else some
        before = body[max(part.start - 1, 0) :][: len(below)]
        below_blank += below[rows.starts[below] > rows.ends[before] + 1].tolist()
        some = some[rows.ends[some] - rows.starts[some] >= len(letters)]
        for place, letter in enumerate(letters):
            some = some[buffer[rows.starts[some] + place] == letter]
        alike += some.tolist() if letters else []
        if len(below_blank) >= MOST_LOOKED_AT and len(alike) >= MOST_LOOKED_AT:
            break
    return sorted({*below_blank[:MOST_LOOKED_AT], *alike[:MOST_LOOKED_AT]})


def refuse_second(rows: Rows, row: int, before: int, *, name: str, word: str) -> UserError:
    """Return the error for a file with another table below the first."""
    line, last = int(rows.lines[row]), int(rows.lines[before])
    return UserError(
        key="load.second_table",
        what="Another table begins below the first.",
        where=f"{name}, {word} {line}",
        way_out=f"To read the first, end the table at line {last}; to read the other, skip"
        f" {line - 1} lines.",
        fields=("end", "skip"),
        form=SettingsForm.READING,
        hint={"end": last},
    )


SHARED = 0.3
"""Share of names that a second column of names has in common with the first."""

AGREEING = 0.5
"""Share of rows with equal names above which both belong to one table."""


def beside(found: Understood, *, name: str, word: str) -> UserError | None:
    """Return the error if a second table lies beside the first, else None.

    Its names are those of the first in another order, and numbers follow them.
    """
    column = _second_names(found)
    if column is None or not found.layout.header:
        return None
    columns = found.columns
    mine = [columns.called(one) for one in found.features if one < column]
    others = [one for one in found.features if one > column]
    if not mine or not others:
        return None
    # A name that both tables use cannot be chosen.
    clear = not {*mine} & {columns.called(one) for one in others}
    choose = "; to read the first, choose its columns" if clear else ""
    return UserError(
        key="load.side_by_side",
        what=f"Another table lies beside the first: '{columns.called(column)}' in column"
        f" {columns.place(column)} names other rows, and {counted(len(others), 'column')} of"
        " numbers follow.",
        where=f"{name}, {word} {int(found.block.lines[0])} and below",
        way_out=f"Save each table in a file of its own{choose}.",
        fields=("features",) if clear else (),
        form=SettingsForm.READING,
        hint={"features": tuple(mine)} if clear else {},
    )


def _second_names(found: Understood) -> int | None:
    """Return the second column of names: under the same header, or after an empty column."""
    if found.id is None:
        return None
    names = found.columns.names
    first = [text.strip() for text in found.block.texts[found.id]]
    for column in found.labels:
        if column <= found.id or column in found.coded or not is_id_name(names[column]):
            continue
        if names[column] != names[found.id] and not _is_blank(found, column - 1):
            continue
        other = [text.strip() for text in found.block.texts[column]]
        named = {text for text in other if text}
        alike = sum(one == two for one, two in zip(first, other, strict=True))
        if len(named & {*first}) >= SHARED * max(len(named), 1) and alike < AGREEING * len(named):
            return column
    return None


def _is_blank(found: Understood, column: int) -> bool:
    """Return whether a column has neither a name nor a cell."""
    if found.columns.names[column] or column in found.features:
        return False
    return not any(map(str.strip, found.block.texts.get(column, ())))
