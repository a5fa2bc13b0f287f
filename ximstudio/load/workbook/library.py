"""Read sheets with calamine, the library for workbooks.

It is called in a child process (`load.isolation`) that bounds its memory and time: it makes room
for every cell between the first and the last one of a sheet.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ximstudio.load.workbook.sheets import (
    CHART,
    OTHER,
    WORKSHEET,
    Place,
    SheetSize,
    WorkbookSheet,
    broken,
    encrypted,
    refuse_scattered,
)


@dataclass(frozen=True, kw_only=True)
class CellGrid:
    """The cells of a sheet as the library returns them; places are counted from 1."""

    rows: list[list[Any]]
    first_row: int
    first_column: int
    merged: list[tuple[Place, Place]]
    size: SheetSize


class LibraryBook:
    """A workbook that the library opened.

    Parameters
    ----------
    data
        The file.
    name
        What messages call it.
    """

    def __init__(self, data: bytes, name: str) -> None:
        from python_calamine import CalamineWorkbook

        self.name = name
        self._grids: dict[str, CellGrid] = {}
        with _refusing(name):
            self._book = CalamineWorkbook.from_filelike(io.BytesIO(data))

    @property
    def sheets(self) -> tuple[WorkbookSheet, ...]:
        """Name and kind of every sheet."""
        from python_calamine import SheetTypeEnum, SheetVisibleEnum

        kinds = ((SheetTypeEnum.WorkSheet, WORKSHEET), (SheetTypeEnum.ChartSheet, CHART))
        return tuple(
            WorkbookSheet(
                name=found.name,
                kind=next((kind for type_, kind in kinds if type_ == found.typ), OTHER),
                hidden=found.visible != SheetVisibleEnum.Visible,
            )
            for found in self._book.sheets_metadata
        )

    def grid(self, number: int) -> CellGrid:
        """Return the cells of a sheet."""
        # The library finds sheets by name, too: it cannot tell those of the same name apart.
        name = self._book.sheet_names[number]
        if name not in self._grids:
            self._grids[name] = self._parsed(number, f"{self.name}, sheet '{name}'")
        return self._grids[name]

    def _parsed(self, number: int, where: str) -> CellGrid:
        with _refusing(where):
            sheet = self._book.get_sheet_by_index(number)
            row, column = sheet.start or (0, 0)
            rows = sheet.to_python(skip_empty_area=True)
            merged = sheet.merged_cell_ranges or []
        size = SheetSize(
            n_rows=row + len(rows),
            n_columns=column + sheet.width,
            n_cells=sum(len(cells) - cells.count("") for cells in rows),
            n_numbers=sum(type(cell) is not str for cells in rows for cell in cells),
        )
        refuse_scattered(size, len(rows) * sheet.width, where)

        return CellGrid(
            rows=rows,
            first_row=row + 1,
            first_column=column + 1,
            merged=[
                ((top + 1, left + 1), (bottom + 1, right + 1))
                for (top, left), (bottom, right) in merged
            ],
            size=size,
        )


@contextmanager
def _refusing(where: str) -> Iterator[None]:
    """Convert the library's errors about a damaged workbook to messages."""
    from python_calamine import CalamineError, PasswordError

    try:
        yield
    except PasswordError:
        raise encrypted(where) from None
    except (CalamineError, OverflowError, ValueError, OSError) as error:
        raise broken(str(error)[:200] or type(error).__name__, where) from None
    except BaseException as error:
        # A panic of the library comes as this, which is no Exception and cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise broken(f"it cannot be read ({str(error)[:100]})", where) from None
