"""Workbooks: Excel's XLSX, XLSM, XLSB and XLS, and OpenDocument's ODS.

The library that reads them (calamine) cannot report while it works. The report is called while the
file is unpacked and surveyed, before and after the library, and row by row when cells become
texts; a cancel is taken at the next of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.source import Source
from ximstudio.load.text.cells import Cells, interpret
from ximstudio.load.workbook.archive import Archive, walk_xml
from ximstudio.load.workbook.blocks import cropped, refuse_side_by_side, split_part
from ximstudio.load.workbook.cells import fill_merged, has_fractions, parsed, texts_of
from ximstudio.load.workbook.compound import SIGNATURE
from ximstudio.load.workbook.hidden import hidden_note
from ximstudio.load.workbook.ods import ods_workbook
from ximstudio.load.workbook.survey import (
    WORKSHEET,
    Sheet,
    Workbook,
    cell_name,
    not_a_workbook,
)
from ximstudio.load.workbook.xls import xls_workbook
from ximstudio.load.workbook.xlsb import xlsb_workbook
from ximstudio.load.workbook.xlsx import xlsx_workbook
from ximstudio.model.matrix import some_of
from ximstudio.model.params import closest
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.words import counted

KEY = "excel"
ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
XML_2003 = b"urn:schemas-microsoft-com:office:spreadsheet"
WEB_PAGE = re.compile(rb"(?i)\s*(?:<!doctype html|<html|<table)")
LOOKED_AT = 4096

OTHER_ARCHIVES = (
    ("word/", "a Word document"),
    ("ppt/", "a PowerPoint presentation"),
    ("index/document.iwa", "an Apple Numbers, Pages or Keynote document"),
)
SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"
COMPARABLE = 0.5
"""A sheet with this share of the largest one's cells could as well be the one meant."""

SURVEYED, PARSED = 0.45, 0.8
"""Parts of the way to texts that are done after unpacking and survey, and after the library."""

WRITTEN = 0.85
"""Part of all work that is done when the cells are texts."""


