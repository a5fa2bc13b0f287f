"""Detection of gene symbols that a spreadsheet has turned into dates or numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import GENES, SIDES, TableEvidence, once, severity_of, spread
from ximstudio.doctor.excel_symbols import RIKEN, Dated, Symbol, dated, symbols
from ximstudio.doctor.finding import Finding
from ximstudio.doctor.repairs import counted, drop, rename
from ximstudio.load.names import looks_like_genes
from ximstudio.model.matrix import SHOWN, some_of

MOST = 0.5
"""Share of dates above which samples are named by dates: days of sampling, not genes."""
WORM = re.compile(r"[a-z]{2,4}-\d{1,3}(?:\.\d+)?")
TITLED = re.compile(r"[A-Z][a-z]+\w*")
CAPITALS = re.compile(r"[A-Z]{2,}\w*")


@dataclass(frozen=True, kw_only=True)
class Mangled:
    """The names of one side that were genes: with likely symbols, and without."""

    symbols: Mapping[int, tuple[Symbol, ...]]
    lost: tuple[int, ...]


def _look_for_dates(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        found = mangled(evidence, side).symbols
        if found:
            yield _dates(evidence, side, found)


def _look_for_lost(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        lost = mangled(evidence, side).lost
        if lost:
            yield Finding(
                key=LOST_NAMES.key,
                severity=severity_of(evidence, side, lost),
                side=side,
                what=f"Names that are numbers, or dates of no gene: {counted(side, lost)}."
                " A spreadsheet has probably changed them, such as 2310009E13Rik to 2.31E+19, and"
                " they cannot be recovered from what is left.",
                where=evidence.where(side, lost),
                way_out="Take the names from the original file; or name them by their places,"
                " or remove them.",
                addresses=evidence.along(side, lost),
                repairs=(
                    rename(evidence, side, _by_place(evidence, side, lost), "Name them by place"),
                    drop(evidence, side, lost),
                ),
                sure=False,
            )


def _by_place(evidence: TableEvidence, side: str, numbers: Sequence[int]) -> dict[int, str]:
    names = evidence.axis(side).names
    return {number: f"{names[number]} (number {number + 1})" for number in numbers}


def _dates(evidence: TableEvidence, side: str, found: Mapping[int, tuple[Symbol, ...]]) -> Finding:
    names = evidence.axis(side).names
    numbers = sorted(found)
    today = new_names(names, found, "today")
    old = new_names(names, found, "old")
    open_ones = [number for number in numbers if len(found[number]) > 1]
    guess = ""
    if open_ones:
        named = dict.fromkeys(repr(names[number]) for number in open_ones)
        guess = f"; a guess for {some_of(list(named))}"
    shown = some_of(
        [
            f"{evidence.axis(side).address(number)} was probably"
            f" {' or '.join(symbol.old for symbol in found[number])}, today"
            f" {' or '.join(symbol.today for symbol in found[number])}"
            # The uncertain ones first.
            for number in sorted(numbers, key=lambda number: number not in open_ones)[:SHOWN]
        ],
        total=len(numbers),
    )
    return Finding(
        key=EXCEL_DATES.key,
        severity=severity_of(evidence, side, numbers),
        side=side,
        what=f"Gene symbols turned into dates by a spreadsheet: {counted(side, numbers)}"
        + (f", {len(open_ones)} of which could be one of two genes." if open_ones else "."),
        where=f"{evidence.table.source}: {shown}",
        way_out="Rename them, after a look at the original file where one could be two genes.",
        addresses=evidence.along(side, numbers),
        repairs=(
            rename(evidence, side, today, f"Rename to the symbols of today{guess}"),
            rename(evidence, side, old, f"Rename to the symbols before they were changed{guess}"),
        ),
        sure=not open_ones,
    )


def new_names(
    names: Sequence[str], found: Mapping[int, tuple[Symbol, ...]], which: str
) -> dict[int, str]:
    """Return a new name for each; of two possible symbols, the first."""
    title = _is_titled([name for number, name in enumerate(names) if number not in found])
    ways = {}
    for number, candidates in found.items():
        ways[number] = tuple(
            text.capitalize() if title else text
            for text in (getattr(symbol, which) for symbol in candidates)
        )
    claimed = Counter(ways.values())
    seen: Counter[tuple[str, ...]] = Counter()
    new = {}
    for number, texts in ways.items():
        if len(texts) > 1 and claimed[texts] > 1:
            # As many rows as there are genes, but no way to assign them.
            seen[texts] += 1
            new[number] = f"{' or '.join(texts)} ({seen[texts]})"
        else:
            new[number] = texts[0]
    return new


def _is_titled(names: Sequence[str]) -> bool:
    """Return whether symbols are capitalised like those of mice: Brca1."""
    looked_at = spread(names)
    titled = sum(bool(TITLED.fullmatch(name)) for name in looked_at)
    return titled > sum(bool(CAPITALS.fullmatch(name)) for name in looked_at)


@once
def mangled(evidence: TableEvidence, side: str) -> Mangled:
    """Find the names of one side that a spreadsheet has changed."""
    names = evidence.axis(side).names
    dates = dated(names)
    rikens = [n for n, name in enumerate(names) if RIKEN.fullmatch(name) and n not in dates]
    suspects = {*dates, *rikens}
    others = [name for number, name in enumerate(names) if number not in suspects]
    nothing = Mangled(symbols={}, lost=())
    if not suspects or not others:
        return nothing
    if len(suspects) > MOST * len(names) and side == evidence.sample_side:
        return nothing
    looked_at = spread(others)
    # A list of numbers holds Entrez ids, and then 44256 is a gene like any other.
    numeric = sum(name.replace(".", "").isdigit() for name in looked_at) > 0.05 * len(looked_at)
    worms = sum(bool(WORM.fullmatch(name)) for name in looked_at) > 0.1 * len(looked_at)
    genes = looks_like_genes(looked_at)[0] >= GENES
    if not genes and len(suspects) > 0.1 * len(names):
        return nothing
    kept = {
        number: found
        for number, found in dates.items()
        if _counts(found, genes=genes, numeric=numeric, worms=worms)
    }
    there = {name.upper() for name in others}
    known = {number: _symbols_of(found, there) for number, found in kept.items()}
    lost = [
        number
        for number, ways in known.items()
        if not ways and genes and kept[number].form != "serial"
    ]
    if genes and not numeric:
        lost += rikens
    return Mangled(
        symbols={number: ways for number, ways in known.items() if ways}, lost=tuple(sorted(lost))
    )


def _counts(found: Dated, *, genes: bool, numeric: bool, worms: bool) -> bool:
    """Return whether a date can be a changed symbol among such names."""
    if found.form == "serial":
        return genes and not numeric
    # The worm has genes called sep-1 and dec-1, but no "Sep-01".
    return not (worms and found.form == "month first, one digit")


def _symbols_of(found: Dated, there: set[str]) -> tuple[Symbol, ...]:
    """Return the genes it may be; of several, only those that the table lacks under their names."""
    ways = tuple(dict.fromkeys(one for way in found.readings for one in symbols(*way)))
    return tuple(one for one in ways if there.isdisjoint(one)) or ways


EXCEL_DATES = Check(
    key="excel_dates",
    name="Genes turned into dates",
    about="Spreadsheets read MARCH1, SEPT2 or DEC1 as a day (1-Mar, Sep-02, 2001-03-01, 44256) and"
    " keep the date. The likely symbol is proposed.",
    phase=RepairPhase.NAMES,
    look=_look_for_dates,
)
LOST_NAMES = Check(
    key="lost_names",
    name="Names that became numbers",
    about="Clone names such as 2310009E13Rik become numbers (2.31E+19) in a spreadsheet, and some"
    " dates belong to no known gene: the name is lost.",
    phase=RepairPhase.NAMES,
    look=_look_for_lost,
)
