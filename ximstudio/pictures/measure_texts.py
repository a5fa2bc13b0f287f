"""What a table of measures says, word by word: its values, what is bold, and who is missing."""

from __future__ import annotations

import numpy as np

from ximstudio.pictures.quality import MeasureTable, QualityPicture
from ximstudio.pictures.ticks import number_text


def value_text(table: MeasureTable, row: int, column: int) -> str:
    """A value, with its error where it was estimated from a sample and the error can be seen."""
    value, error = float(table.values[row, column]), float(table.errors[row, column])
    if np.isnan(value):
        return "…" if table.waiting[column] else "–"
    text = number_text(value)
    decimals = len(text.partition(".")[2])
    if table.repeats:
        # As the report prints it; powers of ten with digits of their own. One run has no spread.
        spread = number_text(error) if "·" in text else f"{error:.{decimals}f}"
        return text if np.isnan(error) else f"{text} ({spread})"
    # Powers of ten have a digit for the error in their tool tip only.
    rounded = 0.0 if "·" in text else round(error, decimals)
    return f"{text} ± {rounded:.{decimals}f}" if rounded else text


def others_text(picture: QualityPicture) -> str:
    """Which runs are left out of the comparison, and why."""
    return f"Not compared with {picture.name}. {picture.why_apart}"


def table_text(table: MeasureTable) -> str:
    """How to read the table: what values are, and what bold means."""
    several = len(table.names) > 1
    best = "the best of a row is bold" if several else "arrows say which way is better"
    if table.waiting.any():
        return "Not all runs are measured yet"
    if not table.repeats:
        return best.capitalize()
    said = f"Means of {table.repeats} runs on parts of the data (standard deviation)"
    fewer = [
        f"{name} {made}"
        for name, made in zip(table.names, table.n_made, strict=True)
        if made < table.repeats
    ]
    if fewer:
        said += f"; fewer could be made of {', '.join(fewer)}"
    return f"{said}; {best}" if several else said
