"""Numbers and texts as people read them, in the window and in the terminal alike."""

from __future__ import annotations

import math
import re

THIN = "\u202f"
"""Between thousands: narrow, and no line ends there."""
MINUS = "−"
LEAST_PLAIN, MOST_PLAIN = -5, 12
"""Powers of ten beyond which a number is written with one."""

_DIGITS = re.compile(r"([0-9]+)")
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_IRREGULAR = {"taxon": "taxa", "species": "species"}
_SIDES = re.compile(r"(?<!\w)'[^']*'|‘[^’]*’|(?<!--)\b(?:([Aa])n? )?([Ii]tem|[Ff]eature)(s?)\b")
"""What the core calls both sides, with its article, and quoted names, which stay as they are.

So do options of the command line."""


def grouped(number: int) -> str:
    """A whole number with its thousands set apart: "59 400", "−3"."""
    return f"{number:,}".replace(",", THIN).replace("-", MINUS)


def plural(n: int, one: str, several: str = "") -> str:
    """The words for that many; without `several` they get an s: "gene", "genes"."""
    return one if n == 1 else several or _IRREGULAR.get(one) or f"{one}s"


def counted(n: int, one: str, several: str = "") -> str:
    """How many of what, and maybe what they do: "1 row has", "1 230 rows have"."""
    return f"{grouped(n)} {plural(n, one, several)}"


def number(value: float, digits: int = 3) -> str:
    """A number with so many digits that count, none of which says nothing: "−28 400", "0.07"."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else f"{MINUS if value < 0 else ''}∞"
    rounded = float(f"{value:.{digits}g}")
    if not rounded:
        # What is left of a sign would be "−0".
        return "0"
    power = math.floor(math.log10(abs(rounded)))
    if not LEAST_PLAIN <= power < MOST_PLAIN:
        return _with_power(rounded, digits)
    text = f"{rounded:,.{max(digits - 1 - power, 0)}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(",", THIN).replace("-", MINUS)


def natural(text: str) -> list[str | int]:
    """A key to sort texts by, numbers in them by their size: "heat 2" comes before "heat 10"."""
    parts = _DIGITS.split(text.strip().casefold())
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def in_words(text: str, item: str, feature: str) -> str:
    """A sentence of the core with other words for both sides; quoted names stay as they are."""
    words = {"item": item, "feature": feature}

    def said(found: re.Match[str]) -> str:
        article, side, several = found.groups()
        if side is None:
            return found[0]
        word = words[side.lower()] + several
        if side[0].isupper():
            word = word.capitalize()
        if article is None:
            return word
        return f"{article}{'n' if word[0] in 'aeiou' else ''} {word}"

    return _SIDES.sub(said, text)


def _with_power(value: float, digits: int) -> str:
    first, _, power = f"{value:.{digits - 1}e}".partition("e")
    if "." in first:
        first = first.rstrip("0").rstrip(".")
    return f"{first.replace('-', MINUS)}·10{str(int(power)).translate(_SUPERSCRIPTS)}"
