"""Join the columns of a second file to a table as labels of its items or features, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import NamedTuple

from ximstudio.load.account import no_such, note
from ximstudio.load.annotation.file import Annotation, read_annotation
from ximstudio.load.annotation.matching import KINDS, Known, Matches
from ximstudio.load.reading import Guess
from ximstudio.model.matrix import some_of
from ximstudio.model.params import known
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import FEATURES, ITEMS, Table

ENOUGH = 0.5
"""Share of matched names above which the choice of the column is considered sure."""


@dataclass(frozen=True, kw_only=True)
class Joined:
    """A table with new labels, and an account of matched and unmatched names.

    Parameters
    ----------
    table
        The table with the labels.
    axis, on
        The side that was labelled, and the column of the second file that names it.
    labels
        Column of the second file → label of the table; they differ where the table had one of
        that name.
    found
        "exact", "white space", "case", "version", "punctuation" → names found in that way, and
        what the second file calls them.
    not_found
        Names of the table that the second file does not have.
    unused
        Names of the second file that the table does not have.
    unclear
        Names of the table that fit several rows, or a row that other names fit as well; their
        labels are blank where those rows differ.
    guesses, notes
        Guesses and notes about the join.
    """

    table: Table
    axis: str
    on: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    found: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    not_found: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    guesses: tuple[Guess, ...] = ()
    notes: tuple[Problem, ...] = ()


def join(
    table: Table,
    annotation: Annotation,
    axis: str | None = None,
    *,
    on: str | None = None,
    take: Sequence[str] | None = None,
) -> Joined:
    """Return the table with the annotation's columns as labels of its items or features.

    Parameters
    ----------
    axis
        "items" or "features"; where more names are found, if left open.
    on
        Column of the annotation that holds the names; the one that finds most, if left open.
    take
        Columns that become labels; all but `on`, if left open.
    """
    _check(annotation, axis, on, take)
    axis, on, guesses = _chosen(table, annotation, axis, on)
    column = annotation.names.index(on)
    names = table.axis(axis).names
    if take is None and not annotation.header_is_sure and on in names:
        # The supposed header is a row: its cell is a name in the table.
        annotation, guesses = annotation.headless, _without_header(annotation, on, guesses)
        on = annotation.names[column]
    keys = Known(annotation.columns[column])
    matched = keys.matches(names)
    taken = [name for name in annotation.names if name != on] if take is None else list(take)
    labels, notes = _labels(table, annotation, axis, taken, matched)
    renamed = dict(zip(taken, list(labels)[-len(taken) :], strict=True)) if taken else {}
    fitted = {*matched.found, *matched.unclear}
    used = {*matched.found.values(), *(n for many in matched.unclear.values() for n in many)}
    joined = Joined(
        table=table.with_axis(axis, table.axis(axis).with_labels(labels)),
        axis=axis,
        on=on,
        labels=renamed,
        found={
            kind: tuple(
                (names[number], keys.names[matched.found[number]])
                for number, how in matched.kinds.items()
                if how == kind
            )
            for kind in KINDS
        },
        not_found=tuple(name for number, name in enumerate(names) if number not in fitted),
        unused=tuple(name for number, name in enumerate(keys.names) if number not in used),
        unclear=tuple(names[number] for number in matched.unclear),
        guesses=(*(guess for guess in annotation.guesses if guess.key == "part"), *guesses),
    )
    return replace(joined, notes=(*annotation.notes, *notes, *_account(joined, annotation)))


def _check(
    annotation: Annotation, axis: str | None, on: str | None, take: Sequence[str] | None
) -> None:
    if axis is not None:
        known("side", axis, (ITEMS, FEATURES))
    for name in (*(() if on is None else (on,)), *(take or ())):
        if name not in annotation.names:
            what = f"There is no column '{name}'."
            raise no_such("column", name, annotation.names, what, annotation.source)


class _Candidate(NamedTuple):
    axis: str
    on: str
    found: int
    n_names: int

    @property
    def share(self) -> float:
        return self.found / max(self.n_names, 1)


def _chosen(
    table: Table, annotation: Annotation, axis: str | None, on: str | None
) -> tuple[str, str, tuple[Guess, ...]]:
    """Choose the side and the column with the largest overlap, with the evidence."""
    looked_up = {
        name: Known(column)
        for name, column in zip(annotation.names, annotation.columns, strict=True)
        if on is None or name == on
    }
    candidates = [
        _Candidate(side, name, index.overlap(table.axis(side).names), len(table.axis(side)))
        for side in ((ITEMS, FEATURES) if axis is None else (axis,))
        for name, index in looked_up.items()
    ]
    candidates.sort(key=lambda candidate: candidate.share, reverse=True)
    best = candidates[0]
    if not best.found:
        raise _no_overlap(table, annotation, axis, on)
    second = candidates[1].share if len(candidates) > 1 else 0.0
    sure = best.share >= ENOUGH and second < 0.8 * best.share
    others = next((one for one in candidates[1:] if one.found), None)
    reason = f"Its cells name {best.found} of the {best.n_names} {best.axis};" + (
        f" the next best, '{others.on}', names {others.found} of the"
        f" {others.n_names} {others.axis}."
        if others
        else " no other column names any."
    )
    columns = {name: name for name in annotation.names}
    sides = {side: f"the {side} of the table" for side in (ITEMS, FEATURES)}
    column_guess = Guess(
        key="on", label="Names in", value=best.on, reason=reason, options=columns, sure=sure
    )
    side_guess = Guess(
        key="axis",
        label="Labels for",
        value=best.axis,
        shown=sides[best.axis],
        reason=reason,
        options=sides,
        sure=sure,
    )
    guesses = ((on, column_guess), (axis, side_guess))
    return best.axis, best.on, tuple(guess for chosen, guess in guesses if chosen is None)


def _without_header(
    annotation: Annotation, on: str, guesses: tuple[Guess, ...]
) -> tuple[Guess, ...]:
    """Return the guesses for a file whose first row is no header."""
    names = annotation.headless.names
    header_guess = Guess(
        key="header_rows",
        label="Header rows",
        value="0",
        reason=f"The first cell, '{on}', is a name of the table itself.",
        options={"0": "none", "1": "one"},
        sure=False,
    )
    column = annotation.names.index(on)
    moved = (
        replace(guess, value=names[column], options={name: name for name in names})
        if guess.key == "on"
        else guess
        for guess in guesses
    )
    return (*moved, header_guess)


def _labels(
    table: Table, annotation: Annotation, axis: str, taken: Sequence[str], matched: Matches
) -> tuple[dict[str, tuple[str, ...]], list[Problem]]:
    side = table.axis(axis)
    labels = dict(side.labels)
    notes = []
    for name in taken:
        column = annotation.columns[annotation.names.index(name)]
        texts = [""] * len(side)
        for number, place in matched.found.items():
            texts[number] = column[place]
        for number, places in matched.unclear.items():
            # A single candidate is unclear if other names match the same row.
            said = {column[place] for place in places} if len(places) > 1 else set()
            if len(said) == 1:
                texts[number] = said.pop()
        others = (f"{name} ({number})" for number in count(2))
        label = next(each for each in chain([name], others) if each not in labels)
        if label != name:
            what = f"The table has a label '{name}' already; the new one is called '{label}'."
            way_out = "Rename the column in the file if you want another name."
            where = f"{annotation.source}, column '{name}'"
            notes.append(note("label_renamed", what, where, way_out))
        labels[label] = tuple(texts)
    return labels, notes


def _account(joined: Joined, annotation: Annotation) -> Iterator[Problem]:
    """Yield notes about everything in a join that was not an exact match."""
    for kind, pairs in joined.found.items():
        if kind != "exact" and pairs:
            yield note(
                "loose_match",
                f"{len(pairs)} {joined.axis} match only if you ignore {kind}.",
                f"{annotation.source}: " + some_of([f"'{name}' as '{key}'" for name, key in pairs]),
                "Correct the spelling in one of the files if it is wrong.",
            )
    several = "fit several rows or share one; what differs is blank"
    absent = "are not in the second file; their labels are blank"
    unused = "rows of the second file describe nothing in the table"
    correct = "Correct the names in one of the files, or leave it so."
    leave = "Nothing needs to be done if the table is a part of a larger one."
    for key, names, what, way_out in (
        ("unclear_match", joined.unclear, f"{joined.axis} {several}", correct),
        ("not_annotated", joined.not_found, f"{joined.axis} {absent}", correct),
        ("unused_rows", joined.unused, unused, leave),
    ):
        if names:
            where = f"{annotation.source}: {some_of([repr(name) for name in names])}"
            yield note(key, f"{len(names)} {what}.", where, way_out)


def _no_overlap(
    table: Table, annotation: Annotation, axis: str | None, on: str | None
) -> UserError:
    column = annotation.columns[annotation.names.index(on) if on else 0]
    called = "; ".join(
        f"the table's {side} are called {some_of([repr(n) for n in table.axis(side).names[:3]])}"
        for side in ([ITEMS, FEATURES] if axis is None else [axis])
    )
    return UserError(
        key="load.no_overlap",
        what="The second file names nothing that is in the table.",
        where=f"{annotation.source}: {on or annotation.names[0]!r} begins with"
        f" {some_of([repr(n) for n in column[:3]])}; {called}",
        way_out="Check that both use the same kind of names, or choose another column.",
    )


__all__ = ["Annotation", "Joined", "join", "read_annotation"]
