"""Guess delimiter, decimal mark, thousands mark and comment mark, each with its evidence."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.model.words import counted

DELIMITERS = {
    "\t": "tab",
    ",": "comma",
    ";": "semicolon",
    "|": "vertical bar",
    ":": "colon",
    " ": "space",
    "^": "caret",
    "~": "tilde",
    "\x1f": "unit separator",
    "\x01": "control-A",
    "§": "section sign",
    "¦": "broken bar",
}
"""Possible delimiters in order of preference."""

LIKELY = "\t,;|"
"""Delimiters that programs write by default; the others need better evidence."""

HANDICAP = 0.3
"""Advantage that the others need: names with spaces and colons are common."""

COMMENTS = ("#", "!", "%", "//")
"""Marks at the beginning of comment lines."""

MOST_LINES = 60
MOST_CELLS = 200
"""Number of lines, and of cells in each, whose contents are examined."""

LONG = 1024 * 1024
"""Length from which on a line's delimiters are counted without splitting it."""

MOST_SPACED = 100_000
"""Maximum number of cells of a long line that is split at spaces."""

LOOKED_AT = 64 * 1024
"""Characters of a line that are split to examine its cells."""

SPACES = re.compile(r"[ \t\u00a0]+")
_LIKE_NUMBER = re.compile(
    r"\s*[-+\u2212]?[\d.,' \u00a0\u2009\u202f\u2019]*(?:e[-+]?\d+)?\s*%?\s*", re.I
)


@dataclass(frozen=True)
class Found:
    """A guess, its reason, and whether it is sure."""

    value: str
    reason: str
    sure: bool = True


@dataclass(frozen=True, kw_only=True)
class _Cut:
    """The split of the examined lines by one delimiter.

    `even` is the share of the text that lies in lines with the same number of cells; `clean` the
    share of cells in those lines that are numbers, blank, or texts without other delimiters.
    """

    delimiter: str
    cells: int
    lines: int
    total: int
    counts: tuple[int, int]
    even: float
    clean: float

    @property
    def quality(self) -> tuple[float, ...]:
        """Sort key, larger for a better split; text counts, not lines, as preambles are short."""
        score = self.even * self.clean - (0 if self.delimiter in LIKELY else HANDICAP)
        return round(score, 1), self.delimiter in LIKELY, round(score, 2), self.cells

    @property
    def name(self) -> str:
        return DELIMITERS.get(self.delimiter, repr(self.delimiter))


def delimiter_of(lines: Sequence[str]) -> Found | None:
    """Return the delimiter that splits lines most evenly into clean cells; None if none does.

    `lines` are those of the head of a file, without blank ones.
    """
    lines = [_bare(line) if len(line) > LONG and '"' in line else line for line in lines]
    found = (_cut(lines, delimiter) for delimiter in DELIMITERS)
    cuts = sorted((cut for cut in found if cut), key=lambda cut: cut.quality, reverse=True)
    if not cuts:
        return None
    best, *others = cuts
    share = f"{best.lines} of" if best.lines < best.total else "all"
    name = f"{best.name}s".capitalize()
    reason = f"{name} split {share} {best.total} examined lines into {best.cells} cells"
    if others:
        fewest, most = others[0].counts
        rival = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        reason += f"; {others[0].name}s would give {rival}"
    close = any(cut.delimiter in LIKELY and cut.quality[0] >= best.quality[0] for cut in others)
    sure = (best.even >= 0.9 or best.even * best.clean >= 0.75) and not close
    return Found(best.delimiter, reason + ".", sure=sure)


def _bare(line: str) -> str:
    """Return a long line without quoted text."""
    letters = np.frombuffer(line.encode("utf-8", errors="replace"), np.uint8)
    outside = np.cumsum(letters == ord('"'), dtype=np.uint8) & 1 == 0
    return str(letters[outside].tobytes(), "utf-8", errors="replace")


def _cut(lines: Sequence[str], delimiter: str) -> _Cut | None:
    counts = [_n_cells(line, delimiter) for line in lines]
    often = Counter(counts)
    wide = [cells for cells in often if cells > 1]
    if not wide:
        return None
    cells = max(wide, key=lambda cells: (often[cells] * (cells - 1), cells))
    # A header without a name over the names of the rows, as R writes it, counts as even.
    fit = {cells, cells - 1} if often[cells - 1] == 1 else {cells}
    even = [line for line, count in zip(lines, counts, strict=True) if count in fit]
    length = sum(len(line) + 1 for line in lines)
    return _Cut(
        delimiter=delimiter,
        cells=cells,
        lines=len(even),
        total=len(lines),
        counts=(min(counts), max(counts)),
        even=sum(len(line) + 1 for line in even) / length,
        clean=_clean(even, delimiter),
    )


def _clean(lines: Sequence[str], delimiter: str) -> float:
    """Return the share of cells that need no further splitting."""
    clean = total = 0
    others = [other for other in LIKELY if other != delimiter]
    for line in lines[:MOST_LINES]:
        for cell in split(line[:LOOKED_AT], delimiter)[:MOST_CELLS]:
            total += 1
            clean += bool(_LIKE_NUMBER.fullmatch(cell)) or not any(
                other in cell for other in others
            )
    # White space includes tabs, but files with tabs are meant to be split at tabs.
    tabs = delimiter == " " and any("\t" in line for line in lines)
    return clean / total * (0.7 if tabs else 1)


def split(line: str, delimiter: str) -> list[str]:
    """Split one line into cells."""
    if delimiter == " ":
        return spaced(line)
    if '"' not in line:
        return line.split(delimiter)
    return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])


