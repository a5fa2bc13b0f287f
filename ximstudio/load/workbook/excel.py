"""Workbooks: Excel's XLSX, XLSM, XLSB and XLS, and OpenDocument's ODS.

The library that reads them (calamine) cannot report while it works. The report is called while the
file is unpacked, after each sheet, and row by row when cells become texts; a cancel takes effect at
the next of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ximstudio.load.account import CHOSEN, no_such, note
from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.source import Source
from ximstudio.load.text.cells import Cells, interpret
from ximstudio.load.workbook.blocks import cropped, refuse_side_by_side, split_part
from ximstudio.load.workbook.fast_xlsx import write
from ximstudio.load.workbook.opening import (
    LOOKED_AT,
    SIGNATURE,
    XML_2003,
    ZIPS,
    Workbook,
    open_workbook,
)
from ximstudio.load.workbook.sheets import (
    WORKSHEET,
    SheetDetails,
    WorkbookSheet,
    cell_name,
    hidden_note,
    refuse_scattered,
)
from ximstudio.load.workbook.texts import fill_merged, has_fractions, texts_of
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.words import counted

KEY = "excel"
WEB_PAGE = re.compile(rb"(?i)\s*(?:<!doctype html|<html|<table)")
COMPARABLE = 0.5
"""A sheet with this share of the largest one's cells could as well be the one meant."""

READ, UNPACKED, PARSED = 0.05, 0.45, 0.8
"""Shares of the work on texts done after reading, unpacking, and parsing."""

WRITTEN = 0.85
"""Share of all work that is done when the cells are texts."""


def recognises(source: Source) -> bool:
    """Return whether the file is a workbook, or something that is often taken for one."""
    head = source.head
    if head.startswith((*ZIPS, SIGNATURE)):
        return True
    start = head[:LOOKED_AT].removeprefix(b"\xef\xbb\xbf")
    return XML_2003 in start or WEB_PAGE.match(start) is not None


@dataclass(frozen=True, kw_only=True, eq=False)
class SheetTexts:
    """The cells of one sheet as texts.

    Parameters
    ----------
    cells
        The texts, with the rows and columns that Excel counts.
    guess
        The sheet, and why it was taken.
    notes
        Parts of the workbook that are not in the texts, or were changed.
    has_fractions
        Whether cells hold numbers with fractions: their mark is not to be guessed.
    """

    cells: Cells
    guess: Guess
    notes: tuple[Problem, ...]
    has_fractions: bool


def sheet_texts(
    source: Source, choices: Choices, report: Report, *, by_cells: bool = False
) -> SheetTexts:
    """Return the texts of the sheet, or range of it, that is chosen; else of the largest sheet.

    The largest is the one with most numbers, or `by_cells` with most cells.
    """
    part, chosen = (None, None) if choices.part is None else split_part(choices.part)
    sheet = _whole_sheet(source, choices.replace(part=part or None), report, by_cells=by_cells)
    where = f"{source.name}, sheet '{sheet.guess.value}'"
    if chosen is not None:
        options = {**(sheet.guess.options or {}), str(choices.part): str(choices.part)}
        guess = replace(sheet.guess, value=str(choices.part), options=options)
        return replace(sheet, cells=cropped(sheet.cells, chosen, where), guess=guess)
    if not by_cells:
        refuse_side_by_side(sheet.cells, sheet.guess.value, where)
    return sheet


