"""Orange's .tab files, whose header declares columns as numbers, classes or metas.

Both headers are read: three lines (names, types, flags), and one line with prefixes ("mS#gene").
Not supported are the old header of two lines, baskets, and cells with tabs or newlines in them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile, islice

from ximstudio.load.account import note
from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.source import HEAD, Source
from ximstudio.load.structured.lines import (
    Lines,
    cells_of,
    ends_too_early,
    head_lines,
    lines_of,
    piece_of,
)
from ximstudio.load.structured.rectangle import read_rectangle
from ximstudio.load.structured.rectangle_roles import Rectangle
from ximstudio.load.text.block import BLANKS
from ximstudio.load.text.notation import Notation
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.words import counted

KEY = "orange"

CONTINUOUS, DISCRETE, STRING, TIME, UNKNOWN = "continuous", "discrete", "string", "time", ""

TYPES = {
    **dict.fromkeys(("continuous", "c", "numeric", "n"), CONTINUOUS),
    **dict.fromkeys(("discrete", "d", "categorical"), DISCRETE),
    **dict.fromkeys(("string", "s", "text"), STRING),
    **dict.fromkeys(("time", "t"), TIME),
    "": UNKNOWN,
}

FLAGS = {"c": "class", "i": "ignore", "m": "meta", "w": "weight"}

ROLES = {**FLAGS, **{word: word for word in FLAGS.values()}, "multiclass": "class"}

FLAG_WORDS = frozenset({*ROLES, "x", "attribute"})

PREFIX = re.compile(r"([cimw]*)([CDSTN]?)#(.*)", re.DOTALL)

UNESCAPED_SPACE = re.compile(r"(?<!\\) ")

MISSING = (*BLANKS, "~")
"""Spellings of a missing value: the usual ones, among them Orange's "?" and ".", and "~"."""

MOST_LOOKED_AT = 1_000_000
"""Maximum number of cells from which types of columns are guessed."""

NAMES = re.compile(
    r"(gene|probe|sample|cell|orf|yorf|symbol|name|id|ids|names|genes|identifier)"
    r"([ _.-]?(id|ids|name|names|symbol|set))?",
    re.IGNORECASE,
)
"""Names of columns that may name the rows."""

MOST_KEYS = 100
"""Maximum number of column attributes that become labels."""

MANY = 20
"""Number of types that identify a header even if the head of the file ends in it."""

LOOKED_AT = 200
"""Rows from which the type of an undeclared column is guessed."""


@dataclass(frozen=True, kw_only=True)
class OrangeColumn:
    """One column as the header describes it."""

    name: str
    type: str
    flags: frozenset[str] = frozenset()
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def is_feature(self) -> bool:
        return self.type == CONTINUOUS and not self.flags


