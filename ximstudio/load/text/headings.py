"""Header rows → the names of the columns, and labels beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ximstudio.load.text.edges import ID_NAMES
from ximstudio.load.text.layout import Layout


@dataclass(frozen=True, kw_only=True)
class Headings:
    """What header rows say.

    Parameters
    ----------
    names
        One per column, stripped; "" for a column without one.
    labels
        Name of a header row that does not name the columns → its cells.
    told
        How the names were made, as a sentence; "" if there is but one header row.
    trimmed
        Names from which white space was taken off.
    """

    names: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]
    told: str
    trimmed: tuple[str, ...]


def headings_of(layout: Layout) -> Headings:
    """The names of the columns: of one header row if its names differ, else of all, joined."""
    rows = layout.header
    if not rows:
        return Headings(names=("",) * layout.width, labels={}, told="", trimmed=())
    if len(rows) == 1:
        names = [cell.strip() for cell in rows[0]]
        return Headings(names=tuple(names), labels={}, told="", trimmed=_trimmed(rows[0]))
    naming = _naming(rows, layout.numeric)
    if naming is None:
        joined = [
            " ".join(dict.fromkeys(cell.strip() for cell in cells if cell.strip()))
            for cells in zip(*rows, strict=True)
        ]
        told = f"The names in {len(rows)} header rows repeat, and are joined."
        labels = _labels(rows, range(len(rows)), layout.numeric)
        return Headings(names=tuple(joined), labels=labels, told=told, trimmed=())
    over_numbers = frozenset(layout.numeric)
    names = [
        cell.strip() if column in over_numbers else _first(cell, *(row[column] for row in rows))
        for column, cell in enumerate(rows[naming])
    ]
    others = [number for number in range(len(rows)) if number != naming]
    labels = _labels(rows, others, layout.numeric)
    told = f"Header row {naming + 1} names the columns; labels are {', '.join(labels)}."
    return Headings(names=tuple(names), labels=labels, told=told, trimmed=_trimmed(rows[naming]))


def _naming(rows: Sequence[Sequence[str]], numeric: Sequence[int]) -> int | None:
    """The header row whose names over the numbers all differ: the first that begins as such."""
    different = []
    for number, row in enumerate(rows):
        names = [row[column].strip() for column in numeric]
        if all(names) and len(set(names)) == len(names):
            different.append(number)
    if not different:
        return None
    return next(
        (number for number in different if rows[number][0].strip().lower() in ID_NAMES - {""}),
        different[0],
    )


def _labels(
    rows: Sequence[Sequence[str]], numbers: Sequence[int], numeric: Sequence[int]
) -> dict[str, tuple[str, ...]]:
    """Header rows as labels, named by what stands before their first number."""
    labels: dict[str, tuple[str, ...]] = {}
    n_beside = min(numeric, default=0)
    for number in numbers:
        called = _first(*rows[number][:n_beside])
        if called.lower() in ID_NAMES or called in labels:
            called = f"header row {number + 1}"
        labels[called] = tuple(rows[number])
    return labels


def _first(*cells: str) -> str:
    """The first cell that holds anything: columns beside the numbers are named in any row."""
    return next((cell.strip() for cell in cells if cell.strip()), "")


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(cell for cell in cells if cell != cell.strip() and cell.strip())