def _whole_sheet(source: Source, choices: Choices, report: Report, *, by_cells: bool) -> SheetTexts:
    """Return the texts of a sheet."""
    report(0.0)
    name = source.name
    book = open_workbook(
        source.read(report, part=READ),
        name,
        lambda done: report(READ + (UNPACKED - READ) * done),
        fast=choices.decimal in {None, "."},
    )
    sheets, damage = _sized(book, lambda done: report(UNPACKED + (PARSED - UNPACKED) * done))
    number, guess = _chosen(sheets, damage, choices, name, by_cells=by_cells)
    notes = list(_other_sheets(sheets, number, name))
    where = f"{name}, sheet '{sheets[number].name}'"

    def report_rest(done: float) -> None:
        report(PARSED + (1 - PARSED) * done)

    scan = book.scan(number)
    if scan is not None:
        refuse_scattered(scan.size, scan.size.n_rows * scan.size.n_columns, where)
        cells, fractions = write(scan, choices, report_rest)
        notes += _notes(SheetDetails(hidden=scan.hidden), where)
    else:
        details, grid = book.details(number), book.grid(number)
        rows = texts_of(grid, details.errors, report_rest, decimal=choices.decimal or ".")
        numbers = range(grid.first_row, grid.first_row + len(rows))
        cells = Cells(rows=rows, numbers=numbers, first_column=grid.first_column)
        notes += [*_notes(details, where), *fill_merged(rows, grid, where)]
        fractions = has_fractions(grid)
    return SheetTexts(cells=cells, guess=guess, notes=tuple(notes), has_fractions=fractions)


