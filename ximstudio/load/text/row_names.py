"""Names of the rows, with blank ones filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ximstudio.load.names import looks_like_genes
from ximstudio.load.reading import Report, silent
from ximstudio.load.slices import slices

LOOKED_AT = 200
"""Number of blank names for which another column is judged."""


@dataclass(frozen=True, kw_only=True)
class RowNames:
    """One name per row, stripped.

    Parameters
    ----------
    blank
        Places of the rows that the file gives no name.
    column
        The column that names those; None if they are numbered.
    """

    names: tuple[str, ...]
    blank: tuple[int, ...] = ()
    column: int | None = None


def numbered(n_rows: int, report: Report = silent) -> RowNames:
    """Return names for unnamed rows, counted from 1."""
    names: list[str] = []
    for part in slices(n_rows, report):
        names += [f"row {number}" for number in range(part.start + 1, min(part.stop, n_rows) + 1)]
    return RowNames(names=tuple(names))


def names_of(
    texts: Sequence[str], others: Mapping[int, Sequence[str]], report: Report = silent
) -> RowNames:
    """Return the names in a column; fill blank ones from a complete other column, or number them.

    `others` are the columns of texts that may stand in.
    """
    names: list[str] = []
    for part in slices(len(texts), report):
        names += map(str.strip, texts[part])
    if all(names):
        return RowNames(names=tuple(names))
    blank = [place for place, name in enumerate(names) if not name]
    column = _stand_in(blank, others)
    taken = set(names)
    for place in blank:
        if column is not None:
            names[place] = others[column][place].strip()
            continue
        name, more = f"row {place + 1}", 1
        while name in taken:
            name, more = f"row {place + 1} ({more})", more + 1
        names[place] = name
        taken.add(name)
    return RowNames(names=tuple(names), blank=tuple(blank), column=column)


def _stand_in(blank: Sequence[int], others: Mapping[int, Sequence[str]]) -> int | None:
    """Return a column that is complete and unique for these rows, preferably of genes."""
    ranked = []
    for column, texts in others.items():
        found = [texts[place].strip() for place in blank]
        if all(found) and len(set(found)) == len(found):
            ranked.append((looks_like_genes(found[:LOOKED_AT])[0] >= 0.5, -column))
    return -max(ranked)[1] if ranked else None
