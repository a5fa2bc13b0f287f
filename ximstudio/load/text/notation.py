"""Notation of numbers and missing values, the value of a cell, and numbers chosen as missing."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ximstudio.load.account import listed
from ximstudio.load.reading import Choices, Reading
from ximstudio.model.arrays import Floats
from ximstudio.model.table import Table
from ximstudio.model.words import plural

ERRORS = (
    *("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!"),
    *("#FIELD!", "#BLOCKED!", "#UNKNOWN!", "#NV", "#WERT!", "#BEZUG!", "#ZAHL!", "#VALEUR!"),
)
"""Error values of spreadsheets."""

# Not "Na", which is sodium, nor "Nd".
_WORDS = (
    *("NA", "N/A", "N.A.", "NaN", "NULL", "None", "Missing", "ND", "N.D.", "N/D", "Not detected"),
    *("Not determined", "Undetermined"),
    # Below the limit of detection, or of quantification.
    *("BDL", "BLD", "BLQ", "BLOQ", "LOD", "LOQ", "<LOD", "<LOQ", "< LOD", "< LOQ"),
)
_CENSORED = (
    *("below LOD", "below LOQ", "below detection limit", "<DL", "< DL", "<MDL", "<LLOQ", "< LLOQ"),
    *("LLOQ", ">ULOQ", "> ULOQ", "ULOQ", "No Ct", "NoCt", "N.D", "N.A", "Not found", "NaT"),
)
"""Words for a quantity that was too small or too large to be measured."""
_SIGNS = ("?", "-", "--", "---", "–", "—", ".", "..", "...", "*", "/", "<NA>", "(null)", "-nan")
_OTHERS = (
    *("NaN()", "nan()", "NaN(ind)", "-nan(ind)", "nan(ind)", "#NUM", "1.#QNAN", "-1.#IND"),
    *("1.#IND", "nil", "no data", "not available", "blank"),
)
_CASES = [each for word in (*_WORDS, *_CENSORED) for each in (word, word.upper(), word.lower())]

BLANKS: tuple[str, ...] = tuple(dict.fromkeys(("", *_CASES, *_SIGNS, *_OTHERS, *ERRORS)))
"""Spellings of a missing value in a column of numbers."""

MINUSES = str.maketrans({"\u2212": "-", "\u2013": "-", "\ufe63": "-", "\uff0d": "-"})
"""Dashes that word processors use as a minus sign."""

PERCENT = "%"

SPACES = "[ \u00a0\u2009\u202f]"
APOSTROPHES = "['\u2019]"

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[-+]?inf(?:inity)?", re.I | re.A)

LIMIT = re.compile(r"([<>≤≥]=?)\s*(.+)")
"""A limit instead of a value: '<0.05', '> 40', '≤ 1,5'."""

CENSORED = ("missing", "limit", "half")
"""Possible values of a limit."""

MOST_LETTERS = 2000
"""Maximum length of a number; written out in full it takes less than 1100 characters."""


@dataclass(frozen=True)
class Notation:
    """Notation of numbers: decimal mark, thousands mark, spellings of missing values.

    `thousands` is one of "", ",", ".", " " (any kind of space) and "'" (any apostrophe). With
    `percents`, "12 %" is 12; whoever allows it has to say so to the user. `censored` says what
    becomes of a limit such as '<0.05', one of `CENSORED`, or "" if it is a text like any other.
    """

    decimal: str = "."
    thousands: str = ""
    blanks: frozenset[str] = frozenset(BLANKS)
    percents: bool = False
    censored: str = ""

    @classmethod
    def of(
        cls,
        *,
        decimal: str = ".",
        thousands: str = "",
        blanks: Iterable[str] = BLANKS,
        percents: bool = False,
        censored: str = "",
    ) -> Notation:
        """Return a notation; the empty cell is always missing."""
        missing = frozenset(blank.strip() for blank in (*blanks, ""))
        return cls(decimal, thousands, missing, percents, censored)

    @cached_property
    def _grouped(self) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
        if not self.thousands:
            return None
        mark = {" ": SPACES, "'": APOSTROPHES}.get(self.thousands, re.escape(self.thousands))
        point = re.escape(self.decimal)
        grouped = rf"[-+]?\d{{1,3}}(?:{mark}\d{{3}})+(?:{point}\d*)?(?:e[-+]?\d+)?"
        return re.compile(grouped, re.I | re.A), re.compile(mark)

    def value(self, text: str) -> float | None:
        """Return the number in a cell, NaN if it is missing, None if it is a text."""
        text = text.strip()
        if text in self.blanks:
            return math.nan
        if len(text) > MOST_LETTERS:
            return None
        if self.censored and text[0] in "<>≤≥":
            return self._limit(text)
        return self._number(text)

    def is_limit(self, text: str) -> bool:
        """Return whether a cell holds a limit instead of a value."""
        return self._limit(text.strip()) is not None

    def _limit(self, text: str) -> float | None:
        """Return the value of a limit; None if it is no limit."""
        said = LIMIT.fullmatch(text)
        if said is None or (limit := self._number(said[2])) is None:
            return None
        if self.censored == "missing":
            return math.nan
        below = said[1][0] in "<≤"
        return limit / 2 if below and self.censored == "half" else limit

    def _number(self, text: str) -> float | None:
        """Parse a text that is not missing; None if it is no number."""
        text = text.translate(MINUSES)
        if self.percents and text[-1] == PERCENT:
            text = text[:-1].rstrip()
        if self._grouped is not None and self._grouped[0].fullmatch(text):
            text = self._grouped[1].sub("", text)
        if self.decimal != ".":
            if "." in text:
                return None
            text = text.replace(self.decimal, ".")
        if not _NUMBER.fullmatch(text):
            return None
        value = float(text)
        return math.nan if value in self.codes else value

    @cached_property
    def codes(self) -> dict[float, str]:
        """Return numbers that mean a missing value, such as -999, with their spelling.

        They are compared as numbers: "-999.0" is missing if "-999" is.
        """
        spelt = ((blank, blank.replace(self.decimal, ".")) for blank in sorted(self.blanks))
        return {float(text): blank for blank, text in spelt if _NUMBER.fullmatch(text)}


def is_number(text: str) -> bool:
    """Return whether a text is a number, with a point if it has a fraction."""
    return _NUMBER.fullmatch(text.strip()) is not None


def call_missing(texts: Sequence[str], others: Iterable[str] = ()) -> str:
    """Return the choice that declares these texts missing, besides those declared already."""
    shown = ", ".join(map(repr, texts))
    means = plural(len(texts), "means", "mean")
    every = listed(dict.fromkeys((*texts, *others)))
    return f"If {shown} {means} a missing value, list as missing: {every}"


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
