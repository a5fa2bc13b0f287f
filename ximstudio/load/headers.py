"""Compare the headers of columns with words that people and programs use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def key_of(header: str) -> str:
    """A header as it is compared: lower case, nothing but letters and digits.

    Applied Biosystems writes the t of Ct in Cyrillic.
    """
    plain = header.casefold().replace("т", "t")
    return "".join(letter for letter in plain if letter.isalnum())


def rank(key: str, patterns: tuple[str, ...]) -> int | None:
    """The number of the first pattern that matches a whole key; None if none does."""
    for number, pattern in enumerate(patterns):
        if re.fullmatch(pattern, key):
            return number
    return None


def ranked(keys: Sequence[str], patterns: tuple[str, ...], columns: Iterable[int]) -> list[int]:
    """Those columns whose keys match any of the patterns: by pattern, then by place."""
    found = []
    for column in columns:
        number = rank(keys[column], patterns)
        if number is not None:
            found.append((number, column))
    return [column for _, column in sorted(found)]
