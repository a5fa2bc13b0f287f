"""Detection of missing, infinite and constant values."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import SIDES, TableEvidence
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.repairs import counted, drop, finite_first
from ximstudio.model import words
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Severity
from ximstudio.prepare.planned import planned
from ximstudio.prepare.step import other

MOSTLY = 0.5
"""Share of blanks above which an item or feature says little."""
MOST_REMOVED = 1 / 3
"""Share of items or features above which they are not removed without a look."""
ENOUGH = 3
"""Number of equal values from which a constant is reported."""


def _look_for_infinite(evidence: TableEvidence) -> Iterable[Finding]:
    found = evidence.infinite
    if len(found):
        shown = [
            evidence.table.address(int(item), int(feature))
            for item, feature in zip(found.items[:SHOWN], found.features[:SHOWN], strict=True)
        ]
        yield Finding(
            key=INFINITE.key,
            severity=Severity.ERROR,
            what=f"{words.counted(len(found), 'value is', 'values are')} infinite: usually a"
            " division by 0, or the logarithm of 0.",
            where=f"{evidence.table.source}: {some_of(shown, total=len(found))}",
            way_out="Mark them as missing, or go back to the numbers before the logarithm.",
            addresses=found,
            repairs=(Repair(label="Mark them as missing", steps=(planned("infinite"),)),),
        )


def _look_for_blanks(evidence: TableEvidence) -> Iterable[Finding]:
    n_blank = int(evidence.tally["items"].missing.sum())
    if not n_blank or evidence.is_empty:
        return
    n_cells = evidence.table.n_items * evidence.table.n_features
    features = np.flatnonzero(evidence.tally["features"].missing)
    items = np.flatnonzero(evidence.tally["items"].missing)
    fill = (
        Repair(
            label="Fill them from the 10 most similar items",
            steps=(*finite_first(evidence), planned("impute", how="nearest", k=10)),
        ),
        Repair(
            label="Fill them with the median of their feature",
            steps=(*finite_first(evidence), planned("impute", how="median")),
        ),
    )
    # Items without any value cannot be filled.
    empty = any((evidence.present(side) == 0).any() for side in SIDES)
    yield Finding(
        key=BLANKS.key,
        severity=Severity.NOTE,
        what=f"{words.grouped(n_blank)} of {words.counted(n_cells, 'cell')} blank"
        f" ({_percent(n_blank / n_cells)}), in"
        f" {counted('items', items)} and {counted('features', features)}.",
        where=evidence.where("items", items),
        way_out="They may stay blank: maps are trained on the values that are there. Fill them if a"
        " step or another program needs complete data.",
        addresses=evidence.blanks,
        repairs=(
            Repair(label="Keep them blank", steps=(planned("impute", how="keep"),), settles=False),
            *(() if empty else fill),
        ),
    )


def _look_for_mostly_blank(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        length = evidence.length(other(side))
        missing = evidence.tally[side].missing
        found = np.flatnonzero((missing > MOSTLY * length) & (missing < length))
        if not len(found):
            continue
        repairs = (
            Repair(
                label=f"Remove {side} with more than {_percent(MOSTLY)} blank",
                steps=(planned("filter_missing", axis=side, share=MOSTLY),),
            ),
        )
        left = int((missing <= MOSTLY * length).sum())
        yield Finding(
            key=MOSTLY_BLANK.key,
            severity=Severity.WARNING,
            side=side,
            what=f"{counted(side, found)} with more than {_percent(MOSTLY)} of the values blank:"
            " a place on the map would rest on few numbers.",
            where=evidence.where(side, found),
            way_out="Remove these, unless the blanks mean something.",
            addresses=evidence.along(side, found),
            repairs=repairs if left else (),
            sure=len(found) <= MOST_REMOVED * evidence.length(side),
        )


def _look_for_empty(evidence: TableEvidence) -> Iterable[Finding]:
    if evidence.is_empty:
        return
    for side in SIDES:
        found = np.flatnonzero(evidence.present(side) == 0)
        if len(found):
            yield Finding(
                key=EMPTY.key,
                severity=Severity.ERROR,
                side=side,
                what=f"{counted(side, found)} without any value.",
                where=evidence.where(side, found),
                way_out="Remove them.",
                addresses=evidence.along(side, found),
                repairs=_removal(side, "empty", found.size < evidence.length(side)),
            )


def _look_for_constant(evidence: TableEvidence) -> Iterable[Finding]:
    if evidence.is_empty:
        return
    for side in SIDES:
        low, high = evidence.tally[side].low, evidence.tally[side].high
        # A single value among blanks is no constant; another check reports that it is mostly blank.
        found = np.flatnonzero((low == high) & (evidence.present(side) > 1))
        if not len(found) or evidence.length(other(side)) < ENOUGH:
            continue
        zero = int((low[found] == 0).sum())
        zeros = f" ({zero} of them 0 throughout)" if zero else ""
        yield Finding(
            key=CONSTANT.key,
            severity=Severity.WARNING,
            side=side,
            what=f"{counted(side, found)} with one and the same value everywhere{zeros}, which"
            " distinguishes nothing.",
            where=evidence.where(side, found),
            way_out="Remove them.",
            addresses=evidence.along(side, found),
            repairs=(drop(evidence, side, found),)
            if ((low == high) | np.isnan(low)).sum() > len(found)
            else _removal(side, "constant", len(found) < evidence.length(side)),
        )


def _removal(side: str, what: str, possible: bool) -> tuple[Repair, ...]:
    if not possible:
        return ()
    step = planned("drop_constant", axis=side, what=what)
    return (Repair(label=f"Remove {what} {side}", steps=(step,)),)


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else "all"


INFINITE = Check(
    key="infinite",
    name="Infinite values",
    about="Divisions by 0 and logarithms of 0: they make distances undefined.",
    phase=RepairPhase.READING,
    look=_look_for_infinite,
)
BLANKS = Check(
    key="blanks",
    name="Blank cells",
    about="Missing values. They may stay missing.",
    phase=RepairPhase.BLANKS,
    look=_look_for_blanks,
)
MOSTLY_BLANK = Check(
    key="mostly_blank",
    name="Mostly blank items or features",
    about="More than half of the values are missing.",
    phase=RepairPhase.FILTERS,
    look=_look_for_mostly_blank,
)
EMPTY = Check(
    key="empty",
    name="Empty items or features",
    about="No values: rows of titles or footers, columns that were never filled.",
    phase=RepairPhase.ROLES,
    look=_look_for_empty,
)
CONSTANT = Check(
    key="constant",
    name="Constant items or features",
    about="The same value everywhere, often 0: genes that were not seen in any sample.",
    phase=RepairPhase.FILTERS,
    look=_look_for_constant,
)
