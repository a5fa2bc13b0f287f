"""The sheets of an OpenDocument workbook, surveyed in its XML."""

from __future__ import annotations

from ximstudio.load.reading import Report
from ximstudio.load.source import refuse_too_large
from ximstudio.load.workbook.archive import Archive, packed, walk_xml
from ximstudio.load.workbook.survey import (
    BYTES_PER_CELL,
    Place,
    Sheet,
    Survey,
    Workbook,
    broken,
    encrypted,
    memory_to_give,
    refuse_scattered,
)

CELLS = {"table:table-cell", "table:covered-table-cell"}
NUMBERS = {"float", "percentage", "currency"}
MOST_SPACES = 100_000
"""A run of spaces is written as its length."""

MANIFEST = "META-INF/manifest.xml"
CELLS_PER_REPORT = 10_000


def ods_workbook(archive: Archive, report: Report) -> Workbook:
    """The surveyed workbook; the report hears of all the work."""
    if MANIFEST not in archive or "content.xml" not in archive:
        raise broken("its table of contents or its content is missing", archive.name)
    manifest = archive.read(MANIFEST, report)
    if b"encryption-data" in manifest:
        raise encrypted(archive.name)
    content = archive.read("content.xml", report, part=(0, 0.3))
    surveyor = _Surveyor(archive.name, report)
    walk_xml(
        content,
        f"{archive.name}, part 'content.xml'",
        start=surveyor.start,
        end=surveyor.end,
        text=surveyor.text,
    )
    taken = 0
    for sheet in surveyor.sheets:
        where = f"{archive.name}, sheet '{sheet.name}'"
        taken = refuse_scattered(sheet.survey, where, taken=taken)
    file = packed(
        {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            MANIFEST: manifest,
            "content.xml": content,
        }
    )
    return Workbook(sheets=tuple(surveyor.sheets), file=lambda number: (file, number))


class _Surveyor:
    """Counts cells while the XML passes by; what would fill the memory is refused at once."""

    def __init__(self, name: str, report: Report) -> None:
        self.sheets: list[Sheet] = []
        self._name = name
        self._report = report
        self._hidden_styles: set[str] = set()
        self._style = ""
        self._sheet: tuple[str, bool] | None = None
        self._depth = 0
        self._seen = 0
        self._error: str | None = None
        self._filled = 0
        self._room = memory_to_give()

    def start(self, element: str, attributes: dict[str, str]) -> None:
        if element == "style:style":
            self._style = attributes.get("style:name", "")
        elif element == "style:table-properties":
            if attributes.get("table:display") == "false":
                self._hidden_styles.add(self._style)
        elif element == "table:table":
            self._begin_sheet(attributes)
        elif self._sheet is None:
            return
        elif element == "table:table-row":
            self._row_repeats = self._number(attributes.get("table:number-rows-repeated"))
            self._column = self._waiting = 0
            self._row_has_cells = False
        elif element in CELLS:
            self._begin_cell(attributes)
        elif element == "text:s" and self._number(attributes.get("text:c")) > MOST_SPACES:
            raise broken(f"a cell holds {attributes['text:c']} spaces", self._where)

    def text(self, text: str) -> None:
        if self._error is not None:
            self._error += text

    def end(self, element: str) -> None:
        if self._sheet is None:
            return
        if element in CELLS and self._error is not None:
            self._errors[self._row + 1, self._column] = self._error.strip() or "#ERROR!"
            self._error = None
        elif element == "table:table-row":
            self._row += self._row_repeats
            if self._row_has_cells:
                self._n_rows = self._row
        elif element == "table:table":
            self._depth -= 1
            if self._depth == 0:
                self._end_sheet()

    @property
    def _where(self) -> str:
        return f"{self._name}, sheet '{self._sheet[0] if self._sheet else ''}'"

    def _number(self, text: str | None) -> int:
        """A count as it is written; 1 where none is."""
        if text is None:
            return 1
        if not text.isdecimal() or len(text) > 18:
            raise broken(f"{text[:20]!r} is not a count", self._where)
        return int(text)

    def _begin_sheet(self, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > 1:
            raise broken("a table lies within another", self._where)
        hidden = attributes.get("table:style-name", "") in self._hidden_styles
        self._sheet = (attributes.get("table:name", f"sheet {len(self.sheets) + 1}"), hidden)
        self._row = self._n_rows = self._n_columns = self._n_cells = self._n_numbers = 0
        self._row_repeats = 1
        self._column = self._waiting = 0
        self._row_has_cells = False
        self._errors: dict[Place, str] = {}
        self._uncomputed: list[Place] = []

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        self._seen += 1
        if self._seen % CELLS_PER_REPORT == 0:
            self._report(0.3)
        repeats = self._number(attributes.get("table:number-columns-repeated"))
        # Blank cells take room only if another cell follows them in the row.
        self._column += self._waiting
        self._filled += self._waiting
        self._waiting = 0
        kind = attributes.get("office:value-type", "")
        formula = "table:formula" in attributes
        if not kind and not formula:
            self._waiting = repeats
        else:
            place = self._row + 1, self._column + 1
            self._column += repeats
            self._filled += repeats
            self._row_has_cells = True
            self._n_columns = max(self._n_columns, self._column)
            self._n_cells += repeats * self._row_repeats
            if kind in NUMBERS:
                self._n_numbers += repeats * self._row_repeats
            if attributes.get("calcext:value-type") == "error":
                self._error = ""
            elif not kind:
                self._uncomputed.append(place)
        if self._filled * BYTES_PER_CELL > self._room:
            refuse_too_large(self._filled * BYTES_PER_CELL, self._room, self._where)

    def _end_sheet(self) -> None:
        assert self._sheet is not None
        name, hidden = self._sheet
        self._sheet = None
        survey = Survey(
            n_rows=self._n_rows,
            n_columns=self._n_columns,
            n_cells=self._n_cells,
            n_numbers=self._n_numbers,
            errors=self._errors,
            uncomputed=tuple(self._uncomputed),
        )
        self.sheets.append(Sheet(name=name, hidden=hidden, survey=survey))
