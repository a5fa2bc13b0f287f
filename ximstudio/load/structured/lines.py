"""Lines of a text file with a fixed structure, found by number and split at tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from ximstudio.load.reading import Choices, Guess, Report
from ximstudio.load.source import Source
from ximstudio.load.text.encoding import encoding_of, plain
from ximstudio.model.arrays import Ints
from ximstudio.model.problem import UserError

COUNTED = 16 * 1024 * 1024
"""Bytes that are searched for line ends at once."""

FILLED = re.compile(r"\S")
"""Matches a line that is not blank."""

NEWLINE = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class Lines:
    """A text as UTF-8 without carriage returns; lines are counted from 1, as in editors."""

    name: str
    data: bytes
    guesses: tuple[Guess, ...] = ()

    @cached_property
    def ends(self) -> Ints:
        """Offsets of line ends: of each newline, or the end of the text."""
        found = []
        for begin in range(0, len(self.data), COUNTED):
            piece = np.frombuffer(self.data, np.uint8, min(COUNTED, len(self.data) - begin), begin)
            found.append(np.flatnonzero(piece == NEWLINE) + begin)
        if self.data and not self.data.endswith(b"\n"):
            found.append(np.array([len(self.data)]))
        return np.concatenate(found).astype(np.int64) if found else np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self.ends)

    def begin(self, number: int) -> int:
        """Return the offset of the first byte of a line."""
        return 0 if number == 1 else int(self.ends[number - 2]) + 1

    def raw(self, number: int) -> bytes:
        """Return the bytes of a line; empty for a line that does not exist."""
        if not 1 <= number <= len(self):
            return b""
        return self.data[self.begin(number) : int(self.ends[number - 1])]

    def text(self, number: int) -> str:
        """Return a line as text, without its newline."""
        return self.raw(number).decode(errors="replace")

    def cells(self, number: int) -> list[str]:
        """Return the cells of a line, as `cells_of` splits it."""
        return cells_of(self.text(number))

    def filled(self, first: int, last: int | None = None) -> Iterator[int]:
        """Yield the numbers of the lines that are not blank."""
        for number in range(first, (len(self) if last is None else last) + 1):
            if self.raw(number).strip():
                yield number

    def number_at(self, place: int) -> int:
        """Return the number of the line that a byte is on."""
        return self.data.count(b"\n", 0, place) + 1

    def where(self, number: int) -> str:
        """Return the address of a line, for a message."""
        return f"{self.name}, line {number}"


def lines_of(source: Source, choices: Choices, report: Report, *, part: float) -> Lines:
    """Read the lines of a source as the first `part` of the work."""
    data = source.read(report, part=part)
    found = None if choices.encoding else encoding_of(data, name=source.name)
    data = plain(data, choices.encoding or (found.name if found else ""), name=source.name)
    zero = data.find(0)
    if zero >= 0:
        raise UserError(
            key="load.not_text",
            what="This is not a text file: it holds zero bytes.",
            where=f"{source.name}, line {data.count(NEWLINE, 0, zero) + 1}",
            way_out="Fetch or save the file again: it is damaged there.",
        )
    if found is None:
        return Lines(name=source.name, data=data)
    reason, sure = found.reason, found.sure
    guess = Guess(key="encoding", label="Encoding", value=found.name, reason=reason, sure=sure)
    return Lines(name=source.name, data=data, guesses=(guess,))


def first_lines(source: Source, count: int) -> list[str]:
    """Return the first non-blank lines, to recognise a format by; none of binary files."""
    return [*islice(filled_lines(source), count)]


def filled_lines(source: Source) -> Iterator[str]:
    """Yield the non-blank lines in the head of a source; none of binary files."""
    text = _head_text(source)
    begin = 0
    while found := FILLED.search(text, begin):
        end = text.find("\n", found.start())
        end = len(text) if end < 0 else end
        yield text[text.rfind("\n", begin, found.start()) + 1 or begin : end]
        begin = end


def head_lines(source: Source) -> list[str]:
    """Return all lines in the head of a source, including blank ones."""
    text = _head_text(source)
    return text.split("\n") if text else []


def _head_text(source: Source) -> str:
    if source.is_folder:
        return ""
    head = source.head
    try:
        text = plain(head, encoding_of(head, name=source.name).name, name=source.name)
    except UserError:
        return ""
    return text.decode(errors="replace")


def cells_of(line: str) -> list[str]:
    """Split a line into cells, without quotes around them and without blank ones at the end."""
    return trimmed([unquoted(cell) for cell in line.split("\t")])


def unquoted(cell: str) -> str:
    """Return a cell without the quotes that a spreadsheet puts around it."""
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def trimmed(cells: list[str]) -> list[str]:
    """Return the cells up to the last that is not blank."""
    end = len(cells)
    while end and not cells[end - 1].strip():
        end -= 1
    return cells[:end]


def piece_of(report: Report, begin: float, end: float) -> Report:
    """Return a report for the part of the work from `begin` to `end`."""
    return lambda fraction: report(begin + (end - begin) * fraction)


def ends_too_early(where: str, what: str) -> UserError:
    """Return the error for a file that stops before its end."""
    return UserError(
        key="load.truncated",
        what=f"The file ends too early: {what}",
        where=where,
        way_out="Fetch or save the file again; its end is missing.",
    )
