"""Everything that was found out about the rows of a text, before it is told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.load.text.block import Block
from ximstudio.load.text.dialect import Found
from ximstudio.load.text.headings import Headings
from ximstudio.load.text.layout import Layout
from ximstudio.load.text.notation import Notation
from ximstudio.load.text.roles import Columns


@dataclass(frozen=True, kw_only=True, eq=False)
class Understood:
    """Everything that was found out about the rows of a text.

    Parameters
    ----------
    columns
        All columns by name; `columns.numeric` are those of numbers.
    id, id_found
        The column that names the rows, None if they are numbered, and why.
    labels
        Columns that are labels; `coded` are those of them that hold numbers and were guessed.
    label_rows
        Name of a row that labels the columns → its cells.
    block
        Numbers and texts.
    """

    layout: Layout
    headings: Headings
    columns: Columns
    id: int | None
    id_found: Found
    labels: tuple[int, ...]
    coded: tuple[int, ...]
    label_rows: dict[str, list[str]]
    block: Block
    notation: Notation

    @cached_property
    def features(self) -> tuple[int, ...]:
        """Columns that are features: those of numbers that have a name or any value."""
        return tuple(
            column
            for place, column in enumerate(self.block.columns)
            if self.columns.names[column] or not np.isnan(self.block.values[:, place]).all()
        )
