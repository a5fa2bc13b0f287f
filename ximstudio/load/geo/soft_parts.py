"""The parts of a SOFT file: their attributes, and the positions of their tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ximstudio.load.reading import Report
from ximstudio.load.structured.lines import Lines, cells_of, ends_too_early

KEY = "soft"

TABLE_BEGIN = re.compile(rb"(?mi)^!\w+_table_begin[ \t]*\n?")
TABLE_END = re.compile(rb"!\w+_table_end\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Place:
    """A table inside a file: the names of its columns, and the range of bytes of its rows."""

    header: tuple[str, ...]
    begin: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Entity:
    """One part of a file, from a line that begins with "^" to the next.

    Parameters
    ----------
    kind, name
        "sample" and its accession, in "^SAMPLE = GSM1".
    begin
        Where it begins.
    attributes
        "title" → what lines "!Sample_title = …" say, one after another.
    columns
        Column of the table → what the line "#VALUE = …" says of it.
    """

    kind: str
    name: str
    begin: int
    attributes: Mapping[str, Sequence[str]]
    columns: Mapping[str, str] = field(default_factory=dict)
    table: Place | None = None

    def first(self, key: str) -> str:
        """Return the first text under a key, or ""."""
        return next(iter(self.attributes.get(key, ())), "")


def entities(lines: Lines, report: Report) -> Iterator[Entity]:
    """Yield the parts of a file in order, without looking at the rows of tables."""
    data = lines.data
    begin = 0 if data.startswith(b"^") else data.find(b"\n^") + 1
    while begin < len(data) and data[begin : begin + 1] == b"^":
        after = data.find(b"\n^", begin)
        end = len(data) if after < 0 else after + 1
        yield _entity(lines, begin, end)
        report(end / len(data))
        begin = end


def _entity(lines: Lines, begin: int, end: int) -> Entity:
    data = lines.data
    found = TABLE_BEGIN.search(data, begin, end)
    header_lines = (
        data[begin : found.start() if found else end].decode(errors="replace").split("\n")
    )
    kind, _, name = header_lines[0].removeprefix("^").partition("=")
    kind = kind.strip().lower()
    attributes: dict[str, list[str]] = {}
    columns: dict[str, str] = {}
    for line in header_lines[1:]:
        key, _, text = line.partition("=")
        if line.startswith("!"):
            key = key[1:].strip().lower().removeprefix(f"{kind}_")
            attributes.setdefault(key, []).append(text.strip())
        elif line.startswith("#"):
            columns[key[1:].strip()] = text.strip()
    return Entity(
        kind=kind,
        name=name.strip(),
        begin=begin,
        attributes=attributes,
        columns=columns,
        table=None if found is None else _place(lines, found.end(), end, f"{kind} {name.strip()}"),
    )


def _place(lines: Lines, begin: int, end: int, what: str) -> Place | None:
    """Return the position of a table; None if it lacks even the names of columns."""
    data = lines.data
    last = data.find(b"\n!", begin - 1, end)
    while last >= 0 and not TABLE_END.match(data, last + 1, end):
        last = data.find(b"\n!", last + 1, end)
    if last < 0:
        raise ends_too_early(
            lines.where(lines.number_at(max(end - 1, 0))), f"the table of {what} has no end."
        )
    stop = last + 1
    if stop <= begin:
        return None
    header_end = data.find(b"\n", begin, stop)
    header = cells_of(data[begin:header_end].decode(errors="replace"))
    if not header:
        return None
    return Place(header=tuple(header), begin=header_end + 1, end=stop)
