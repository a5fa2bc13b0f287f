"""Annotation files: tables of texts about genes or samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ximstudio.load.account import note
from ximstudio.load.isolation import read_isolated
from ximstudio.load.packing.zipped import unzipped
from ximstudio.load.reading import Choices, Guess, Report, silent
from ximstudio.load.source import Source, memory_to_give, noticing_changes, refuse_too_large
from ximstudio.load.text.cells import Cells
from ximstudio.load.text.cutting import unwrapped
from ximstudio.load.text.dialect import delimiter_of, spaced
from ximstudio.load.text.encoding import encoding_of, plain
from ximstudio.load.text.rows import cut_rows
from ximstudio.load.workbook.excel import recognises as is_workbook
from ximstudio.load.workbook.excel import sheet_texts
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.words import counted

LOOKED_AT = 200
"""Lines from which the delimiter is guessed."""
COMMENT = "#"
PER_CELL = 16
"""Minimum memory of a cell in bytes."""


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """The columns of a file as texts, letter by letter, with unique names.

    Parameters
    ----------
    names
        Names of the columns, from the header.
    columns
        One tuple of texts per column, all of the same length.
    header
        The cells that the names were made from; none if the file has no header.
    source
        Where it came from, for messages.
    header_is_sure
        False where the first row was taken for the header because files usually have one.
    guesses, notes
        What was found out, and what of the file is left out or changed.
    """

    names: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    header: tuple[str, ...] = ()
    source: str = "memory"
    header_is_sure: bool = True
    guesses: tuple[Guess, ...] = ()
    notes: tuple[Problem, ...] = ()

    @property
    def headless(self) -> Annotation:
        """Return the same file with its header treated as an ordinary row."""
        return replace(
            self,
            names=_numbered(len(self.names)),
            columns=tuple(
                (cell, *rest) for cell, rest in zip(self.header, self.columns, strict=True)
            ),
            header=(),
            header_is_sure=True,
        )


def read_annotation(
    source: Source, choices: Choices | None = None, report: Report = silent
) -> Annotation:
    """Read the annotation in a delimited text or a workbook.

    Of the choices, part (the sheet), delimiter, comment, encoding, skip and header_rows (0 or 1)
    are looked at. The first row is the header unless header_rows is 0.
    """
    choices = Choices() if choices is None else choices
    if source.is_folder:
        raise UserError(
            key="load.unreadable",
            what="This is a folder, not a file.",
            where=source.name,
            way_out="Give the path of a file.",
        )
    with noticing_changes(source):
        source, choices, _ = unzipped(source, choices)
        if is_workbook(source):
            return read_isolated(_read_workbook, source, choices, report=report)
        cells, guesses = _text(source, choices, report)
        return _annotation(cells, choices, source.name, guesses)


def _read_workbook(source: Source, choices: Choices, report: Report) -> Annotation:
    """Read the chosen sheet, or the one with most cells."""
    sheet = sheet_texts(source, choices, report, by_cells=True)
    return _annotation(sheet.cells, choices, source.name, (sheet.guess,), sheet.notes)


def _text(source: Source, choices: Choices, report: Report) -> tuple[Cells, tuple[Guess, ...]]:
    data = source.read(report)
    encoding = choices.encoding or encoding_of(data, name=source.name).name
    data, _ = unwrapped(plain(data, encoding, name=source.name))
    head = data[: 64 * LOOKED_AT * LOOKED_AT].decode(errors="replace").split("\n")[:LOOKED_AT]
    found = delimiter_of([line for line in head if line.strip() and not line.startswith(COMMENT)])
    delimiter = choices.delimiter or ("\t" if found is None else found.value)
    if len(delimiter) != 1:
        raise UserError(
            key="load.delimiter",
            what=f"Cells cannot be split at {delimiter!r}.",
            where=source.name,
            way_out="Give one character that separates the cells.",
        )
    if delimiter == " ":
        rows = [spaced(line) for line in data.decode(errors="replace").split("\n")]
        numbers = list(range(1, len(rows) + 1))
    else:
        rows, numbers = cut_rows(data, delimiter=delimiter, name=source.name)
    cells = Cells(rows=rows, numbers=numbers, word="line")
    if choices.delimiter is not None or found is None:
        return cells, ()
    value, reason, sure = found.value, found.reason, found.sure
    guess = Guess(key="delimiter", label="Delimiter", value=value, reason=reason, sure=sure)
    return cells, (guess,)


def _body(
    cells: Cells, choices: Choices, name: str
) -> tuple[list[list[str]], list[int], list[Problem]]:
    """Return the rows of the table, without blank rows and comments before the header."""
    mark = COMMENT if choices.comment is None else choices.comment
    kept = [
        (row, number)
        for row, number in zip(cells.rows, cells.numbers, strict=True)
        if number > (choices.skip or 0) and any(map(str.strip, row))
    ]
    comments = 0
    while mark and comments < len(kept) - 1 and kept[comments][0][0].startswith(mark):
        comments += 1
    # R and others write the header as a comment: "#id  name".
    if comments and len(kept[comments - 1][0]) == len(kept[comments][0]) > 1:
        comments -= 1
    notes = []
    if comments:
        what = f"{counted(comments, cells.word)} before the table left out."
        where = f"{name}: {cells.word} {kept[0][1]} to {kept[comments - 1][1]}"
        way_out = "Set the comment mark to '' if they belong to the table."
        notes.append(note("comments", what, where, way_out))
    kept = kept[comments:]
    return [row for row, _ in kept], [number for _, number in kept], notes


def _annotation(
    cells: Cells,
    choices: Choices,
    name: str,
    guesses: tuple[Guess, ...],
    notes_before: tuple[Problem, ...] = (),
) -> Annotation:
    body, numbers, notes = _body(cells, choices, name)
    if not body:
        raise UserError(
            key="load.empty",
            what="There is nothing in the file.",
            where=name,
            way_out="Give a file with a header and one row for each gene or sample.",
        )
    headed = choices.header_rows != 0
    header = list(map(str.strip, body[0])) if headed else []
    body, numbers = body[headed:], numbers[headed:]
    if headed and body and all(len(row) == len(header) + 1 for row in body):
        # R writes no name over the names of the rows.
        header = ["", *header]
    width = max(_filled(header), 0 if headed else max(map(_filled, body)))
    _refuse_wide(width, body, numbers, cells.word, name)
    refuse_too_large(width * len(body) * PER_CELL, memory_to_give(), name)
    short = [str(number) for row, number in zip(body, numbers, strict=True) if len(row) < width]
    if short:
        what = (
            f"{counted(len(short), 'row is', 'rows are')} shorter than others; the rest is blank."
        )
        where = f"{name}: {cells.word} {some_of(short)}"
        notes.append(note("short_rows", what, where, "Complete them if something is missing."))
    columns = tuple(
        tuple(row[column] if column < len(row) else "" for row in body) for column in range(width)
    )
    header = header[:width]
    names = _unique(header, notes, name) if headed else _numbered(width)
    return Annotation(
        names=names,
        columns=columns,
        header=tuple(header) if headed else (),
        source=name,
        header_is_sure=choices.header_rows is not None,
        guesses=guesses,
        notes=(*notes_before, *notes),
    )


def _filled(cells: Sequence[str]) -> int:
    """Return the number of cells up to the last that is not blank."""
    return next((end for end in range(len(cells), 0, -1) if cells[end - 1].strip()), 0)


def _refuse_wide(
    width: int, body: Sequence[Sequence[str]], numbers: Sequence[int], word: str, name: str
) -> None:
    wide = [
        f"{word} {number} has {_filled(cells)}"
        for cells, number in zip(body, numbers, strict=True)
        if _filled(cells) > width
    ]
    if wide:
        raise UserError(
            key="load.uneven_rows",
            what=f"{counted(len(wide), 'row has', 'rows have')} more than the {width} cells of"
            " the header.",
            where=f"{name}: {some_of(wide)}",
            way_out="Name all columns in the header, or correct these rows.",
        )


def _unique(header: Sequence[str], notes: list[Problem], source: str) -> tuple[str, ...]:
    """Return unique names for all columns: number unnamed columns and repeated names."""
    counts: Counter[str] = Counter()
    reserved, taken = set(header), set()
    names = []
    for number, cell in enumerate(header, 1):
        name = base = cell or f"column {number}"
        while name in taken or (name != base and name in reserved):
            counts[base] += 1
            name = f"{base} ({counts[base] + 1})"
        taken.add(name)
        names.append(name)
    renamed = [new for new, old in zip(names, header, strict=True) if old and new != old]
    if renamed:
        columns = counted(len(renamed), "column has", "columns have")
        what = f"{columns} the name of another and got a number."
        way_out = "Rename them in the file if you want other names."
        notes.append(note("columns_renamed", what, f"{source}: {some_of(renamed)}", way_out))
    return tuple(names)


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(f"column {number}" for number in range(1, count + 1))
