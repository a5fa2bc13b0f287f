"""The table in a text with fixed structure, with the names and labels the user chose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ximstudio.load.account import note, spelt_guess
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.structured.lines import Lines, unquoted
from ximstudio.load.structured.rectangle_roles import (
    Rectangle,
    Roles,
    free_name,
    free_names,
    roles_of,
)
from ximstudio.load.text.block import Block, read_block
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import Axis, Table
from ximstudio.model.words import counted, plural

# The quote comes first and is looked behind, so that the search can jump between quotes.
SIMPLY_QUOTED = re.compile(rb'"(?<![^\t\n]")([^"\t\n]*)"(?=[\t\n]|\Z)')

NOTHING = b'\t "'


def read_rectangle(lines: Lines, rectangle: Rectangle, choices: Choices, report: Report) -> Reading:
    """Read the table in a rectangle, with the user's choices of names, labels and items."""
    rectangle = _with_names(lines, rectangle)
    roles = roles_of(lines, rectangle, choices)
    block = _block(lines, rectangle, roles, choices, report)
    roles = _with_unique_names(rectangle, roles, choices, block)
    items, item_notes = _items(lines, rectangle, roles, block)
    table = Table(
        values=block.values,
        items=items,
        features=_features(lines, rectangle, roles),
        source=lines.name,
    )
    return Reading(
        table=table.transposed if choices.items == "columns" else table,
        format=rectangle.format,
        guesses=(
            *lines.guesses,
            *rectangle.guesses,
            *_guesses(rectangle, roles, choices),
            *spelt_guess(block.spelt, choices),
        ),
        notes=(*rectangle.notes, *_empty_rows(lines, rectangle), *item_notes),
    )


def nothing_to_read(where: str) -> UserError:
    """Return the error for a table without rows or without columns of numbers."""
    return UserError(
        key="load.no_values",
        what="There are no values in the table.",
        where=where,
        way_out="Choose a file with at least one row and one column of numbers.",
    )


def _with_names(lines: Lines, rectangle: Rectangle) -> Rectangle:
    """Return the rectangle with a name for every column, stripped names, and its last line."""
    names, stripped_notes = _stripped(rectangle.header, f"{lines.name}, header")
    notes = [*rectangle.notes, *stripped_notes]
    # The corner above the names of the rows is often blank.
    blank = [str(number) for number, name in enumerate(names, 1) if not name and number > 1]
    if blank:
        unnamed = counted(len(blank), "column without a name is", "columns without a name are")
        where = f"{lines.name}, {plural(len(blank), 'column')} {some_of(blank)}"
        way_out = "Give them names in the file if they matter."
        notes.append(note("unnamed_columns", f"{unnamed} called by number.", where, way_out))
    header = tuple(name or f"column {number}" for number, name in enumerate(names, 1))
    last = min(rectangle.last, len(lines))
    return replace(rectangle, header=header, last=last, notes=tuple(notes))


def _stripped(old: Sequence[str], where: str) -> tuple[tuple[str, ...], list[Problem]]:
    """Return names without white space around them, and a note if there was any."""
    names = tuple(map(str.strip, old))
    changed = [repr(name) for name, before in zip(names, old, strict=True) if name != before]
    if not changed:
        return names, []
    what = f"White space around {counted(len(changed), 'name')} was removed."
    return names, [note("stripped_names", what, f"{where}: {some_of(changed)}")]


def _block(
    lines: Lines, rectangle: Rectangle, roles: Roles, choices: Choices, report: Report
) -> Block:
    """Parse the numbers and texts in the rectangle, without label rows."""
    width = len(rectangle.header)
    data = _tidied(lines, rectangle, roles)
    where = lines.where(max(min(rectangle.first, len(lines)), 1))
    if width == len(roles.texts) or not data.strip():
        raise nothing_to_read(where)
    block = read_block(
        data,
        first_line=rectangle.first,
        width=width,
        text_columns=sorted(roles.texts),
        blanks=rectangle.blanks if choices.missing is None else choices.missing,
        quotes=False,
        names=rectangle.header,
        name=lines.name,
        report=report,
    )
    if not len(block.values):
        raise nothing_to_read(where)
    if b'"' in data:
        texts = {number: tuple(map(unquoted, cells)) for number, cells in block.texts.items()}
        block = replace(block, texts=texts)
    return block


def _tidied(lines: Lines, rectangle: Rectangle, roles: Roles) -> bytes:
    """Return the rows on their lines in the file, without quotes around plain cells.

    Quotes are looked at cell by cell: in these formats one that stands alone is an inch or a
    prime, and must not swallow the lines that follow.
    """
    first, last = rectangle.first, rectangle.last
    if first > last:
        return b""
    region = lines.data[lines.begin(first) : int(lines.ends[last - 1])]
    if roles.label_lines:
        split = region.split(b"\n")
        for number in roles.label_lines:
            split[number - first] = b""
        region = b"\n".join(split)
    if b'"' in region:
        region = SIMPLY_QUOTED.sub(rb"\1", region)
    return b"\n" * (first - 1) + region


