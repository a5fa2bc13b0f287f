"""Rows that are shorter or longer than the table: its width, and how rows are evened.

Editors, hooks and spreadsheets strip blank cells from the ends of rows, and others add some. Rows
that end early are filled up with blanks, blank cells beyond the width are cut off, and a text that
was cut at a delimiter inside it is joined again where only one way of joining it makes sense.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

import numpy as np

from ximstudio.load.headers import is_id_name
from ximstudio.load.reading import Report, silent
from ximstudio.load.text.edges import MOST_TOP
from ximstudio.load.text.notation import Notation
from ximstudio.load.text.rows import TAB, Rows, find_rows, runs, written
from ximstudio.model.arrays import Bools, Ints
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.model.words import counted

CLEAR, PAD, DROP, DROP_ALL = "clear", "pad", "drop", "drop_all"
"""Treatment of unclear uneven rows: refuse, pad, drop; or drop all uneven rows."""

BETWEEN_REPORTS = 1000
"""Rows that are split between two reports."""

SAMPLED = 1000
"""Number of complete rows that show what a text column holds."""


def usual_width(counts: Ints) -> int:
    """Return the row width that most cells belong to; 1 only if all rows have one cell."""
    often = np.bincount(counts)
    weighed = np.arange(len(often), dtype=np.float64) * often
    return int(np.flatnonzero(weighed == weighed.max())[-1])


def table_width(rows: Rows, numbers: Ints, usual: int, *, uneven: str = CLEAR) -> int:
    """Return the width of a complete row: the usual one, unless a header or rows have more.

    A header that is wider than all rows is believed if rows end at different places, or cells are
    cut at tabs, which editors strip as white space; else names may be cut where none should be.
    """
    if rows.spaced or not len(numbers):
        return usual
    counts = rows.cells[numbers]
    if (counts == usual).all():
        return usual
    if uneven == PAD:
        return max(len(trimmed(rows.cut(int(row)))) for row in numbers[counts == counts.max()])
    top = numbers[:MOST_TOP]
    wide = np.flatnonzero(rows.cells[top] >= usual)
    place = int(wide[0]) if len(wide) else 0
    header, below = trimmed(rows.cut(int(numbers[place]))), numbers[place + 1 :]
    if not len(below) or not _names(header):
        return usual
    if len(header) == usual:
        # R writes no name over the names of the rows, and here most rows were stripped.
        more = int(rows.cells[below].max()) == usual + 1 and not is_id_name(header[0])
        firsts = (rows.cut(row)[0] for row in below[:20].tolist())
        return usual + 1 if more and all(map(_is_text, firsts)) else usual
    reached = len(header) > usual and _reaches(rows, below, len(header))
    return len(header) if reached else usual


def trimmed(cells: list[str]) -> list[str]:
    """Return the cells up to the last that is not blank."""
    blank = sum(1 for _ in takewhile(lambda cell: not cell.strip(), reversed(cells)))
    return cells[: len(cells) - blank]


def _names(cells: Sequence[str]) -> bool:
    """Return whether cells may be a header: filled, and mostly texts."""
    if not cells or not all(cell.strip() for cell in cells[1:]):
        return False
    texts = sum(map(_is_text, cells))
    return 2 * texts > len(cells) or not cells[0].strip() or is_id_name(cells[0])


def _is_text(cell: str) -> bool:
    return Notation().value(cell) is None


def _reaches(rows: Rows, numbers: Ints, width: int) -> bool:
    """Return whether a header of this width fits these rows, none of which is wider."""
    counts = rows.cells[numbers]
    beyond = numbers[counts > width][:BETWEEN_REPORTS].tolist()
    if any(len(trimmed(rows.cut(row))) > width for row in beyond):
        return False
    body = counts[counts > 1]
    return rows.delimiter == TAB or bool((body != body[:1]).any())


@dataclass(frozen=True, kw_only=True, eq=False)
class Evened:
    """Rows of equal width, and the changes to them.

    Parameters
    ----------
    rows, chosen
        The rows, and which of them are the table.
    short, joined, dropped
        Lines of rows that were filled up at the end, of which cells were joined, and that were left
        out.
    """

    rows: Rows
    chosen: Ints
    short: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Evening:
    """Make the rows of a table equally wide.

    Parameters
    ----------
    width
        Cells of a whole row.
    numeric
        Columns of numbers, which say how cells can be joined.
    uneven
        What is to be done about uneven rows.
    lenient
        Whether short rows are filled up at all: formats that know better refuse them.
    """

    rows: Rows
    width: int
    name: str
    word: str = "line"
    numeric: frozenset[int] = frozenset()
    notation: Notation = field(default_factory=Notation)
    uneven: str = CLEAR
    lenient: bool = True
    report: Report = silent

    def even(self, chosen: Ints) -> Evened:
        """Return the chosen rows with equal width, at least `width`; refuse unclear ones."""
        rows, width = self.rows, self.width
        counts = rows.cells[chosen]
        if not len(chosen) or (counts[0] >= width and (counts == counts[0]).all()):
            return Evened(rows=rows, chosen=chosen)
        mark = bytes([rows.delimiter])
        joined: list[int] = []
        unclear: list[int] = []
        short = chosen[counts < width]
        if len(short) and not self._may_be_filled_up(short):
            unclear, short = short.tolist(), short[:0]
        replaced = {
            row: rows.raw(row) + mark * int(width - rows.cells[row]) for row in short.tolist()
        }
        for place, row in enumerate(chosen[counts > width].tolist()):
            if place % BETWEEN_REPORTS == 0:
                self.report(0.0)
            cells = rows.cut(row)
            if "".join(cells[width:]).strip():
                whole = None if self.uneven == DROP_ALL else self._joined(cells)
                if whole is None:
                    unclear.append(row)
                    continue
                joined.append(int(rows.lines[row]))
                cells = whole
            replaced[row] = self._written(cells[:width])
        if unclear and self.uneven not in {DROP, DROP_ALL}:
            raise self.refusal(chosen[counts != width])
        kept = chosen[~np.isin(chosen, unclear)]
        return Evened(
            rows=_spliced(rows, kept, replaced),
            chosen=np.arange(len(kept)),
            short=tuple(rows.lines[short].tolist()),
            joined=tuple(joined),
            dropped=tuple(rows.lines[sorted(unclear)].tolist()),
        )

    def refusal(self, uneven: Ints, *, misfits: bool = False) -> UserError:
        """Return the error about uneven rows; `misfits` lack cells elsewhere than at their ends."""
        rows = self.rows
        ways, hint = ["Leave these rows out", "complete them in the file"], DROP
        if self._is_cut_off(uneven):
            ways = ["The file may be cut off there: fetch it again", "leave these rows out"]
        elif rows.spaced:
            ways.append("save the table with tabs between the columns")
        elif not misfits and (rows.cells[uneven] < self.width).all():
            ways.insert(0, "If cells are missing at their ends, fill them with blanks")
            hint = PAD
        return UserError(
            key="load.uneven_rows",
            what=f"{counted(len(uneven), 'row does', 'rows do')} not have {self.width} cells as the"
            " others have.",
            where=f"{self.name}: "
            + some_of(
                [f"{self.word} {rows.lines[row]} has {rows.cells[row]}" for row in uneven[:10]],
                total=len(uneven),
            ),
            way_out="; ".join(ways) + ".",
            fields=("uneven",),
            form=SettingsForm.READING,
            hint={"uneven": hint} if self.lenient else {},
        )

    def _may_be_filled_up(self, short: Ints) -> bool:
        if self.uneven in {PAD, DROP_ALL}:
            return self.uneven == PAD
        return self.lenient and not self.rows.spaced and not self._is_cut_off(short)

    def _is_cut_off(self, uneven: Ints) -> bool:
        """Return whether only the last row is uneven, cut off within a line."""
        last = len(self.rows) - 1
        ended = self.rows.data[-1:] == b"\n"
        return len(uneven) == 1 and int(uneven[0]) == last and not ended

    def _joined(self, cells: list[str]) -> list[str] | None:
        """Join the parts of a text that holds delimiters; None if that is ambiguous."""
        surplus = len(cells) - self.width
        mark = chr(self.rows.delimiter)
        literal = not self.rows.quoted and b'"' in self.rows.data
        if not self.lenient or self.rows.spaced or mark == "\t" or literal:
            return None
        ways = []
        for column in range(self.width):
            if column in self.numeric:
                continue
            parts = cells[column : column + surplus + 1]
            whole = [*cells[:column], mark.join(parts), *cells[column + surplus + 1 :]]
            # Prose has a space after a comma; names of rows have none.
            natural = all(part.startswith(" ") for part in parts[1:])
            texts = all(self.notation.value(part) is None for part in parts)
            fits = all(self.notation.value(whole[each]) is not None for each in self.numeric)
            if (natural or column) and fits and texts:
                ways.append((natural, whole))
        candidates = [whole for natural, whole in ways if natural] or [whole for _, whole in ways]
        return candidates[0] if len(candidates) == 1 else None

    def _written(self, cells: list[str]) -> bytes:
        mark = chr(self.rows.delimiter)
        if not self.rows.quoted and not any('"' in cell or mark in cell for cell in cells):
            return mark.join(cells).encode("utf-8", errors="replace")
        return written([cells], delimiter=mark).removesuffix(b"\n")


def _spliced(rows: Rows, chosen: Ints, replaced: dict[int, bytes]) -> Rows:
    """Return only the chosen rows, some of them with other bytes."""
    kept = chosen[~np.isin(chosen, np.fromiter(replaced, np.int64, len(replaced)))]
    whole = {
        int(kept[first]): rows.data[rows.starts[kept[first]] : rows.ends[kept[last]]]
        for first, last in runs(rows, kept)
    }
    pieces = [raw for _, raw in sorted((whole | replaced).items())]
    data = b"\n".join((*pieces, b""))
    # Literal marks stay literal; where there were none, those around joined cells enclose them.
    quotes = rows.quoted or b'"' not in rows.data
    found = find_rows(data, delimiter=bytes([rows.delimiter]), quotes=quotes, name="")
    assert len(found) == len(chosen)
    return replace(found, lines=rows.lines[chosen], spaced=rows.spaced)


def misfits(
    short: Bools, odd_rows: Mapping[int, Sequence[int]], texts: Mapping[int, Sequence[str]]
) -> list[int]:
    """Return the positions of padded rows whose cells do not fit their columns.

    `short` says which rows were, `odd_rows` are the places of texts in each column of numbers,
    `texts` the cells of each column of texts.
    """
    if not short.any():
        return []
    found = {row for rows in odd_rows.values() for row in rows if short[row]}
    whole, filled_up = np.flatnonzero(~short)[:SAMPLED].tolist(), np.flatnonzero(short).tolist()
    for cells in texts.values():
        if whole and not any(_is_number(cells[row]) for row in whole):
            found |= {row for row in filled_up if _is_number(cells[row])}
    return sorted(found)


def _is_number(cell: str) -> bool:
    value = Notation().value(cell)
    return value is not None and not math.isnan(value)
