"""How numbers and missing values are spelt, and the number that a cell means."""

from __future__ import annotations

import csv
import io
import math
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ximstudio.model.words import plural

ERRORS = (
    *("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!"),
    *("#FIELD!", "#BLOCKED!", "#UNKNOWN!", "#NV", "#WERT!", "#BEZUG!", "#ZAHL!", "#VALEUR!"),
)
"""What spreadsheets write into a cell whose formula failed."""

# Not "Na", which is sodium, nor "Nd".
_WORDS = (
    "NA",
    "N/A",
    "N.A.",
    "NaN",
    "NULL",
    "None",
    "Missing",
    "ND",
    "N.D.",
    "N/D",
    "Not detected",
    "Not determined",
    "Undetermined",
    # Below the limit of detection, or of quantification.
    "BDL",
    "BLD",
    "BLQ",
    "BLOQ",
    "LOD",
    "LOQ",
    "<LOD",
    "<LOQ",
    "< LOD",
    "< LOQ",
)
_SIGNS = ("?", "-", "--", "---", "–", "—", ".", "..", "...", "*", "/", "<NA>", "(null)", "-nan")
_OTHERS = ("#NUM", "1.#QNAN", "-1.#IND", "1.#IND", "nil", "no data", "not available", "blank")

BLANKS: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            "",
            *(spelt for word in _WORDS for spelt in (word, word.upper(), word.lower())),
            *_SIGNS,
            *_OTHERS,
            *ERRORS,
        )
    )
)
"""Spellings of a missing value in a column of numbers."""

MINUSES = str.maketrans({"\u2212": "-", "\u2013": "-", "\ufe63": "-", "\uff0d": "-"})
"""Dashes that word processors put before a negative number."""

PERCENT = "%"

SPACES = "[ \u00a0\u2009\u202f]"
APOSTROPHES = "['\u2019]"

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[-+]?inf(?:inity)?", re.I | re.A)

MOST_LETTERS = 2000
"""A number written out in full takes less than 1100 letters; more are none."""


@dataclass(frozen=True)
class Notation:
    """How numbers are written: decimal mark, mark between thousands, spellings of missing values.

    `thousands` is one of "", ",", ".", " " (any kind of space) and "'" (any apostrophe). With
    `percents`, "12 %" is 12; whoever allows it has to say so to the user.
    """

    decimal: str = "."
    thousands: str = ""
    blanks: frozenset[str] = frozenset(BLANKS)
    percents: bool = False

    @classmethod
    def of(
        cls,
        *,
        decimal: str = ".",
        thousands: str = "",
        blanks: Iterable[str] = BLANKS,
        percents: bool = False,
    ) -> Notation:
        """A notation; the empty cell is always missing."""
        missing = frozenset(blank.strip() for blank in (*blanks, ""))
        return cls(decimal, thousands, missing, percents)

    @cached_property
    def _grouped(self) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
        if not self.thousands:
            return None
        mark = {" ": SPACES, "'": APOSTROPHES}.get(self.thousands, re.escape(self.thousands))
        point = re.escape(self.decimal)
        grouped = rf"[-+]?\d{{1,3}}(?:{mark}\d{{3}})+(?:{point}\d*)?(?:e[-+]?\d+)?"
        return re.compile(grouped, re.I | re.A), re.compile(mark)

    def value(self, text: str) -> float | None:
        """The number in a cell, NaN if it is missing, None if it is a text."""
        text = text.strip()
        if text in self.blanks:
            return math.nan
        if len(text) > MOST_LETTERS:
            return None
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
        """Numbers that stand for a missing value, as -999 may, and how they are spelt.

        They are compared as numbers: "-999.0" is missing if "-999" is.
        """
        spelt = ((blank, blank.replace(self.decimal, ".")) for blank in sorted(self.blanks))
        return {float(text): blank for blank, text in spelt if _NUMBER.fullmatch(text)}


def call_missing(texts: Sequence[str], others: Iterable[str] = ()) -> str:
    """How a person calls these texts missing values, besides others that are called so already."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(dict.fromkeys((*texts, *others)))
    shown = ", ".join(repr(text) for text in texts)
    option = shlex.quote("missing=" + line.getvalue())
    return f"If {shown} {plural(len(texts), 'means', 'mean')} a missing value: --read {option}"
