"""Removal of items or features from a table, with a report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ximstudio.model.arrays import Bools, Ints
from ximstudio.model.matrix import SHOWN, some_of
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.table import ITEMS, Table
from ximstudio.model.words import counted, grouped, plural
from ximstudio.prepare import summaries
from ximstudio.prepare.step import StepResult


def note(key: str, what: str, where: str, way_out: str = "Nothing has to be done.") -> Problem:
    """Return a note: worth knowing, but no obstacle."""
    return Problem(
        key=f"prepare.{key}", what=what, where=where, way_out=way_out, severity=Severity.WARNING
    )


def called(table: Table, side: str) -> str:
    """Return the word for the items, or features, of a table: "genes", or "items" if unknown."""
    kind = table.axis(side).kind
    return plural(2, kind) if kind else side


def one_of(side: str) -> str:
    """Return the word for one of a side: "item"."""
    return side.removesuffix("s")


def counted_on(side: str, n: int, does: str = "", do: str = "") -> str:
    """Return a count of a side and, if given, its verb: "1 item has", "3 items have"."""
    return counted(n, f"{one_of(side)} {does}".rstrip(), f"{side} {do or does}".rstrip())


def counted_in(table: Table, side: str, n: int, does: str = "", do: str = "") -> str:
    """Return a count of a side in the table's own word: "3 genes have"."""
    one = table.axis(side).kind or one_of(side)
    return counted(n, f"{one} {does}".rstrip(), f"{called(table, side)} {do or does}".rstrip())


def some_on(table: Table, side: str, numbers: Sequence[int] | Ints) -> str:
    """Return the addresses of the first of these items or features."""
    axis = table.axis(side)
    shown = [axis.address(int(number)) for number in numbers[:SHOWN]]
    return some_of(shown, total=len(numbers))


def unlearnt(table: Table, side: str, numbers: Ints) -> tuple[Problem, ...]:
    """Return a note if these had no value in the first data, and have one now."""
    if not len(numbers):
        return ()
    known = numbers[summaries.counts(table, side)[numbers] > 0]
    if not len(known):
        return ()
    return (
        note(
            "unlearnt",
            f"{counted_in(table, side, len(known), 'had')}"
            " no value in the data that the recipe began"
            " with, and stayed unchanged.",
            f"{called(table, side)} {some_on(table, side, known)}",
            "Drop them, or prepare all data together.",
        ),
    )


def keeping(
    table: Table, side: str, kept: Bools, why: str, *, notes: Sequence[Problem] = ()
) -> StepResult:
    """Remove the items or features that are not kept; `why` describes them."""
    if len(kept) != len(table.axis(side)):
        raise ValueError(f"{len(kept)} decisions about {len(table.axis(side))} {side}")
    gone = np.flatnonzero(~kept)
    if not len(gone):
        return StepResult(table=table, notes=tuple(notes))
    names = tuple(table.axis(side).names[number] for number in gone)
    word = called(table, side)
    removed = note(
        "removed",
        f"{grouped(len(gone))} of {counted_on(word, len(kept))} {plural(len(gone), 'was', 'were')}"
        f" removed: {why}.",
        f"{word} {some_on(table, side, gone)}",
        "If they are needed, loosen the step or take it out.",
    )
    return StepResult(
        table=table.take(side, np.flatnonzero(kept)),
        notes=(*notes, removed),
        removed_items=names if side == ITEMS else (),
        removed_features=() if side == ITEMS else names,
    )