def _empty_rows(lines: Lines, rectangle: Rectangle) -> Iterator[Problem]:
    """Yield a note about rows of empty cells, which are not in the table."""
    first, last = rectangle.first, rectangle.last
    if first > last:
        return
    ends = lines.ends[first - 1 : last]
    starts = np.concatenate([[lines.begin(first)], ends[:-1] + 1])
    begins = np.frombuffer(lines.data, np.uint8)[np.minimum(starts, len(lines.data) - 1)]
    doubtful = np.flatnonzero(np.isin(begins, list(NOTHING)) & (ends > starts)) + first
    empty = [str(number) for number in doubtful.tolist() if not lines.raw(number).strip(NOTHING)]
    if empty:
        yield note(
            "empty_rows",
            f"{counted(len(empty), 'row')} of empty cells left out.",
            f"{lines.name}, {plural(len(empty), 'line')} {some_of(empty)}",
        )


def _with_unique_names(rectangle: Rectangle, roles: Roles, choices: Choices, block: Block) -> Roles:
    """Return the roles with numbered rows if the column that should name them repeats a name."""
    if roles.names is None or choices.id is not None or not rectangle.unique_only:
        return roles
    names = block.texts[roles.names]
    return roles if len(set(names)) == len(names) else replace(roles, names=None)


def _items(
    lines: Lines, rectangle: Rectangle, roles: Roles, block: Block
) -> tuple[Axis, list[Problem]]:
    notes: list[Problem] = []
    if roles.names is None:
        names = tuple(f"row {number}" for number in range(1, len(block.values) + 1))
    else:
        column = rectangle.header[roles.names]
        names, notes = _stripped(block.texts[roles.names], f"{lines.name}, column '{column}'")
        blank = [str(line) for line, name in zip(block.lines, names, strict=True) if not name]
        if blank:
            what = f"{counted(len(blank), 'row has', 'rows have')} no name."
            where = f"{lines.name}, {plural(len(blank), 'line')} {some_of(blank)}"
            way_out = "Fill in the names, or take them from another column."
            notes.append(note("blank_names", what, where, way_out, fields=("id",)))
    columns = _label_columns(rectangle, roles)
    called = free_names(rectangle.header[number] for number in columns)
    labels = {label: block.texts[number] for label, number in zip(called, columns, strict=True)}
    return Axis(names=names, labels=labels, numbers=block.lines, word="line"), notes


def _label_columns(rectangle: Rectangle, roles: Roles) -> list[int]:
    return sorted(roles.texts - rectangle.left_out - {roles.names})


def _features(lines: Lines, rectangle: Rectangle, roles: Roles) -> Axis:
    width = len(rectangle.header)
    columns = sorted({*range(width)} - roles.texts)
    names = tuple(rectangle.header[column] for column in columns)
    rows = dict(rectangle.feature_labels)
    for number, label in roles.label_lines.items():
        cells = lines.cells(number)
        rows[free_name(label, rows)] = (*cells, *[""] * (width - len(cells)))
    labels = {label: tuple(row[column] for column in columns) for label, row in rows.items()}
    if roles.features_by is not None:
        by = labels.pop(roles.features_by)
        labels = {free_name(rectangle.feature_word, labels): names, **labels}
        names = tuple(name.strip() for name in by)
    numbers = np.array(columns, dtype=np.int64) + 1
    return Axis(names=names, labels=labels, numbers=numbers, word="column")


def _guesses(rectangle: Rectangle, roles: Roles, choices: Choices) -> Iterator[Guess]:
    header = rectangle.header
    if choices.id is None:
        declined = roles.names is None and rectangle.names is not None
        reason = rectangle.reason
        if declined:
            column = header[rectangle.names or 0]
            reason = f"Names repeat in the column '{column}'; the rows are numbered."
        candidates = sorted(rectangle.texts - rectangle.left_out)
        yield Guess(
            key="id",
            label="Names in",
            value="" if roles.names is None else header[roles.names],
            shown="row numbers" if roles.names is None else header[roles.names],
            reason=reason,
            options={"": "row numbers"} | {header[number]: header[number] for number in candidates},
            sure=not declined,
        )
    labels = [header[column] for column in _label_columns(rectangle, roles)]
    if labels and choices.labels is None:
        yield Guess(
            key="labels",
            label="Labels",
            value=",".join(labels),
            reason="These columns describe the rows and hold no values.",
        )
    if choices.items == "rows":
        yield Guess(
            key="items",
            label="What is mapped",
            value="rows",
            reason="Rows are taken as they lie in the file.",
            options={"rows": "the rows", "columns": "the columns"},
        )
