"""Values of R as the package rdata parses them: vectors, texts and attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ximstudio.model.arrays import Floats
from ximstudio.model.words import number

NA_INTEGER = -(2**31)
NUMBERS = {"INT", "REAL", "LGL"}


def kind_of(value: Any) -> str:
    """Return R's type of a value: "INT", "REAL", "STR", "VEC", "S4", …"""
    return str(value.info.type.name)


def pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and values of a pairlist."""
    while value is not None and kind_of(value) == "LIST":
        first, value_after = value.value
        yield _symbol(value.tag), first
        value = value_after


def _symbol(tag: Any) -> str:
    if tag is None:
        return ""
    if kind_of(tag) == "REF":
        tag = tag.referenced_object
    return text_of(tag.value)


def attributes(value: Any) -> dict[str, Any]:
    """Return the attributes of a value by name."""
    return dict(pairs(value.attributes))


def text_of(char: Any) -> str:
    """Return one text; "" for NA."""
    raw = char.value
    if raw is None:
        return ""
    if isinstance(raw, str):
        return raw
    try:
        return bytes(raw).decode("utf-8")
    except UnicodeDecodeError:
        return bytes(raw).decode("cp1252", errors="replace")


def texts_of(value: Any) -> tuple[str, ...]:
    """Return the texts of a vector of texts; empty for other values."""
    if value is None or kind_of(value) != "STR":
        return ()
    return tuple(text_of(char) for char in value.value)


def class_of(value: Any) -> tuple[str, ...]:
    """Return the classes of a value."""
    return texts_of(attributes(value).get("class"))


def is_numeric(value: Any) -> bool:
    """Return whether a value is a vector of numbers or truth values, and no factor."""
    return kind_of(value) in NUMBERS and "factor" not in class_of(value)


def floats_of(value: Any) -> Floats:
    """Return the numbers of a vector; NaN for NA."""
    raw = value.value
    mask = np.ma.getmaskarray(raw) if isinstance(raw, np.ma.MaskedArray) else None
    plain = np.asarray(np.ma.getdata(raw))
    found = plain.astype(np.float64)
    if plain.dtype.kind == "i":
        found[plain == NA_INTEGER] = np.nan
    if mask is not None:
        found[mask] = np.nan
    return found


def labels_of(value: Any) -> tuple[str, ...]:
    """Return a column as texts: levels of a factor, numbers as they are shown."""
    levels = texts_of(attributes(value).get("levels"))
    if kind_of(value) == "STR":
        return texts_of(value)
    values = floats_of(value).tolist()
    if levels:
        return tuple(
            "" if np.isnan(code) or not 1 <= code <= len(levels) else levels[int(code) - 1]
            for code in values
        )
    if kind_of(value) == "LGL":
        return tuple("" if np.isnan(each) else "true" if each else "false" for each in values)
    return tuple("" if np.isnan(each) else number(each, 15) for each in values)
