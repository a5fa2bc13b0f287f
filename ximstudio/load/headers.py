"""Compare column headers with the words that people and programs use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def key_of(header: str) -> str:
    """Normalise a header for comparison: lower case, only letters and digits.

    Applied Biosystems writes the t of Ct in Cyrillic.
    """
    plain = header.casefold().replace("т", "t")
    return "".join(letter for letter in plain if letter.isalnum())


def rank(key: str, patterns: tuple[str, ...]) -> int | None:
    """Return the index of the first pattern that matches a whole key; None if none does."""
    for number, pattern in enumerate(patterns):
        if re.fullmatch(pattern, key):
            return number
    return None


def ranked(keys: Sequence[str], patterns: tuple[str, ...], columns: Iterable[int]) -> list[int]:
    """Return the columns whose keys match any pattern, by pattern and then by position."""
    found = []
    for column in columns:
        number = rank(keys[column], patterns)
        if number is not None:
            found.append((number, column))
    return [column for _, column in sorted(found)]