def _n_cells(line: str, delimiter: str) -> int:
    if len(line) > LONG:
        return len(line.split(None, MOST_SPACED)) if delimiter == " " else line.count(delimiter) + 1
    if '"' not in line and delimiter != " ":
        return line.count(delimiter) + 1
    return len(split(line, delimiter))


def spaced(line: str) -> list[str]:
    """Split a line at runs of white space; quotes hold cells together."""
    if '"' not in line:
        return line.split()
    tidy = SPACES.sub(" ", line.strip())
    return next(csv.reader([tidy], delimiter=" "), [])


_PLAIN = re.compile(r"[-+]?\d+", re.A)
_POINT = re.compile(r"[-+]?\d*\.\d*(?:e[-+]?\d+)?", re.I | re.A)
_COMMA = re.compile(r"[-+]?\d*,\d*(?:e[-+]?\d+)?", re.I | re.A)
_THREE = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}", re.A)
_GROUPS = re.compile(
    r"[-+]?\d{1,3}(?:(?P<mark>[.,'\u2019 \u00a0\u2009\u202f])\d{3})"
    r"(?:(?P=mark)\d{3})*(?:(?P<decimal>[.,])\d*)?(?:e[-+]?\d+)?",
    re.I | re.A,
)
_PLAIN_MARKS = str.maketrans("\u2019\u00a0\u2009\u202f", "'   ")
"""Apostrophes and spaces as they are typed."""


@dataclass(frozen=True)
class Marks:
    """The decimal mark and the mark between thousands."""

    decimal: Found
    thousands: Found

    @property
    def values(self) -> tuple[str, str]:
        return self.decimal.value, self.thousands.value


def marks_of(cells: Iterable[str]) -> Marks:
    """Guess the marks in numbers from cells of which some are numbers."""
    points = commas = three_points = three_commas = below_1000 = from_1000 = from_100 = 0
    groups: Counter[tuple[str, str]] = Counter()
    first: dict[str, str] = {}
    for raw in cells:
        cell = raw.strip().removesuffix("%").rstrip()
        if not cell or len(cell) > 40 or cell[-1].isalpha():
            continue
        if _PLAIN.fullmatch(cell):
            is_short = len(cell.lstrip("+-")) <= 3
            below_1000 += is_short
            from_1000 += not is_short
        elif _POINT.fullmatch(cell):
            first.setdefault(".", cell)
            points += 1
            three_points += bool(_THREE.fullmatch(cell))
            from_100 += cell.lstrip("+-").find(".") == 3
        elif _COMMA.fullmatch(cell):
            first.setdefault(",", cell)
            commas += 1
            three_commas += bool(_THREE.fullmatch(cell))
        elif (found := _GROUPS.fullmatch(cell)) and found["mark"] != found["decimal"]:
            pair = found["mark"].translate(_PLAIN_MARKS), found["decimal"] or ""
            groups[pair] += 1
            first.setdefault("".join(pair), cell)
    if groups:
        return _grouped(
            points, commas, three_points == points, three_commas == commas, groups, first
        )
    if commas > points:
        return _commas(commas, first[","], three_commas == commas, points, below_1000, from_1000)
    if points and commas and three_commas == commas:
        reason = (
            f"{counted(commas, 'number is', 'numbers are')} grouped as in {first[',']!r} beside"
            f" {first['.']!r}."
        )
        return _marks(".", ",", reason, sure=False)
    if points:
        evidence = f"{counted(points, 'number has', 'numbers have')} a point as in {first['.']!r}"
        # Logarithms with three digits are below 100; counts in groups of three are not.
        either = three_points == points and not from_1000 and bool(from_100 or below_1000)
        evidence += ", and three digits after it; it could also group thousands" if either else ""
        return _marks(".", "", f"{evidence}.", sure=not (commas or either))
    return _marks(".", "", "None of the examined numbers has a decimal mark.")


def _marks(decimal: str, thousands: str, reason: str, *, sure: bool = True) -> Marks:
    return Marks(Found(decimal, reason, sure), Found(thousands, reason, sure))


def _grouped(
    points: int,
    commas: int,
    points_in_threes: bool,
    commas_in_threes: bool,
    groups: Counter[tuple[str, str]],
    first: dict[str, str],
) -> Marks:
    """Return the marks where some numbers are surely grouped: "1.234,5", "1 234"."""
    (mark, decimal), count = groups.most_common(1)[0]
    reason = (
        f"{counted(count, 'number is', 'numbers are')} grouped as in {first[mark + decimal]!r}."
    )
    if decimal:
        return _marks(decimal, mark, reason)
    other = {",": ".", ".": ","}.get(mark)
    if other is None:
        return _marks("," if commas > points else ".", mark, reason)
    mixed = points if mark == "." else commas
    in_threes = points_in_threes if mark == "." else commas_in_threes
    return _marks(other, mark, reason, sure=not mixed or in_threes)


def _commas(
    commas: int, example: str, in_threes: bool, points: int, below_1000: int, from_1000: int
) -> Marks:
    """Return the marks where most marked numbers have one comma, which may be either."""
    evidence = f"{counted(commas, 'number has', 'numbers have')} a comma as in {example!r}"
    if not in_threes:
        return _marks(",", "", f"{evidence}.")
    if points or (below_1000 and not from_1000):
        reason = (
            f"All {commas} numbers with a comma have three digits after it as {example!r}, and no"
            " whole number above 999 is without one."
        )
        return _marks(".", ",", reason, sure=False)
    reason = f"{evidence}; it could also group thousands."
    return _marks(",", "", reason, sure=False)
