"""Format numbers and texts for users, in the window and in the terminal."""

from __future__ import annotations

import math
import re

THIN = "\u202f"
"""Separator of thousands: a narrow space that does not break."""
MINUS = "−"
LEAST_PLAIN, MOST_PLAIN = -5, 12
"""Powers of ten beyond which a number is written with an exponent."""

_DIGITS = re.compile(r"([0-9]+)")
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_IRREGULAR = {"taxon": "taxa", "species": "species"}
_SIDES = re.compile(r"(?<!\w)'[^']*'|‘[^’]*’|(?<!--)\b(?:([Aa])n? )?([Ii]tem|[Ff]eature)(s?)\b")
"""Words for both sides in messages, with their articles; and quoted names and options, which stay
unchanged.
"""


def grouped(number: int) -> str:
    """Format a whole number with separated thousands: "59 400", "−3"."""
    return f"{number:,}".replace(",", THIN).replace("-", MINUS)


def plural(n: int, one: str, several: str = "") -> str:
    """Return the word for that many; without `several`, an s is added: "gene", "genes"."""
    return one if n == 1 else several or _IRREGULAR.get(one) or f"{one}s"


def counted(n: int, one: str, several: str = "") -> str:
    """Return a number with its noun and, if given, its verb: "1 row has", "1 230 rows have"."""
    return f"{grouped(n)} {plural(n, one, several)}"


def number(value: float, digits: int = 3) -> str:
    """Format a number with so many significant digits, no trailing zeros: "−28 400", "0.07"."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else f"{MINUS if value < 0 else ''}∞"
    rounded = float(f"{value:.{digits}g}")
    if not rounded:
        # A rest of a sign would give "−0".
        return "0"
    power = math.floor(math.log10(abs(rounded)))
    if not LEAST_PLAIN <= power < MOST_PLAIN:
        return _with_power(rounded, digits)
    text = f"{rounded:,.{max(digits - 1 - power, 0)}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(",", THIN).replace("-", MINUS)


def natural(text: str) -> list[str | int]:
    """Return a sort key by which numbers in texts sort by size: "heat 2" before "heat 10"."""
    parts = _DIGITS.split(text.strip().casefold())
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def in_words(text: str, item: str, feature: str) -> str:
    """Replace the words for both sides in a message; quoted names stay unchanged."""
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
