"""Numbers that the user chose as codes for a missing value, in any format."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ximstudio.load.reading import Choices, Reading
from ximstudio.load.text.notation import is_number
from ximstudio.model.arrays import Floats
from ximstudio.model.table import Table


def without_codes(reading: Reading, choices: Choices) -> Reading:
    """Return the reading with the numbers in `Choices.missing` as missing values.

    Text formats have seen to it while they read the cells; others hold numbers, not spellings.
    """
    codes = [float(text) for text in choices.missing or () if is_number(text)]
    if not codes or not np.isin(reading.table.stored, codes).any():
        return reading
    return replace(reading, table=with_missing(reading.table, codes))


def with_missing(table: Table, codes: list[float]) -> Table:
    """Return the table with these numbers as missing values."""

    def blanked(values: Floats) -> Floats:
        return np.where(np.isin(values, codes), np.nan, values)

    values = table.values
    if isinstance(values, np.ndarray):
        return table.with_values(blanked(values))
    held = values.copy()
    held.data = blanked(values.data)
    return table.with_values(held)
