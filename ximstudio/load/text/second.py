"""Find the header of another table among the rows of one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.load.headers import is_id_name
from ximstudio.load.reading import Report, silent
from ximstudio.load.slices import slices
from ximstudio.load.text.notation import Notation
from ximstudio.load.text.rows import Rows
from ximstudio.model.arrays import Ints
from ximstudio.model.problem import SettingsForm, UserError

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
