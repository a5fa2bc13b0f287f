"""The user's choices for exporting, remembered between sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from typing import Any, Self

from ximstudio.figures.look import Look
from ximstudio.maps.palettes import PALETTES
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.views import view_named
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState

FORMATS = {"pdf": "PDF", "svg": "SVG", "png": "PNG", "tiff": "TIFF"}
"""Formats of figures: suffix and name."""
OF_PIXELS = ("png", "tiff")
ENDINGS = {"tif": "tiff"}
"""Alternative suffixes of the same formats."""


@dataclass(frozen=True, kw_only=True)
class ExportChoices:
    """Base of choices: plain values that a file stores."""

    def as_values(self) -> dict[str, Any]:
        """Return values for JSON; `from_values` reads them back."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Read values from a file; anything not understood takes its default."""
        usual = cls()
        given = {
            field.name: _like(values[field.name], getattr(usual, field.name))
            for field in fields(cls)
            if field.name in values
        }
        return replace(usual, **{name: value for name, value in given.items() if value is not None})


def _like(value: Any, usual: Any) -> Any:
    """Return a value of the same type as the default; None for another type."""
    if isinstance(usual, tuple):
        texts = isinstance(value, list) and all(isinstance(text, str) for text in value)
        return tuple(value) if texts else None
    if isinstance(usual, float) and type(value) in (int, float):
        return float(value) if isfinite(value) else None
    return value if type(value) is type(usual) else None


@dataclass(frozen=True, kw_only=True)
class FigureChoices(ExportChoices):
    """Choices for exporting figures: a `Look`, one of FORMATS, and contents.

    Parameters
    ----------
    palette
        Key of the colours for numbers; '' for those of the view.
    marked, titled
        Whether the selected items are marked, and a title is drawn above.
    table
        Whether the table of measures is drawn below compared maps.
    """

    width_mm: float = 85.0
    font_size: float = 7.0
    dpi: float = 300.0
    palette: str = ""
    format: str = "pdf"
    marked: bool = True
    table: bool = False
    titled: bool = False

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Read values from a file; anything that no field could show takes its default."""
        read, usual = super().from_values(values), cls()
        wrong = [
            name for name, spec in Look.specs().items() if not spec.allows(getattr(read, name))
        ]
        if read.format not in FORMATS:
            wrong.append("format")
        if read.palette not in ("", *(palette.key for palette in PALETTES)):
            wrong.append("palette")
        return replace(read, **{name: getattr(usual, name) for name in wrong})

    @property
    def look(self) -> Look:
        return Look(width_mm=self.width_mm, font_size=self.font_size, dpi=self.dpi)

    def plan(self, state: ViewState, selection: Selection, *, title: str = "") -> FigurePlan:
        """Plan the figure of a view with this selection."""
        if self.palette:
            state = state.with_palette(self.palette)
        seen = self.marked or view_named(state.view).shows_chosen
        return FigurePlan(
            state=state,
            selection=selection if seen else NOTHING,
            look=self.look,
            title=title if self.titled else "",
            table=self.table,
        )


@dataclass(frozen=True, kw_only=True)
class TableChoices(ExportChoices):
    """Choices for exporting tables: their keys, that of the format, and some `TableOptions`."""

    tables: tuple[str, ...] = ("items", "measures")
    format: str = "xlsx"
    only_selected: bool = False
    with_values: bool = False
