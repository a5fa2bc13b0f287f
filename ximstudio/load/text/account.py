"""Report how a table was read: guesses, and notes on everything that is not in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from ximstudio.load.account import CHOSEN, items_guess, listed, note, scale_guess
from ximstudio.load.names import looks_like_genes, looks_like_samples
from ximstudio.load.reading import Choices, Guess, slices
from ximstudio.load.text.dialect import Found
from ximstudio.load.text.notation import ERRORS, call_missing
from ximstudio.load.text.roles import describes
from ximstudio.load.text.row_notes import places, row_notes, uneven_guess
from ximstudio.load.text.rows import Rows
from ximstudio.load.text.understood import Understood
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem
from ximstudio.model.spec import Choice
from ximstudio.model.table import Table
from ximstudio.model.words import counted, grouped, plural

MOST_OPTIONS = 60
FEW_OPTIONS = 5
"""Number of text columns, and of numeric ones, that are offered to name the rows."""

MOST_JUDGED = 20_000
"""Maximum number of a label's texts that are checked for being numbers with units or marks."""

COMMON = frozenset({"NA", "N/A", "NaN", "nan", "NULL", "null", "n/a", "na", "#N/A", "None", ""})
"""Spellings that always mean a missing value."""

MARKED_NUMBER = re.compile(
    r"(?:=\")?\s*[<>≤≥~±$€£]?\s*[-+]?\d[\d.,]*\s*[°‰*]?\s*[A-Za-zµ/]{0,4}\s*\"?"
)
"""A number with a unit or mark: "5 °C", "<0.01", "12 ng"."""

YES = {"": "none", ".": "point", ",": "comma", " ": "space", "'": "apostrophe"}


def guesses_of(found: Understood, table: Table, choices: Choices) -> Iterator[Guess]:
    """Yield the guesses about rows that are split into cells."""
    layout = found.layout
    yield found_guess("comment", "Comment mark", layout.found["comment"])
    yield found_guess("skip", "Lines before the table", layout.found["skip"])
    if choices.end is not None:
        chosen_end = Found(str(choices.end), CHOSEN)
        yield found_guess("end", "Last line of the table", chosen_end)
    header = layout.found["header_rows"]
    if found.headings.reason:
        header = Found(header.value, f"{header.reason} {found.headings.reason}", sure=header.sure)
    yield found_guess("header_rows", "Header rows", header)
    yield from uneven_guess(found, choices, table.items.word)
    for key, label, mark, chosen in (
        ("decimal", "Decimal mark", layout.marks.decimal, choices.decimal),
        ("thousands", "Thousands mark", layout.marks.thousands, choices.thousands),
    ):
        known = mark if chosen is None else Found(chosen, CHOSEN)
        options = {value: YES[value] for value in ((".", ",") if key == "decimal" else YES)}
        yield found_guess(key, label, known, shown=YES.get(known.value), options=options)
    yield _missing(found, table, choices)
    if found.block.limits or choices.censored is not None:
        yield _censored(found, choices)
    yield _id(found)
    yield _labels(found, choices)
    yield _items(table, choices)
    yield scale_guess(table)


def found_guess(
    key: str,
    label: str,
    found: Found,
    shown: str | None = None,
    *,
    options: Mapping[str, str] | None = None,
) -> Guess:
    """Return the guess about what was found, by default shown as its value."""
    shown = found.value or "none" if shown is None else shown
    return Guess(key, label, found.value, found.reason, shown, options, found.sure)


def _missing(found: Understood, table: Table, choices: Choices) -> Guess:
    spelt = found.block.spelt
    empty = table.n_missing - sum(spelt.values()) - sum(found.block.limits.values())
    parts = [
        f"{counted(count, 'cell of numbers holds', 'cells of numbers hold')} {text!r}"
        for text, count in spelt.items()
    ]
    if empty > 0:
        parts.append(f"{grouped(empty)} {plural(empty, 'is', 'are')} empty")
    found_out = f"{some_of(parts) or 'No cell of the numbers is missing'}."
    shown = ", ".join(map(repr, spelt)) or "the empty cell"
    if choices.missing is not None:
        return Guess("missing", "Missing values", listed(choices.missing), CHOSEN, shown)
    sure = COMMON.issuperset(spelt)
    return Guess("missing", "Missing values", listed(spelt), found_out, shown, sure=sure)


def _censored(found: Understood, choices: Choices) -> Guess:
    limits = found.block.limits
    spec = Choices.specs()["censored"]
    assert isinstance(spec, Choice)
    value, sure = choices.censored or "missing", choices.censored is not None
    reason = CHOSEN
    if not sure:
        cells = counted(sum(limits.values()), "cell holds", "cells hold")
        reason = f"{cells} a limit instead of a value: {some_of([*map(repr, limits)])}."
    shown = spec.options[value]
    return Guess("censored", "Limits instead of values", value, reason, shown, spec.options, sure)


