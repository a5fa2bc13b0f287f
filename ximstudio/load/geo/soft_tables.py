"""The parts of a SOFT file, and one column of their tables, joined by row id."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

import numpy as np

from ximstudio.load.account import note
from ximstudio.load.reading import Report
from ximstudio.load.source import memory_to_give, refuse_too_large
from ximstudio.load.structured.lines import Lines, cells_of, ends_too_early, piece_of
from ximstudio.load.structured.rectangle import NOTHING, nothing_to_read
from ximstudio.load.text.block import Block, read_block
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.words import counted

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
    head = data[begin : found.start() if found else end].decode(errors="replace")
    header_lines = head.split("\n")
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


ID = "ID_REF"

TOGETHER = 4 * 1024 * 1024
"""Bytes of ids and values that are read at once."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SoftColumn:
    """One column of a sample's table, with its ids."""

    ids: tuple[str, ...]
    values: Floats
    spelt: Mapping[str, int] = field(default_factory=dict)


def place_of(sample: Entity, column: str) -> int | None:
    """Return the position of a column in a sample's table; None without it or without ids."""
    names = [] if sample.table is None else [name.strip().upper() for name in sample.table.header]
    if column.upper() not in names:
        return None
    place = names.index(column.upper())
    # Without a column of that name, the first one holds the ids.
    return place if ID in names or place > 0 else None


def read_columns(
    lines: Lines, samples: Sequence[Entity], column: str, blanks: Sequence[str], report: Report
) -> list[SoftColumn]:
    """Read the ids and one column of every sample's table; refuse texts among the numbers."""
    columns: list[SoftColumn] = []
    waiting: list[_Cut] = []
    n_bytes = 0
    for number, sample in enumerate(samples, 1):
        waiting.append(_cut(lines, sample, column))
        n_bytes += len(waiting[-1].data)
        if number == len(samples) or n_bytes > TOGETHER:
            done = len(columns) / len(samples), number / len(samples)
            columns += _read_together(lines, waiting, column, blanks, piece_of(report, *done))
            waiting, n_bytes = [], 0
    return columns


@dataclass(frozen=True, kw_only=True)
class _Cut:
    """The rows of a sample, reduced to ids and values."""

    sample: Entity
    data: bytes
    n_rows: int


def _read_together(
    lines: Lines, cuts: Sequence[_Cut], column: str, blanks: Sequence[str], report: Report
) -> list[SoftColumn]:
    """Read the columns of several samples at once, which is much faster than one by one."""
    read = partial(
        read_block,
        width=2,
        text_columns=(0,),
        blanks=blanks,
        quotes=False,
        names=(ID, column),
        report=report,
    )
    try:
        block = read(b"".join(cut.data for cut in cuts), name=lines.name)
    except UserError:
        block = None
    if block is not None and len(block.values) == sum(cut.n_rows for cut in cuts):
        bounds = np.cumsum([0, *(cut.n_rows for cut in cuts)]).tolist()
        columns = [_column(block, first, last) for first, last in pairwise(bounds)]
        # Spellings of missing values are counted over all samples that are read together.
        return [replace(columns[0], spelt=block.spelt), *columns[1:]]
    # Read one by one, so that the refusal quotes the lines of the file.
    columns = []
    for cut in cuts:
        assert cut.sample.table is not None
        before = b"\n" * (lines.number_at(cut.sample.table.begin) - 1)
        single = read(before + cut.data, name=f"{lines.name}, sample '{cut.sample.name}'")
        columns.append(replace(_column(single, 0, len(single.values)), spelt=single.spelt))
    return columns


def _column(block: Block, first: int, last: int) -> SoftColumn:
    ids = tuple(name.strip().strip('"') for name in block.texts[0][first:last])
    return SoftColumn(ids=ids, values=block.values[first:last, 0])


def _cut(lines: Lines, sample: Entity, column: str) -> _Cut:
    """Return ids and values of every row; blank cells at its end may be absent or more."""
    place, id_place, table = place_of(sample, column), place_of(sample, ID) or 0, sample.table
    assert table is not None
    assert place is not None
    width = len(table.header)
    kept = []
    # Nothing follows the last newline.
    for number, row in enumerate(lines.data[table.begin : table.end].split(b"\n")[:-1]):
        cells = row.split(b"\t")
        if len(cells) != width and not any(map(bytes.strip, cells)):
            kept.append(b"")
            continue
        if len(cells) != width and (
            len(cells) <= max(id_place, place) or any(map(bytes.strip, cells[width:]))
        ):
            raise UserError(
                key="load.uneven_rows",
                what=f"A row of '{sample.name}' has {len(cells)} cells, but its table has {width}"
                " columns.",
                where=lines.where(lines.number_at(table.begin) + number),
                way_out="Fetch the file again, or complete this row.",
            )
        kept.append(cells[id_place] + b"\t" + cells[place])
    n_rows = sum(bool(row.strip(NOTHING)) for row in kept)
    return _Cut(sample=sample, data=b"".join(row + b"\n" for row in kept), n_rows=n_rows)


def together(
    lines: Lines, samples: Sequence[Entity], columns: Sequence[SoftColumn]
) -> tuple[tuple[str, ...], Floats, list[Problem]]:
    """Return all ids in order of first occurrence, and ids × samples; absent values are NaN."""
    ids = columns[0].ids
    same = all(column.ids == ids for column in columns)
    if not same:
        for sample, column in zip(samples, columns, strict=True):
            _refuse_repeated(lines, sample, column.ids)
        ids = tuple(dict.fromkeys(name for column in columns for name in column.ids))
    if not ids:
        raise nothing_to_read(lines.where(lines.number_at(samples[0].begin)))
    refuse_too_large(8.0 * len(ids) * len(columns), memory_to_give(), lines.name)
    if same:
        return ids, np.column_stack([column.values for column in columns]), []
    rows = {name: row for row, name in enumerate(ids)}
    values = np.full((len(ids), len(columns)), np.nan)
    for place, column in enumerate(columns):
        values[[rows[name] for name in column.ids], place] = column.values
    held = Counter(name for column in columns for name in column.ids)
    partly = [repr(name) for name in ids if held[name] < len(columns)]
    where = lines.name
    difference = "Samples have the same ids in different order; they were joined by id."
    if partly:
        where = f"{lines.name}: {some_of(partly)}"
        difference = (
            f"{len(partly)} of {len(ids)} ids are not in every sample; there they are blank."
        )
    return ids, values, [note("ids_differ", difference, where)]


def _refuse_repeated(lines: Lines, sample: Entity, ids: tuple[str, ...]) -> None:
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        raise UserError(
            key="load.repeated_ids",
            what=f"{counted(len(twice), 'id occurs', 'ids occur')} more than once in a sample,"
            " and samples differ in their ids: they cannot be joined.",
            where=f"{lines.where(lines.number_at(sample.begin))}, sample '{sample.name}':"
            f" {some_of([repr(name) for name in twice])}",
            way_out="Open the series matrix instead, or give each row an id of its own.",
        )
