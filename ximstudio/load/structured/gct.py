"""GCT 1.2 and 1.3: expression tables that declare their size and labels.

Cells are separated by tabs; a tab or a newline inside a cell is not supported, quotes or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from ximstudio.load.account import note
from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source
from ximstudio.load.structured.lines import (
    Lines,
    cells_of,
    ends_too_early,
    first_lines,
    lines_of,
    piece_of,
)
from ximstudio.load.structured.rectangle import nothing_to_read, read_rectangle
from ximstudio.load.structured.rectangle_roles import Rectangle, free_names
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.words import counted

KEY = "gct"

VERSION = re.compile(r"#1\.([23])")

WHOLE = re.compile(r"[0-9]{1,15}")

FILLERS = frozenset({"", "na", "n/a", "nan", "null", "-666", "-"})
"""Fillers, in lower case, of the corner between the labels of rows and of columns."""

DESCRIPTIONS = frozenset({"description", "descriptions", "desc"})


class Sizes(NamedTuple):
    """The sizes declared in the second line; the counts of labels are those of version 1.3."""

    rows: int
    columns: int
    row_labels: int
    column_labels: int


def recognises(source: Source) -> bool:
    """Return whether the first line is the mark of a GCT file."""
    first = first_lines(source, 1)
    return bool(first) and _version(first[0]) is not None


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table: rows are items, with the labels of rows and columns."""
    lines = lines_of(source, choices, report, part=0.4)
    sizes, header_line, header = _head(lines)
    labels, first, notes = _column_labels(lines, sizes, header, header_line)
    notes = [*_size_notes(lines, sizes, header, header_line), *notes, *_rows(lines, sizes, first)]
    rectangle = Rectangle(
        format=KEY,
        header=tuple(header),
        texts=frozenset(range(1 + sizes.row_labels)),
        names=0,
        reason="The first column of a GCT file names its rows.",
        first=first,
        feature_labels=labels,
        notes=(*notes, *_class_file(source)),
    )
    return read_rectangle(lines, rectangle, choices, piece_of(report, 0.4, 1.0))


def _version(line: str) -> str | None:
    cells = cells_of(line)
    found = VERSION.fullmatch(cells[0].strip()) if len(cells) == 1 else None
    return found[1] if found else None


def _head(lines: Lines) -> tuple[Sizes, int, list[str]]:
    """Return the sizes, the line of the header, and the names of the columns."""
    filled = [number for number, _ in zip(lines.filled(1), range(3), strict=False)]
    version = _version(lines.text(filled[0])) if filled else None
    if version is None:
        raise UserError(
            key="load.not_gct",
            what="The file does not begin as a GCT file does, with '#1.2' or '#1.3'.",
            where=f"{lines.where(1)}: {lines.text(1)[:60]!r}",
            way_out="Leave the format open, so that it is found by content.",
        )
    if len(filled) < 3:
        raise ends_too_early(lines.where(len(lines)), "it has no line of column names.")
    sizes = _sizes(lines, filled[1], version)
    header = lines.cells(filled[2])
    expected = 1 + sizes.row_labels + sizes.columns
    described = version == "2" and len(header) > 2 and header[1].strip().lower() in DESCRIPTIONS
    if len(header) != expected and not described:
        raise UserError(
            key="load.sizes_disagree",
            what=f"{len(header)} columns have names, but {expected} were declared"
            f" ({sizes.columns} of values, {1 + sizes.row_labels} of names and descriptions).",
            where=f"{lines.where(filled[1])} and line {filled[2]}",
            way_out="Correct the numbers in the second line, or the column names in the third.",
        )
    return sizes, filled[2], header


def _sizes(lines: Lines, number: int, version: str) -> Sizes:
    words = " ".join(lines.cells(number)).split()
    wanted = 2 if version == "2" else 4
    if len(words) != wanted or not all(WHOLE.fullmatch(word) for word in words):
        raise UserError(
            key="load.bad_sizes",
            what=f"{wanted} whole numbers are expected that tell the size of the table.",
            where=f"{lines.where(number)}: {lines.text(number)[:60]!r}",
            way_out="Write the number of rows and of columns there"
            + ("." if wanted == 2 else ", then those of the labels of rows and of columns."),
        )
    # Version 1.2 has names and descriptions of rows.
    return Sizes(*map(int, words), *((1, 0) if wanted == 2 else ()))