def _id(found: Understood) -> Guess:
    columns = found.columns
    texts = [*found.labels] if found.id is None else [found.id, *found.labels]
    others = set(range(len(columns.names))) - set(texts)
    first = sorted(others)[:FEW_OPTIONS]
    offered = sorted({*texts[:MOST_OPTIONS], *first})
    options = {"": "none: number the rows"} | {
        columns.called(column): f"column {columns.place(column)}: {columns.called(column)}"
        for column in offered
    }
    return found_guess(
        "id", "Names in", found.id_found, shown=found.id_found.value or "none", options=options
    )


def _labels(found: Understood, choices: Choices) -> Guess:
    names = [found.columns.called(column) for column in found.labels]
    texts = [column for column in found.labels if column not in found.columns.numeric]
    parts = []
    if choices.labels is not None:
        parts.append("You chose " + (", ".join(choices.labels) or "none"))
    if texts:
        parts.append(f"{counted(len(texts), 'column holds', 'columns hold')} texts")
    if found.coded:
        coded = ", ".join(f"'{found.columns.called(column)}'" for column in found.coded)
        parts.append(
            f"{coded} by name {plural(len(found.coded), 'holds', 'hold')} codes, ids or places,"
            " not values"
        )
    if found.mixed:
        mixed = ", ".join(f"'{found.columns.called(column)}'" for column in found.mixed)
        parts.append(f"{mixed} {plural(len(found.mixed), 'holds', 'hold')} numbers as well")
    reason = "; ".join(parts) or "All columns but the names hold numbers"
    sure, shown = not found.coded and not found.mixed, ", ".join(names) or "none"
    return Guess("labels", "Labels", listed(names), f"{reason}.", shown, sure=sure)


def _items(table: Table, choices: Choices) -> Guess:
    """Return the guess that rows are items; the reason says which side looks like genes."""
    rows, columns = table.items.names, table.features.names
    (row_share, row_kind), (column_share, column_kind) = map(looks_like_genes, (rows, columns))
    size = f"{len(rows)} rows and {len(columns)} columns"
    doubtful = column_share >= 0.5 > row_share
    if doubtful:
        reason = f"The names of the columns look like {column_kind} ({column_share:.0%}); {size}."
    elif row_share >= 0.5:
        reason = f"The names of the rows look like {row_kind} ({row_share:.0%}); {size}."
    else:
        side = "columns" if looks_like_samples(columns) >= looks_like_samples(rows) else "rows"
        reason = f"Neither side looks like genes, the {side} rather like samples; {size}."
        doubtful = side == "rows" and len(columns) > 4 * len(rows)
    return items_guess(choices, reason, sure=not doubtful)


def notes_of(found: Understood, rows: Rows, *, name: str, word: str) -> Iterator[Problem]:
    """Yield notes on everything in the rows that is not in the table, or was changed."""
    layout = found.layout
    for key, what, place, numbers in (
        ("comments", "comment line", "", layout.comments),
        ("preamble", word, " above the table", layout.preamble),
        ("footer", word, " below the table", layout.footer),
        ("remarks", word, " of text between the rows", layout.remarks),
    ):
        if len(numbers):
            yield note(
                key,
                f"{counted(len(numbers), what)}{place} left out.",
                f"{name}, {plural(len(numbers), word)} "
                + some_of([_quoted(rows, row) for row in numbers[:5]], total=len(numbers)),
                "If they belong to the table, set the number of lines before it, or correct the"
                " file.",
                fields=("skip",),
            )
    if rows.n_blank:
        yield note(
            "empty_rows",
            f"{counted(rows.n_blank, 'empty row')} left out.",
            f"{name}, {places(rows.blank, word, rows.n_blank)}",
        )
    yield from row_notes(found, rows, name=name, word=word)
    yield from _column_notes(found, name, word)
    yield from _cell_notes(found, name, word)


