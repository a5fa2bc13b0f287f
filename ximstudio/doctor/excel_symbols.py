"""Recovery of gene symbols from the dates that a spreadsheet made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

# English, German, French, Spanish, Italian and Portuguese, short and long, without accents.
MONTHS = {
    1: "jan january januar janvier janv ene enero gen gennaio janeiro",
    2: "feb february februar fevrier fevr fev febrero febbraio fevereiro",
    3: "mar march mrz maerz marz mars marzo marco",
    4: "apr april avr avril abr abril aprile",
    5: "may mai mayo mag maggio maio",
    6: "jun june juni juin junio giu giugno junho",
    7: "jul july juli juil juillet julio lug luglio julho",
    8: "aug august aout ago agosto",
    9: "sep sept september septembre septiembre set settembre setembro",
    10: "oct october okt oktober octobre octubre ott ottobre out outubro",
    11: "nov november novembre noviembre novembro",
    12: "dec december dez dezember decembre dic diciembre dicembre dezembro",
}
MONTH_OF = {word: month for month, words in MONTHS.items() for word in words.split()}
WITHOUT_ACCENTS = str.maketrans("äéèêûçã", "aeeeuca")

BETWEEN = r"(?:\s?[-./]\s?|\s)"
DAY_MONTH = re.compile(rf"(\d{{1,2}})\.?{BETWEEN}([^\W\d]{{3,10}})\.?(?:{BETWEEN}(\d{{4}}|\d\d))?")
MONTH_NUMBER = re.compile(rf"([^\W\d]{{3,10}})\.?{BETWEEN}(\d{{4}}|\d{{1,2}})")
MIDNIGHT = r"(?:[ t]+(?:0{1,2}:00(?::00(?:\.0+)?)?|12:00(?::00)? ?am)z?)?"
"""The time that spreadsheets give to a date without one."""
ISO = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){MIDNIGHT}")
NUMERIC = re.compile(rf"(\d{{1,2}})([/.-])(\d{{1,2}})\2(\d{{4}}|\d{{2}}){MIDNIGHT}")
NO_YEAR = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2?")
COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)")
SERIAL = re.compile(r"([3-5]\d{4}|60000)(?:\.0)?")
LEAP = 2000
"""A year with all days."""
FIRST_DAY = date(1899, 12, 30)
"""Day 0 of the day numbers in spreadsheets."""

RIKEN = re.compile(r"\d(?:[.,]\d+)?E\+?\d{1,2}", re.IGNORECASE)
"""Numbers that clone names such as 2310009E13 turn into, which cannot be undone."""


class Symbol(NamedTuple):
    """The present symbol of a gene, and the one that a spreadsheet took for a date."""

    today: str
    old: str


@dataclass(frozen=True, kw_only=True)
class Dated:
    """A name that is a date, and its possible readings: (month, number) each, the likely first."""

    form: str
    readings: tuple[tuple[int, int], ...]


OCTOBER = {
    1: "POU2F1",
    2: "POU2F2",
    3: "POU5F1",
    4: "POU5F1",
    6: "POU3F1",
    7: "POU3F2",
    8: "POU3F3",
    9: "POU3F4",
    11: "POU2F3",
}
DAYS: dict[tuple[int, int], tuple[Symbol, ...]] = {
    **{(3, n): (Symbol(f"MARCHF{n}", f"MARCH{n}"),) for n in range(1, 12)},
    **{
        (3, n): (Symbol(f"MARCHF{n}", f"MARCH{n}"), Symbol(f"MTARC{n}", f"MARC{n}")) for n in (1, 2)
    },
    **{(9, n): (Symbol(f"SEPTIN{n}", f"SEPT{n}"),) for n in (*range(1, 13), 14)},
    (9, 15): (Symbol("SELENOF", "SEP15"),),
    **{(10, n): (Symbol(today, f"OCT{n}"),) for n, today in OCTOBER.items()},
    (12, 1): (Symbol("DELEC1", "DEC1"),),
    (12, 2): (Symbol("BHLHE41", "DEC2"),),
}
"""(month, day) → the genes whose symbols become it, the likely one first."""


def symbols(month: int, number: int) -> tuple[Symbol, ...]:
    """Return the genes whose symbols become this day of this month, the likely one first."""
    return DAYS.get((month, number), ())


def dated(names: Sequence[str]) -> dict[int, Dated]:
    """Find the names that are dates: number of the name → possible readings.

    Ambiguities of one date are settled by the others: day before month or after, and whether the
    number of a gene has become the day (SEPT2 → 2 September) or the year (Sep-02 → 1 September
    2002).
    """
    found: dict[int, Dated] = {}
    full: dict[int, tuple[int, int, int]] = {}
    numeric: dict[int, tuple[int, str, int, int]] = {}
    yearless: dict[int, tuple[int, str, int, int]] = {}
    for place, raw in enumerate(names):
        name = raw.strip().lower().translate(WITHOUT_ACCENTS)
        if (said := ISO.fullmatch(name)) and _exists(*(int(said[part]) for part in (1, 3, 4))):
            full[place] = int(said[1]), int(said[3]), int(said[4])
        elif said := NUMERIC.fullmatch(name):
            numeric[place] = (int(said[1]), said[2], int(said[3]), int(said[4]))
        elif said := NO_YEAR.fullmatch(name):
            yearless[place] = (int(said[1]), said[2], int(said[3]), LEAP)
        elif (said := COMPACT.fullmatch(name)) and _exists(*map(int, said.groups())):
            found[place] = Dated(form="serial", readings=((int(said[2]), int(said[3])),))
        elif SERIAL.fullmatch(name):
            day_of = FIRST_DAY + timedelta(days=int(name[:5]))
            found[place] = Dated(form="serial", readings=((day_of.month, day_of.day),))
        elif words := _in_words(name):
            found[place] = words
    # "3/1" may be a ratio and 44256 an id: both count among genes only.
    doubtful = {
        place: Dated(form="serial", readings=one.readings)
        for place, one in _numeric_dates(yearless).items()
    }
    return found | _full_dates(full) | _numeric_dates(numeric) | doubtful


def _in_words(name: str) -> Dated | None:
    if (said := DAY_MONTH.fullmatch(name)) and said[2] in MONTH_OF:
        return Dated(form="day first", readings=((MONTH_OF[said[2]], int(said[1])),))
    if (said := MONTH_NUMBER.fullmatch(name)) and said[1] in MONTH_OF:
        padded = len(said[2]) > 1
        form = "month first" if padded else "month first, one digit"
        return Dated(form=form, readings=((MONTH_OF[said[1]], int(said[2]) % 100),))
    return None


def _full_dates(full: dict[int, tuple[int, int, int]]) -> dict[int, Dated]:
    years = {year for year, _, _ in full.values()}
    numbered_by_year = len(years) > 1 and all(day == 1 for _, _, day in full.values())
    found = {}
    for place, (year, month, day) in full.items():
        ways = [(month, day)]
        if day == 1 and 2001 <= year <= 2015:
            ways.insert(0 if numbered_by_year else 1, (month, year % 100))
        found[place] = Dated(form="full", readings=tuple(dict.fromkeys(ways)))
    return found


def _numeric_dates(numeric: dict[int, tuple[int, str, int, int]]) -> dict[int, Dated]:
    """Read dates in figures, in the order of day and month that makes most of them genes."""

    def fitting(day_first: bool) -> int:
        return sum(
            bool(symbols(*((b, a) if day_first else (a, b)))) for a, _, b, _ in numeric.values()
        )

    points = sum(mark == "." for _, mark, _, _ in numeric.values())
    day_first = (fitting(True), points) > (fitting(False), len(numeric) - points)
    found = {}
    for place, (first, _, second, year) in numeric.items():
        ways = [(second, first), (first, second)]
        if not day_first:
            ways.reverse()
        real = [(month, day) for month, day in ways if _exists(year, month, day)]
        genes = [way for way in real if symbols(*way)]
        if real:
            chosen = tuple(dict.fromkeys(genes or real))
            found[place] = Dated(form="figures", readings=chosen)
    return found


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year if year > 99 else 2000 + year, month, day)
    except ValueError:
        return False
    return True