def _column_labels(
    lines: Lines, sizes: Sizes, header: list[str], header_line: int
) -> tuple[dict[str, tuple[str, ...]], int, list[Problem]]:
    """Return the labels of columns, the line after them, and notes on what became no label."""
    rows: list[tuple[str, ...]] = []
    corner: list[str] = []
    number = header_line
    filled = lines.filled(header_line + 1)
    for _ in range(sizes.column_labels):
        try:
            number = next(filled)
        except StopIteration:
            raise ends_too_early(
                lines.where(len(lines)),
                f"{sizes.column_labels} rows of labels were declared, {len(rows)} are there.",
            ) from None
        cells = lines.cells(number)
        n_cells = max(len(cells), min(lines.raw(number).count(b"\t") + 1, len(header)))
        if n_cells != len(header):
            raise UserError(
                key="load.uneven_rows",
                what=f"A row of labels has {n_cells} cells, but there are {len(header)} columns.",
                where=lines.where(number),
                way_out="Complete or shorten this row.",
            )
        cells += [""] * (len(header) - len(cells))
        corner += [
            cell for cell in cells[1 : 1 + sizes.row_labels] if cell.strip().lower() not in FILLERS
        ]
        rows.append(tuple(cells))
    called = free_names(row[0].strip() or "label" for row in rows)
    notes = []
    if corner:
        what = (
            f"{counted(len(corner), 'cell stands', 'cells stand')} where no label of a row or"
            f" column is, left out of the table (first: {corner[0]!r})."
        )
        where = f"{lines.name}, lines {header_line + 1} to {number}"
        notes.append(note("corner_texts", what, where))
    return dict(zip(called, rows, strict=True)), number + 1, notes


def _rows(lines: Lines, sizes: Sizes, first: int) -> list[Problem]:
    """Return a note if there are more rows than declared; refuse a file with fewer."""
    # More than tabs, white space and quotes.
    numbers = [n for n in range(first, len(lines) + 1) if lines.raw(n).strip(b'\t "\x0b\x0c')]
    if len(numbers) < sizes.rows:
        raise ends_too_early(
            lines.where(max(len(lines), 1)),
            f"{sizes.rows} rows were declared, {len(numbers)} are there.",
        )
    if not numbers:
        raise nothing_to_read(lines.where(max(len(lines), 1)))
    if len(numbers) == sizes.rows:
        return []
    what = f"{sizes.rows} rows were declared, {len(numbers)} are there; all of them were read."
    where = f"{lines.name}, lines {first} to {numbers[-1]}"
    return [note("sizes_disagree", what, where, "Check that no rows were added by mistake.")]


def _size_notes(
    lines: Lines, sizes: Sizes, header: list[str], header_line: int
) -> Iterator[Problem]:
    found = len(header) - 1 - sizes.row_labels
    if found != sizes.columns:
        yield note(
            "sizes_disagree",
            f"{sizes.columns} columns were declared, {found} are there; all of them were read.",
            lines.where(header_line),
            "Check that no columns were lost or added by mistake.",
        )


def _class_file(source: Source) -> Iterator[Problem]:
    """Yield a note about a CLS file with the same name beside a GCT file."""
    if source.path is None:
        return
    path = source.path.with_suffix("") if source.path.suffix.lower() == ".gz" else source.path
    beside = path.with_suffix(".cls")
    is_file = False
    with suppress(OSError, ValueError):
        is_file = beside != source.path and beside.is_file()
    if is_file:
        yield note(
            "cls_beside",
            "A file with classes of the samples lies beside this one; it was not read.",
            f"{source.name}: {beside.name}",
            "If it belongs to this table, join it.",
            fields=("annotate",),
            form=SettingsForm.COMMAND,
        )


FORMAT = Format(
    key=KEY,
    name="GCT (Gene Cluster Text)",
    suffixes=(".gct", ".gct.gz"),
    recognises=recognises,
    read=read,
    rows="genes",
    columns="samples",
)