def _column_notes(found: Understood, name: str, word: str) -> Iterator[Problem]:
    columns = found.columns
    kept = set(found.features)
    left_out = [column for column in found.block.columns if column not in kept]
    if left_out:
        yield note(
            "empty_columns",
            f"{counted(len(left_out), 'column')} without a name and without a value left out.",
            f"{name}, {places([columns.place(column) for column in left_out], 'column')}",
        )
    if not found.layout.header:
        yield note(
            "no_header",
            "There is no header: columns are called by their numbers.",
            f"{name}, {word} {found.block.lines[0]}",
            "If the first row names the columns, set the number of header rows to 1.",
            fields=("header_rows",),
            hint={"header_rows": 1},
        )
    else:
        unnamed = [
            column for column in (*found.features, *found.labels) if not columns.names[column]
        ]
        if unnamed:
            yield note(
                "unnamed_columns",
                f"{counted(len(unnamed), 'column without a name is', 'columns without a name are')}"
                " called by number.",
                f"{name}, {places([columns.place(column) for column in unnamed], 'column')}",
                "Give them names in the file if they matter.",
            )
    for column in found.labels:
        is_numeric = column in columns.numeric
        if is_numeric or describes(columns.names[column]) or found.picked is not None:
            continue
        cells = found.block.texts[column]
        texts = [text for text in cells[:: max(1, len(cells) // MOST_JUDGED)] if text.strip()]
        marked = [text for text in texts if MARKED_NUMBER.fullmatch(text)]
        if marked and 2 * len(marked) > len(texts):
            yield note(
                "numbers_as_texts",
                f"The column '{columns.called(column)}' became a label, though most of its cells"
                f" are numbers with a unit or mark, as {marked[0]!r}.",
                f"{name}, column '{columns.called(column)}'",
                "If they are values, write plain numbers, or choose the decimal mark.",
                fields=("decimal",),
            )
    for column, mixed in found.mixed.items():
        yield note(
            "numbers_among_texts",
            f"The column '{columns.called(column)}' became a label, though {mixed.numbers} of its"
            f" cells are numbers; {mixed.count} are {mixed.text!r}.",
            f"{name}, column '{columns.called(column)}'",
            call_missing([mixed.text], found.block.spelt),
            fields=("missing",),
            hint={"missing": tuple(dict.fromkeys((mixed.text, *found.block.spelt)))},
        )


def _cell_notes(found: Understood, name: str, word: str) -> Iterator[Problem]:
    block, columns = found.block, found.columns

    def firsts(often: Mapping[str, int]) -> list[str]:
        """Return how often each text occurs, and where first."""
        cells = [(text, count, *block.firsts[text]) for text, count in often.items()]
        return [
            f"{text!r} {counted(count, 'time')}, first in column '{columns.called(column)}',"
            f" {word} {block.lines[row]}"
            for text, count, row, column in cells
        ]

    errors = {text: count for text, count in block.spelt.items() if text in ERRORS}
    if errors:
        yield note(
            "error_cells",
            f"{counted(sum(errors.values()), 'cell holds', 'cells hold')} a spreadsheet's error in"
            " place of a value.",
            f"{name}: {some_of(firsts(errors))}",
            "Correct the formulas if there should be numbers.",
        )
    if block.limits and found.notation.censored == "missing":
        yield note(
            "limits",
            f"{counted(sum(block.limits.values()), 'cell holds', 'cells hold')} a limit instead of"
            " a value, and became missing.",
            f"{name}: " + some_of(firsts(block.limits)[:6], total=len(block.limits)),
            "To keep such cells, take the limit itself, or half of it, as the value.",
            fields=("censored",),
        )
    names = [] if found.id is None else block.texts[found.id]
    trimmed: list[str] = []
    for part in slices(len(names), found.report):
        trimmed += [text for text in names[part] if text != text.strip()]
    trimmed += [text for text in found.headings.trimmed if text != text.strip()]
    if trimmed:
        yield note(
            "names_trimmed",
            f"White space around {counted(len(trimmed), 'name')} was removed.",
            f"{name}: " + some_of([repr(text) for text in trimmed[:6]], total=len(trimmed)),
        )
    yield from _percent_notes(found, name)
    marks = found.layout.marks
    if (
        not marks.thousands.sure
        and (found.notation.decimal, found.notation.thousands) == marks.values
    ):
        yield note(
            "ambiguous_marks",
            "It is not sure what the commas and points in numbers mean.",
            f"{name}: {marks.decimal.reason}",
            "Choose the decimal mark and the thousands mark.",
            fields=("decimal", "thousands"),
        )


def _percent_notes(found: Understood, name: str) -> Iterator[Problem]:
    """Yield notes on percent signs, which are doubtful where only some numbers have one."""
    block, columns = found.block, found.columns
    if not block.percents:
        return
    total = sum(block.percents.values())
    yield note(
        "percents",
        f"{counted(total, 'number has', 'numbers have')} a percent sign, which was left out:"
        " 12 % is 12.",
        f"{name}, {plural(len(block.percents), 'column')} "
        + some_of([repr(columns.called(column)) for column in block.percents]),
        "Nothing needs to be done, if other columns are in percent as well.",
    )
    place = {column: number for number, column in enumerate(block.columns)}
    values = block.values
    mixed = []
    for column, count in block.percents.items():
        # A bare 0 is 0 % as well.
        there = values[:, place[column]]
        if count < int(np.sum(~np.isnan(there) & (there != 0))):
            mixed.append(repr(columns.called(column)))
    if mixed:
        yield note(
            "percents_mixed",
            f"Only some numbers of {counted(len(mixed), 'column')} have a percent sign: others may"
            " be fractions.",
            f"{name}, {plural(len(mixed), 'column')} {some_of(mixed)}",
            "Write all of them in percent, or none.",
        )


def _quoted(rows: Rows, row: int) -> str:
    text = rows.raw(row)[:240].decode("utf-8", errors="replace").strip(chr(rows.delimiter) + " ")
    return f"{rows.lines[row]} ({text[:50]!r})"