def recognises(source: Source) -> bool:
    """Whether the file is a workbook, or one of the things that are taken for one."""
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
        Which sheet, and why.
    notes
        What of the workbook is not in them, or not as it was.
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
    """The texts of the sheet, or range of it, that is chosen; else of the largest sheet.

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
    """The texts of a sheet."""
    report(0.0)
    name = source.name
    begun = 0.05
    book = _workbook(
        source.read(report, part=begun),
        name,
        lambda done: report(begun + (SURVEYED - begun) * done),
    )
    number, guess = _chosen(book.sheets, choices, name, by_cells=by_cells)
    sheet = book.sheets[number]
    where = f"{name}, sheet '{sheet.name}'"
    written = book.written(number, choices, lambda done: report(SURVEYED + 0.5 * done))
    if written is not None:
        return SheetTexts(
            cells=Cells(
                rows=written.rows,
                numbers=range(written.first_row, written.first_row + len(written.rows)),
                word="row",
                first_column=written.first_column,
            ),
            guess=guess,
            notes=tuple(_notes(book.sheets, number, name)),
            has_fractions=written.has_fractions,
        )
    grid = parsed(*book.file(number), where)
    report(PARSED)
    rows = texts_of(
        grid,
        sheet.survey.errors,
        lambda done: report(PARSED + (1 - PARSED) * done),
        decimal=choices.decimal or ".",
    )
    notes = (*_notes(book.sheets, number, name), *fill_merged(rows, grid, where))
    return SheetTexts(
        cells=Cells(
            rows=rows,
            numbers=list(range(grid.first_row, grid.first_row + len(rows))),
            word="row",
            first_column=grid.first_column,
        ),
        guess=guess,
        notes=notes,
        has_fractions=has_fractions(grid),
    )


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """The table in a workbook: of the sheet with most numbers, or of the one that is chosen."""
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
    """The reading with our reason for the marks that were not looked for."""
    reason = (
        "The cells hold numbers as such, with a point; choose another mark for texts that do not."
    )
    guesses = tuple(
        replace(guess, reason=reason)
        if guess.key == "decimal" or (guess.key == "thousands" and choices.thousands is None)
        else guess
        for guess in reading.guesses
    )
    return replace(reading, guesses=guesses)


def _workbook(data: bytes, name: str, report: Report) -> Workbook:
    """The surveyed workbook in these bytes; what is something else is refused."""
    if data.startswith(SIGNATURE):
        return xls_workbook(data, name, report)
    if not data.startswith(ZIPS):
        kind = "an XML spreadsheet of Excel 2003" if XML_2003 in data[:LOOKED_AT] else "a web page"
        way_out = "Open it in Excel and save it as an Excel workbook (.xlsx) or as CSV."
        raise not_a_workbook(kind, name, way_out)
    archive = Archive.of(data, name)
    main = _main_part(archive, report)
    if main is not None and main.endswith(".xml"):
        return xlsx_workbook(archive, main, report)
    if main is not None:
        return xlsb_workbook(archive, main, report)
    if "mimetype" in archive and archive.read("mimetype", report).startswith(SPREADSHEET):
        return ods_workbook(archive, report)
    raise _other_archive(archive)


def _main_part(archive: Archive, report: Report) -> str | None:
    """The part of an Excel workbook that lists its sheets."""
    usual = [member for member in ("xl/workbook.xml", "xl/workbook.bin") if member in archive]
    if usual or "_rels/.rels" not in archive:
        return usual[0] if usual else None
    found: list[str] = []

    def relation(_: str, attributes: dict[str, str]) -> None:
        if attributes.get("Type", "").endswith("/officeDocument"):
            found.append(attributes.get("Target", "").lstrip("/"))

    walk_xml(
        archive.read("_rels/.rels", report), f"{archive.name}, part '_rels/.rels'", start=relation
    )
    return next((member for member in found if "workbook" in member and member in archive), None)


def _other_archive(archive: Archive) -> UserError:
    names = list(archive.members)
    for start, kind in OTHER_ARCHIVES:
        if any(name.startswith(start) for name in names):
            way_out = "Copy the table into a workbook, or save it as text, and open that."
            return not_a_workbook(kind, archive.name, way_out)
    if "mimetype" in archive and "content.xml" in archive:
        return not_a_workbook("an OpenDocument file without sheets", archive.name)
    spelled = [repr(info.filename[:60]) for info in archive.members.values()]
    what = f"a zip archive ({some_of(spelled)})" if spelled else "an empty zip archive"
    return not_a_workbook(what, archive.name, "Unpack it and open the table in it.")


def _chosen(
    sheets: tuple[Sheet, ...], choices: Choices, name: str, *, by_cells: bool
) -> tuple[int, Guess]:
    """The number of the sheet to read, and why."""
    filled = {
        number: sheet
        for number, sheet in enumerate(sheets)
        if sheet.kind == WORKSHEET and sheet.survey.n_cells
    }
    if not filled:
        raise UserError(
            key="load.empty",
            what="No sheet of the workbook has anything in it.",
            where=f"{name}, sheets: {some_of([repr(sheet.name) for sheet in sheets]) or 'none'}",
            way_out="Choose a workbook with a table.",
        )
    if choices.part is not None:
        number, reason, sure = _asked_for(sheets, choices.part, name), "It was chosen.", True
    elif by_cells:
        number = max(
            filled, key=lambda place: (not sheets[place].hidden, filled[place].survey.n_cells)
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


def _asked_for(sheets: tuple[Sheet, ...], part: str, name: str) -> int:
    """The number of the sheet that is named so, or has this number, counted from 1."""
    names = [sheet.name for sheet in sheets]
    if part in names:
        number = names.index(part)
    elif part.isdecimal() and 1 <= int(part) <= len(sheets):
        number = int(part) - 1
    else:
        raise UserError(
            key="load.no_such_part",
            what=f"The workbook has no sheet '{part}'.",
            where=f"{name}, sheets",
            way_out=closest(part, names),
        )
    sheet = sheets[number]
    if sheet.kind != WORKSHEET or not sheet.survey.n_cells:
        raise UserError(
            key="load.empty",
            what=f"The sheet '{sheet.name}' has no cells ({sheet.shown}).",
            where=f"{name}, sheet '{sheet.name}'",
            way_out="Choose another sheet with --part.",
        )
    return number


def _largest(filled: dict[int, Sheet]) -> tuple[int, str, bool]:
    """The sheet with most numbers, a hidden one only if no other has any; why; and how sure."""

    def size(number: int) -> tuple[bool, int, int]:
        survey = filled[number].survey
        is_seen = not filled[number].hidden and survey.n_numbers > 0
        return is_seen, survey.n_numbers, survey.n_cells

    ranked = sorted(filled, key=size, reverse=True)
    best = filled[ranked[0]]
    if len(ranked) == 1:
        return ranked[0], "It is the only sheet with anything in it.", not best.hidden
    n_numbers, n_cells = best.survey.n_numbers, best.survey.n_cells
    others = [filled[number].survey for number in ranked[1:]]
    rival = max(others, key=lambda survey: survey.n_numbers)
    sure = (
        not best.hidden
        and n_numbers > 0
        and rival.n_numbers < COMPARABLE * n_numbers
        and all(survey.n_cells < n_cells for survey in others)
    )
    reason = (
        f"It has {n_numbers} numbers; of the {len(others)} other sheets with anything in them none"
        f" has more than {rival.n_numbers}."
    )
    return ranked[0], reason, sure


def _notes(sheets: tuple[Sheet, ...], number: int, name: str) -> Iterator[Problem]:
    """What of the workbook is not in the table, or has no value."""
    others = [
        sheet
        for place, sheet in enumerate(sheets)
        if place != number and (sheet.survey.n_cells or sheet.kind != WORKSHEET)
    ]
    if others:
        yield Problem(
            severity=Severity.WARNING,
            key="load.other_sheets",
            what=f"{counted(len(others), 'other sheet')} of the workbook not read.",
            where=f"{name}: " + some_of([f"'{sheet.name}' ({sheet.shown})" for sheet in others]),
            way_out="Choose a sheet with --part if another one is meant.",
        )
    sheet = sheets[number]
    yield from hidden_note(sheet.survey.hidden, f"{name}, sheet '{sheet.name}'")
    uncomputed = sheet.survey.uncomputed
    if uncomputed:
        yield Problem(
            severity=Severity.WARNING,
            key="load.uncomputed_formulas",
            what=f"{counted(len(uncomputed), 'formula has', 'formulas have')} no computed value"
            " in the file, and so a blank cell.",
            where=f"{name}, sheet '{sheet.name}', cells "
            + some_of([cell_name(place) for place in uncomputed]),
            way_out="Open the workbook in Excel, which computes them, and save it.",
        )


FORMAT = Format(
    key=KEY,
    name="Excel or OpenDocument workbook",
    suffixes=(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
    recognises=recognises,
    read=read,
    isolated=True,
)