def recognises(source: Source) -> bool:
    """Return whether the second line holds types and the third flags, or the first has prefixes."""
    lines = list(dropwhile(lambda line: not line.strip(), head_lines(source)))
    cells = [cells_of(line) for line in lines[:4]]
    if len(source.head) >= HEAD and 1 <= len(lines) <= 3:
        # The head of a wide table may end within its header.
        cells[-1] = cells[-1][:-1]
        enough = len(lines) == 3 or len(cells[-1]) >= MANY
        cells += [[] for _ in range(3 - len(lines))]
        return enough and (_has_three_lines(cells) or _has_prefixes(cells))
    return len(cells) > 1 and (_has_three_lines(cells) or _has_prefixes(cells))


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table: continuous columns are features, all others labels of the items."""
    lines = lines_of(source, choices, report, part=0.4)
    filled = list(islice(_from_header(lines), LOOKED_AT + 3))
    heads = [lines.cells(number) for number in filled[:4]]
    three = _has_three_lines(heads)
    if not three and not _has_prefixes(heads):
        raise UserError(
            key="load.not_orange",
            what="Neither types of columns in the second line nor prefixes such as 'mS#' in the"
            " first are there.",
            where=lines.where(filled[0] if filled else 1),
            way_out="Leave the format open, so that it is found by content.",
        )
    columns = _columns_of_three(heads) if three else [_prefixed(cell) for cell in heads[0]]
    first = filled[2] + 1 if three else filled[0] + 1
    body = filled[3:] if three else filled[1:]
    if not body:
        raise ends_too_early(lines.where(len(lines)), "it has no rows.")
    columns, guesses = _typed(lines, columns, body)
    rectangle = _rectangle(lines, columns, first=first, guesses=guesses)
    return read_rectangle(lines, rectangle, choices, piece_of(report, 0.4, 1.0))


def _from_header(lines: Lines) -> Iterator[int]:
    """Yield lines from the header on; its second and third line count even if blank."""
    first = next(lines.filled(1), None)
    if first is not None:
        yield from range(first, min(first + 3, len(lines) + 1))
        yield from lines.filled(first + 3)


def _has_three_lines(lines: Sequence[Sequence[str]]) -> bool:
    if len(lines) < 3:
        return False
    names, types, flags = lines[:3]
    # A cell with several words is the list of a column's values.
    given = [cell.strip().lower() for cell in types if len(cell.split()) == 1]
    return (
        0 < len(types) <= len(names)
        and len(flags) <= len(names)
        and bool(given)
        and all(cell in TYPES for cell in given)
        and all(
            word in FLAG_WORDS or word.find("=") > 0 or word.startswith("-dc")
            for cell in flags
            for word in _words(cell)
        )
    )


def _words(cell: str) -> list[str]:
    return [word.replace("\\ ", " ") for word in UNESCAPED_SPACE.split(cell.strip()) if word]


def _has_prefixes(lines: Sequence[Sequence[str]]) -> bool:
    """Return whether cells of the first line begin with types; "S#1" is sample 1, not a type."""
    if not lines:
        return False
    found = [match for cell in lines[0] if (match := PREFIX.fullmatch(cell.strip()))]
    telling = [match for match in found if match[1] or match[2]]
    return bool(telling) and not all(match[3].strip().isdigit() for match in telling)


def _prefixed(cell: str) -> OrangeColumn:
    match = PREFIX.fullmatch(cell.strip())
    if match is None or not (match[1] or match[2]):
        return OrangeColumn(name=cell, type=UNKNOWN)
    return OrangeColumn(
        name=match[3],
        type=TYPES[match[2].lower()],
        flags=frozenset(FLAGS[letter] for letter in match[1]),
    )


def _columns_of_three(heads: Sequence[Sequence[str]]) -> list[OrangeColumn]:
    names, types, flags = heads[:3]
    columns = []
    for place, name in enumerate(names):
        kind = types[place].strip() if place < len(types) else ""
        words = _words(flags[place]) if place < len(flags) else []
        pairs = [word.partition("=") for word in words if word.find("=") > 0]
        columns.append(
            OrangeColumn(
                name=name,
                type=TYPES.get(kind.lower(), DISCRETE),
                flags=frozenset(ROLES[word] for word in words if word in ROLES),
                attributes={key: text for key, _, text in pairs},
            )
        )
    return columns


def _typed(
    lines: Lines, columns: list[OrangeColumn], body: list[int]
) -> tuple[list[OrangeColumn], list[Guess]]:
    """Return the columns with a type each; guess missing types from the first cells."""
    open_places = [
        place
        for place, column in enumerate(columns)
        if column.type == UNKNOWN and "ignore" not in column.flags
    ]
    if not open_places:
        return columns, []
    notation = Notation.of(blanks=MISSING)
    few = max(MOST_LOOKED_AT // len(open_places), 3)
    rows = [lines.cells(number) for number in body[:few]]
    guesses = []
    typed = list(columns)
    for place in open_places:
        cells = [row[place] for row in rows if len(row) > place and row[place].strip()]
        texts = sum(notation.value(cell) is None for cell in cells)
        kind = STRING if not cells or 2 * texts > len(cells) else CONTINUOUS
        typed[place] = replace(columns[place], type=kind)
        guesses.append(columns[place].name.strip() or f"column {place + 1}")
    types_guess = Guess(
        key="types",
        label="Types of columns",
        value=",".join(guesses),
        reason=f"The header gives no type for {some_of(guesses)}: numbers or texts by what the"
        f" first {len(rows)} rows hold.",
        sure=False,
    )
    return typed, [types_guess]


def _rectangle(
    lines: Lines, columns: list[OrangeColumn], *, first: int, guesses: list[Guess]
) -> Rectangle:
    ignored = frozenset(place for place, column in enumerate(columns) if "ignore" in column.flags)
    texts = ignored | {place for place, column in enumerate(columns) if not column.is_feature}
    if len(texts) == len(columns):
        raise UserError(
            key="load.no_values",
            what="No column is a continuous attribute, so there are no values.",
            where=lines.where(max(first - 1, 1)),
            way_out="Change the types of columns, or read the file as text.",
            fields=("format",),
            form=SettingsForm.READING,
        )
    strings = (
        place
        for place, column in enumerate(columns)
        if column.type == STRING and place not in ignored and NAMES.fullmatch(column.name.strip())
    )
    names = next(strings, None)
    counts = Counter(key for column in columns if column.is_feature for key in column.attributes)
    keys = [key for key, _ in counts.most_common()]
    return Rectangle(
        format=KEY,
        header=tuple(column.name for column in columns),
        texts=texts,
        names=names,
        reason="No column of strings is called gene, name, id or the like."
        if names is None
        else f"The column of strings '{columns[names].name.strip()}' is called as names are.",
        unique_only=True,
        first=first,
        feature_labels=_attributes(columns, keys),
        blanks=MISSING,
        left_out=ignored,
        guesses=(*guesses, *_label_guesses(columns)),
        notes=tuple(_notes(lines, columns, keys)),
    )


def _attributes(columns: list[OrangeColumn], keys: list[str]) -> dict[str, tuple[str, ...]]:
    """Return attributes of the columns ("key=value") as labels of the features.

    `keys` are theirs, the most frequent first.
    """
    labels = {key: [""] * len(columns) for key in keys[:MOST_KEYS]}
    for place, column in enumerate(columns):
        for key in column.attributes.keys() & labels.keys():
            labels[key][place] = column.attributes[key]
    return {key: tuple(texts) for key, texts in labels.items()}


def _label_guesses(columns: list[OrangeColumn]) -> Iterator[Guess]:
    discrete = [one.name.strip() for one in columns if one.type == DISCRETE and not one.flags]
    if discrete:
        yield Guess(
            key="discrete",
            label="Discrete columns",
            value=",".join(discrete),
            reason=f"Discrete attributes are no numbers, so they are labels: {some_of(discrete)}.",
        )


def _notes(lines: Lines, columns: list[OrangeColumn], keys: list[str]) -> Iterator[Problem]:
    ignored = [repr(column.name.strip()) for column in columns if "ignore" in column.flags]
    if ignored:
        yield note(
            "ignored_columns",
            f"{counted(len(ignored), 'column is', 'columns are')} marked to be ignored.",
            f"{lines.name}: {some_of(ignored)}",
            "Remove the mark in the file if they are wanted.",
        )
    weights = [repr(column.name.strip()) for column in columns if "weight" in column.flags]
    if weights:
        yield note(
            "weights_unused",
            "Weights of rows are kept as a label and not used.",
            f"{lines.name}: {some_of(weights)}",
        )
    lost = [repr(one.name.strip()) for one in columns if one.attributes and not one.is_feature]
    lost += [f"{key}=" for key in keys[MOST_KEYS:]]
    if lost:
        yield note(
            "unused_attributes",
            f"{counted(len(lost), 'attribute')} (or columns without values that have some) not"
            " taken as labels.",
            f"{lines.name}: {some_of(lost)}",
        )


FORMAT = Format(
    key=KEY,
    name="Orange tab-delimited",
    suffixes=(".tab", ".tab.gz"),
    recognises=recognises,
    read=read,
)
