"""Choices, progress and result of reading a file: table, guesses, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, SettingsForm
from ximstudio.model.spec import Choice, FreeText, Number, TextList, param
from ximstudio.model.table import Table

SLICE = 100_000
"""Rows of a slice: texts of so many take some hundredths of a second."""

Report: TypeAlias = Callable[[float], None]
"""Receives the fraction done, from 0 to 1; may raise to cancel the reading."""


def silent(fraction: float) -> None:
    """Ignore progress."""


def slices(count: int, report: Report, done: float = 1.0) -> Iterator[slice]:
    """Yield slices of `count` things, each followed by a report, which may cancel the work.

    `done` is the part of the work that the report hears of.
    """
    for begin in range(0, count, SLICE):
        yield slice(begin, begin + SLICE)
        report(done)


def count_texts(texts: Sequence[str], report: Report) -> Counter[str]:
    """Return how often every text occurs."""
    often: Counter[str] = Counter()
    for part in slices(len(texts), report):
        often.update(texts[part])
    return often


@dataclass(frozen=True, kw_only=True)
class Choices(Params):
    """The user's choices about a file; those left open (None) are guessed.

    A format looks at those choices that have a meaning in it, and names them in its guesses.
    """

    form = SettingsForm.READING

    format: str | None = param(
        None,
        FreeText(label="Format", help="Key of the file format; found by content if left open."),
    )
    part: str | None = param(
        None,
        FreeText(
            label="Part", help="Sheet of a workbook, layer of an h5ad file, data set of a file."
        ),
    )
    encoding: str | None = param(
        None, FreeText(label="Encoding", help="Character encoding: utf-8, utf-16, latin-1, …")
    )
    delimiter: str | None = param(
        None, FreeText(label="Delimiter", help="Character that separates the cells of a line.")
    )
    decimal: str | None = param(
        None,
        FreeText(label="Decimal mark", help="Mark between whole number and fraction: '.' or ','."),
    )
    thousands: str | None = param(
        None,
        FreeText(label="Thousands mark", help="Mark between groups of three digits; '' for none."),
    )
    comment: str | None = param(
        None,
        FreeText(
            label="Comment mark",
            help="Mark at the beginning of lines that are no data; '' for none.",
        ),
    )
    skip: int | None = param(
        None,
        Number(
            label="Lines before the table",
            help="Number of lines before the header.",
            low=0,
            high=1e9,
            whole=True,
            automatic="found out",
        ),
    )
    end: int | None = param(
        None,
        Number(
            label="Last line of the table",
            help="Lines below are left out: they may hold another table.",
            low=1,
            high=1e9,
            whole=True,
            automatic="the last of the file",
        ),
    )
    header_rows: int | None = param(
        None,
        Number(
            label="Header rows",
            help="Number of rows that name the columns; 0 to number them.",
            low=0,
            high=100,
            whole=True,
            automatic="found out",
        ),
    )
    uneven: str = param(
        "clear",
        Choice(
            label="Uneven rows",
            help="Treatment of rows that have fewer or more cells than the others. Those that"
            " clearly lack blanks at the end are filled up, unless all are left out.",
            options={
                "clear": "fill up those that are clear, refuse others",
                "pad": "fill up all with blanks at the end",
                "drop": "leave out those that are not clear",
                "drop_all": "leave out all of them",
            },
        ),
    )
    id: str | None = param(
        None, FreeText(label="Names in", help="Column that names the rows; '' to number the rows.")
    )
    labels: tuple[str, ...] | None = param(
        None,
        TextList(
            label="Labels",
            help="Columns (or, with items in columns, rows) that describe items or features but"
            " are no values, even if they hold numbers; '' for none. Texts are labels anyway.",
            automatic="found out",
        ),
    )
    missing: tuple[str, ...] | None = param(
        None,
        TextList(
            label="Missing values",
            help="Spellings of a missing value, besides the empty cell.",
            automatic="the usual ones",
        ),
    )
    features: tuple[str, ...] | None = param(
        None,
        TextList(
            label="Quantity",
            help="Columns of values, by name or by pattern: 'LFQ intensity*', where * stands for"
            " any text. Other columns of numbers are labels, or left out.",
            automatic="found out",
        ),
    )
    decoys: str | None = param(
        None,
        Choice(
            label="Decoys, contaminants",
            help="Treatment of proteins that are marked as decoys or contaminants.",
            options={"keep": "keep them", "remove": "remove them"},
            automatic="keep them",
        ),
    )
    layout: str | None = param(
        None,
        Choice(
            label="One row holds",
            help="Meaning of a row of the file: a row of the table, or a single value of it.",
            options={
                "wide": "a gene with the values of all samples (or the other way round)",
                "long": "one value of one gene in one sample; names of both stand in columns",
            },
            automatic="found out",
        ),
    )
    sample: tuple[str, ...] | None = param(
        None,
        TextList(
            label="Samples in",
            help="Column of a long table that names the samples; several columns are joined.",
            automatic="found out",
        ),
    )
    value: str | None = param(
        None, FreeText(label="Values in", help="Column of a long table that holds the values.")
    )
    repeats: str | None = param(
        None,
        Choice(
            label="Repeated values",
            help="Summary of several values of one gene in one sample of a long table.",
            options={
                "mean": "their mean",
                "median": "their median",
                "sum": "their sum",
                "max": "the largest",
                "first": "the first in the file",
            },
            automatic="found out",
        ),
    )
    absent: str | None = param(
        None,
        Choice(
            label="Absent values",
            help="Value of a gene in a sample for which a long table has no row.",
            options={
                "blank": "missing: it was not measured, or not found",
                "zero": "zero: it was counted, and there was none",
            },
            automatic="found out",
        ),
    )
    measured: tuple[str, ...] | None = param(
        None,
        TextList(
            label="Measured numbers",
            help="Numbers that look like codes for a missing value (-1, 999), but were measured.",
            automatic="none",
        ),
    )
    censored: str | None = param(
        None,
        Choice(
            label="Limits instead of values",
            help="Value of cells such as '<0.05' or '>40'.",
            options={
                "missing": "missing",
                "limit": "the limit itself: 0.05, 40",
                "half": "half of a lower limit: 0.025; an upper one itself: 40",
            },
            automatic="missing, with a note",
        ),
    )
    items: str = param(
        "rows",
        Choice(
            label="What is mapped",
            help="Side of the table that is mapped.",
            options={
                "rows": "the rows, or what a format calls its observations",
                "columns": "the columns",
            },
        ),
    )
    rows: str | None = param(
        None,
        FreeText(
            label="Rows are",
            help="Contents of the rows (or observations): genes, proteins, samples, cells,"
            " or any other word.",
        ),
    )
    columns: str | None = param(
        None, FreeText(label="Columns are", help="Contents of the columns, in the same words.")
    )


@dataclass(frozen=True)
class Guess:
    """One guess about a file, its reason and its alternatives.

    Parameters
    ----------
    key
        The choice that overrides it (a field of `Choices`), or "logged", "values", … for what is
        information only.
    label
        What it is, for users: "Decimal mark".
    value
        What was found, as the choice would be written; ``shown`` shows it to users.
    reason
        The evidence, as a sentence.
    options
        What else there is: value → how it is shown. Empty if anything goes.
    sure
        False where the user should check.
    """

    key: str
    label: str
    value: str
    reason: str
    shown: str = ""
    options: Mapping[str, str] | None = None
    sure: bool = True


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A table, and the account of how it was read.

    `notes` are warnings: everything in the file that is not in the table, and everything in the
    table that is not as it was in the file.
    """

    table: Table
    format: str
    guesses: tuple[Guess, ...] = ()
    notes: tuple[Problem, ...] = ()
