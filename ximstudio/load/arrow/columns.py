"""Convert typed columns of an Arrow table to numbers and texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ximstudio.load.workbook.sheets import cell_text
from ximstudio.model.arrays import Floats

LARGEST_WHOLE = 2**53
"""Largest integer up to which float64 is exact."""

NUMBER, TEXT, UNUSABLE = "number", "text", "unusable"


def kind_of(type_: Any) -> str:
    """Return the kind of a column of this type: numbers, texts, or one that tables cannot hold."""
    from pyarrow import types

    numbers = (types.is_integer, types.is_floating, types.is_decimal, types.is_null)
    if any(is_kind(type_) for is_kind in numbers):
        return NUMBER
    texts = (types.is_boolean, types.is_temporal, is_string)
    if any(is_kind(type_) for is_kind in texts):
        return TEXT
    if types.is_dictionary(type_) and kind_of(type_.value_type) != UNUSABLE:
        return TEXT
    return UNUSABLE


def is_string(type_: Any) -> bool:
    """Return whether a column holds strings."""
    from pyarrow import types

    named = (types.is_string, types.is_large_string, getattr(types, "is_string_view", None))
    return any(is_kind(type_) for is_kind in named if is_kind is not None)


def is_whole(type_: Any) -> bool:
    """Return whether a column holds integers."""
    from pyarrow import types

    return bool(types.is_integer(type_))


def numbers_of(array: Any) -> tuple[Floats, list[int]]:
    """Return part of a column as float64, null as NaN, and the integers changed by that."""
    from pyarrow import types

    if types.is_null(array.type):
        return np.full(len(array), np.nan), []
    if types.is_decimal(array.type):
        cells = array.to_pylist()
        return np.array([np.nan if cell is None else float(cell) for cell in cells]), []
    changed: list[int] = []
    if types.is_integer(array.type):
        whole = array.drop_null().to_numpy(zero_copy_only=False)
        large = whole[(whole > LARGEST_WHOLE) | (whole < -LARGEST_WHOLE)]
        changed = [int(cell) for cell in large.tolist() if int(float(cell)) != cell]
    return array.to_numpy(zero_copy_only=False).astype(np.float64), changed


def texts_of(array: Any) -> list[str]:
    """Return part of a column as texts, null as "".

    The texts of a dictionary are made once and shared: a few bytes can stand for millions.
    """
    from pyarrow import types

    if types.is_dictionary(array.type):
        known = [*(texts_of(array.dictionary)), ""]
        # The last entry stands for null.
        places = array.indices.fill_null(-1) if array.null_count else array.indices
        if types.is_unsigned_integer(array.indices.type) and array.null_count:
            return ["" if cell is None else known[cell] for cell in array.indices.to_pylist()]
        return [known[place] for place in places.to_pylist()]
    if types.is_timestamp(array.type) or types.is_duration(array.type):
        return _times(array)
    return ["" if cell is None else cell_text(cell) for cell in array.to_pylist()]


def _times(array: Any) -> list[str]:
    """Return times as ISO texts, by numpy: Python's own lack nanoseconds and the year 0."""
    zone = "" if getattr(array.type, "tz", None) is None else "Z"
    moments = array.cast("int64").to_pylist()
    letter = "M" if hasattr(array.type, "tz") else "m"
    texts = []
    for moment in moments:
        if moment is None:
            texts.append("")
        elif letter == "m":
            texts.append(f"{moment} {array.type.unit}")
        else:
            text = str(np.datetime64(moment, array.type.unit))
            head, _, fraction = text.partition(".")
            fraction = fraction.rstrip("0")
            texts.append((f"{head}.{fraction}" if fraction else head) + zone)
    return texts
