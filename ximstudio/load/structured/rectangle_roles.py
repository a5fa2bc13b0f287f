"""Roles of columns and rows in a text with fixed structure, with the user's choices."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ximstudio.load.account import no_such
from ximstudio.load.reading import Choices, Guess
from ximstudio.load.structured.lines import Lines
from ximstudio.load.text.block import BLANKS
from ximstudio.load.text.roles import Columns, separated
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, UserError


@dataclass(frozen=True, kw_only=True)
class Rectangle:
    """Position of the numbers in a text, and the meaning of the columns and rows around them.

    Parameters
    ----------
    format
        Key of the format.
    header
        Names of all columns, as the file spells them.
    texts
        Columns that hold texts; all others hold numbers.
    names
        Column that names the rows; None to number them.
    reason
        Why that one.
    unique_only
        Whether that column may name the rows only if no name repeats.
    first, last
        Lines between which the rows are, both included; to the end of the file by default.
    feature_labels
        Rows of texts above the numbers: label → one text per column, of all columns.
    feature_word
        The label that keeps the features' names when the user names them by another label.
    blanks
        Spellings of a missing value.
    left_out
        Columns of texts that are not to be in the table.
    """

    format: str
    header: tuple[str, ...]
    texts: frozenset[int]
    names: int | None
    reason: str
    first: int
    last: int = sys.maxsize
    unique_only: bool = False
    feature_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    feature_word: str = "name"
    blanks: tuple[str, ...] = BLANKS
    left_out: frozenset[int] = frozenset()
    guesses: tuple[Guess, ...] = ()
    notes: tuple[Problem, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The role of each column and row, after the user's choices."""

    texts: frozenset[int]
    names: int | None
    features_by: str | None
    label_lines: Mapping[int, str]


def roles_of(lines: Lines, rectangle: Rectangle, choices: Choices) -> Roles:
    """Return the roles of columns and rows; refuse choices of names that do not exist."""
    names, features_by = _names(lines, rectangle, choices)
    texts = {*rectangle.texts, *(() if names is None else (names,))}
    label_lines: dict[int, str] = {}
    columns = Columns(names=rectangle.header, numeric=frozenset())
    where = f"{lines.name}, header"
    known = [*rectangle.header, *rectangle.feature_labels]
    for label in separated(choices.labels or (), known):
        column = columns.find(label, key="load.ambiguous_label", where=where)
        rows = _rows_named(lines, rectangle, choices, names, label)
        if column is not None:
            texts.add(column)
        elif rows:
            label_lines[rows[0]] = label
        elif label not in rectangle.feature_labels:
            raise no_such("label", label, known, f"There is no column '{label}'.", where)
    return Roles(
        texts=frozenset(texts), names=names, features_by=features_by, label_lines=label_lines
    )


def free_names(names: Iterable[str], *, taken: Iterable[str] = ()) -> list[str]:
    """Return the names, with a number appended to those that are taken or repeated."""
    used, free_ones = set(taken), []
    following: dict[str, int] = {}
    for name in names:
        free, number = name, following.get(name, 2)
        while free in used:
            free, number = f"{name} ({number})", number + 1
        following[name] = number
        used.add(free)
        free_ones.append(free)
    return free_ones


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number appended if it is taken."""
    return free_names([name], taken=taken)[0]


def _names(lines: Lines, rectangle: Rectangle, choices: Choices) -> tuple[int | None, str | None]:
    """Return the column that names the rows, and the label that names the features."""
    chosen = choices.id
    if chosen is None:
        return rectangle.names, None
    if chosen == "":
        return None, None
    where = f"{lines.name}, header"
    columns = Columns(names=rectangle.header, numeric=frozenset())
    column = columns.find(chosen, key="load.ambiguous_id", where=where)
    if column is not None and column not in rectangle.left_out:
        return column, None
    if chosen in rectangle.feature_labels:
        return rectangle.names, chosen
    known = [*rectangle.header, *rectangle.feature_labels]
    raise no_such("id", chosen, known, f"There is no column '{chosen}' to name the rows.", where)


def _rows_named(
    lines: Lines, rectangle: Rectangle, choices: Choices, names: int | None, label: str
) -> list[int]:
    """Return the lines of that name: labels of the columns, if those are the items."""
    if choices.items != "columns" or names is None or label in rectangle.header:
        return []
    found = [
        number
        for number in lines.filled(rectangle.first, rectangle.last)
        if "".join(lines.cells(number)[names : names + 1]).strip() == label
    ]
    if len(found) > 1:
        raise UserError(
            key="load.ambiguous_label",
            what=f"{len(found)} rows are called '{label}'.",
            where=f"{lines.name}, lines {some_of([str(number) for number in found])}",
            way_out="Give the row of labels a name of its own.",
        )
    return found