def _sized(
    book: Workbook, report: Report
) -> tuple[tuple[WorkbookSheet, ...], dict[int, UserError]]:
    """Return the sheets with their sizes, and what is wrong with those that cannot be read."""
    sheets = list(book.sheets)
    damage: dict[int, UserError] = {}
    for number, sheet in enumerate(sheets):
        if sheet.kind != WORKSHEET:
            continue
        try:
            size = (book.scan(number) or book.grid(number)).size
        except UserError as error:
            damage[number] = error
        else:
            sheets[number] = replace(sheet, size=size)
        report((number + 1) / len(sheets))
    return tuple(sheets), damage


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Return the table of the sheet with most numbers, or of the one that is chosen."""
    sheet = sheet_texts(source, choices, lambda done: report(WRITTEN * done))
    # Cells that hold numbers have a point for a mark; texts beside them may have any.
    is_plain = choices.decimal is None and sheet.has_fractions
    reading = interpret(
        sheet.cells,
        choices.replace(decimal=".", thousands=choices.thousands or "") if is_plain else choices,
        name=source.name,
        format=KEY,
        guesses=(sheet.guess,),
        notes=sheet.notes,
        report=lambda done: report(WRITTEN + (1 - WRITTEN) * done),
    )
    report(1.0)
    return _with_reasons(reading, choices) if is_plain else reading


def _with_reasons(reading: Reading, choices: Choices) -> Reading:
    """Return the reading with a reason for the marks that were not looked for."""
    why = "The cells hold numbers as such, with a point; choose another mark for texts that do not."
    keys = {"decimal", "thousands"} if choices.thousands is None else {"decimal"}
    guesses = (replace(each, reason=why) if each.key in keys else each for each in reading.guesses)
    return replace(reading, guesses=tuple(guesses))


def _chosen(
    sheets: tuple[WorkbookSheet, ...],
    damage: Mapping[int, UserError],
    choices: Choices,
    name: str,
    *,
    by_cells: bool,
) -> tuple[int, Guess]:
    """Return the number of the sheet to read, and why it is that."""
    filled = {number: sheet for number, sheet in enumerate(sheets) if sheet.size.n_cells}
    if not filled:
        for error in damage.values():
            raise error
        raise UserError(
            key="load.empty",
            what="No sheet of the workbook has anything in it.",
            where=f"{name}, sheets: {some_of([repr(sheet.name) for sheet in sheets]) or 'none'}",
            way_out="Choose a workbook with a table.",
        )
    if choices.part is not None:
        number = _asked_for(sheets, damage, choices.part, name)
        reason, sure = CHOSEN, True
    elif by_cells:
        number = max(
            filled, key=lambda place: (not filled[place].hidden, filled[place].size.n_cells)
        )
        reason, sure = "It has the most cells.", len(filled) == 1
    else:
        number, reason, sure = _largest(filled)
    guess = Guess(
        key="part",
        label="Sheet",
        value=sheets[number].name,
        reason=reason,
        options={sheet.name: f"{sheet.name} ({sheet.shown})" for sheet in filled.values()},
        sure=sure,
    )
    return number, guess


def _asked_for(
    sheets: tuple[WorkbookSheet, ...], damage: Mapping[int, UserError], part: str, name: str
) -> int:
    """Return the number of the sheet with this name, or with this number counted from 1."""
    names = [sheet.name for sheet in sheets]
    if part in names:
        number = names.index(part)
    elif part.isdecimal() and 1 <= int(part) <= len(sheets):
        number = int(part) - 1
    else:
        what = f"The workbook has no sheet '{part}'."
        raise no_such("part", part, names, what, f"{name}, sheets")
    sheet = sheets[number]
    if number in damage:
        raise damage[number]
    if not sheet.size.n_cells:
        raise UserError(
            key="load.empty",
            what=f"The sheet '{sheet.name}' has no cells ({sheet.shown}).",
            where=f"{name}, sheet '{sheet.name}'",
            way_out="Choose another sheet.",
            fields=("part",),
            form=SettingsForm.READING,
        )
    return number


def _largest(filled: dict[int, WorkbookSheet]) -> tuple[int, str, bool]:
    """Return the sheet with most numbers, why it is that, and whether that is sure.

    It is a hidden one only if no other has any numbers.
    """

    def size(number: int) -> tuple[bool, int, int]:
        found = filled[number].size
        is_seen = not filled[number].hidden and found.n_numbers > 0
        return is_seen, found.n_numbers, found.n_cells

    ranked = sorted(filled, key=size, reverse=True)
    best = filled[ranked[0]]
    if len(ranked) == 1:
        return ranked[0], "It is the only sheet with anything in it.", not best.hidden
    n_numbers, n_cells = best.size.n_numbers, best.size.n_cells
    others = [filled[number].size for number in ranked[1:]]
    rival = max(others, key=lambda other: other.n_numbers)
    sure = (
        not best.hidden
        and n_numbers > 0
        and rival.n_numbers < COMPARABLE * n_numbers
        and all(other.n_cells < n_cells for other in others)
    )
    reason = (
        f"It has {n_numbers} numbers; of the {len(others)} other sheets with anything in them none"
        f" has more than {rival.n_numbers}."
    )
    return ranked[0], reason, sure


def _other_sheets(sheets: tuple[WorkbookSheet, ...], number: int, name: str) -> Iterator[Problem]:
    """Yield a note of the sheets that are not read."""
    others = [
        sheet
        for place, sheet in enumerate(sheets)
        if place != number and (sheet.size.n_cells or sheet.kind != WORKSHEET)
    ]
    if others:
        yield note(
            "other_sheets",
            f"{counted(len(others), 'other sheet')} of the workbook not read.",
            f"{name}: " + some_of([f"'{sheet.name}' ({sheet.shown})" for sheet in others]),
            "If you need another one, choose it.",
            fields=("part",),
        )


def _notes(details: SheetDetails, where: str) -> Iterator[Problem]:
    """Yield notes of what is hidden and of what has no value."""
    yield from hidden_note(details.hidden, where)
    uncomputed = details.uncomputed
    if uncomputed:
        yield note(
            "uncomputed_formulas",
            f"{counted(len(uncomputed), 'formula has', 'formulas have')} no computed value"
            " in the file, and so a blank cell.",
            f"{where}, cells {some_of([cell_name(place) for place in uncomputed])}",
            "Open the workbook in Excel, which computes them, and save it.",
        )


FORMAT = Format(
    key=KEY,
    name="Excel or OpenDocument workbook",
    suffixes=(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
    recognises=recognises,
    read=read,
    isolated=True,
)
