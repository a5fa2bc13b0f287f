"""Divide the rows of a text into comments, preamble, header, body and footer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import isnan

import numpy as np

from ximstudio.load.account import CHOSEN
from ximstudio.load.reading import Choices, Report, silent, slices
from ximstudio.load.text.dialect import COMMENTS, Found, Marks, marks_of
from ximstudio.load.text.edges import rulings, spread
from ximstudio.load.text.notation import BLANKS, Notation, call_missing
from ximstudio.load.text.ragged import Evening, table_width, usual_width
from ximstudio.load.text.rows import Bytes, Rows
from ximstudio.load.text.second import refuse_second, second_header
from ximstudio.load.text.top import PERSEUS, TopEdge
from ximstudio.model.arrays import Bools, Ints
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.model.words import counted, plural

FEWEST_SAMPLED = 4
MOST_SAMPLED = 60
MOST_CELLS = 20_000
"""Number of rows, and of cells, from which guesses are made."""

COMPARED = 16
"""Length of the prefix that usually decides whether a row repeats the header."""

FEWEST_NUMBERS = 0.1
MOST_WORDS = 3
"""Share of numbers, and number of texts, in a text column whose texts may mean missing values."""

EITHER = 2
"""Kind of a cell that is a limit: an unmeasured number, or the name of a class."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Layout:
    """The parts of a table as indices into `Rows`, and the guesses about them.

    Parameters
    ----------
    width
        Cells of a row.
    header
        Cells of the header rows, each as wide as the table.
    header_rows
        Their row numbers; `label_rows` are those that hold numbers.
    body
        Row numbers of the table's rows.
    numeric
        Columns that hold numbers as far as the sample of rows says.
    sample
        Cells of some rows of the body.
    comments, preamble, footer, repeated, remarks
        Row numbers of what is not in the table; `repeated` are those that are the header once
        more, `remarks` sentences between the rows.
    marks
        Decimal and thousands marks, as found; None for what was chosen.
    found
        Evidence for "comment", "skip" and "header_rows".
    """

    width: int
    header: tuple[tuple[str, ...], ...]
    header_rows: tuple[int, ...]
    label_rows: tuple[int, ...]
    body: Ints
    numeric: tuple[int, ...]
    sample: list[list[str]]
    comments: Ints
    preamble: tuple[int, ...]
    footer: tuple[int, ...]
    repeated: tuple[int, ...]
    remarks: tuple[int, ...]
    marks: Marks
    found: dict[str, Found] = field(default_factory=dict)


def lay_out(
    rows: Rows,
    choices: Choices,
    *,
    name: str,
    word: str = "line",
    more_cells: Sequence[str] = (),
    report: Report = silent,
) -> Layout:
    """Find the table among the rows; refuse what cannot be one, with its position.

    `more_cells` are cells that were met further down and say more about decimal marks. The report
    is called between the parts, for whoever does not want to wait for all of them.
    """
    kept = np.ones(len(rows), dtype=np.bool_)
    if choices.skip is not None:
        kept &= rows.lines > choices.skip
    if choices.end is not None:
        kept &= rows.lines <= choices.end
    comment, is_comment = _comment(rows, kept, choices, report)
    report(0.0)
    kept &= ~is_comment
    if not kept.any():
        raise UserError(
            key="load.empty",
            what="The file is empty." if not len(rows) else "There are no rows in the file.",
            where=name,
            way_out="Choose a file with a header and one line per row.",
        )
    numbers = np.flatnonzero(kept)
    report(0.0)
    ruled = rulings(rows, numbers)
    numbers = _without(numbers, ruled)
    counts = rows.cells[numbers]
    usual = usual_width(counts)
    report(0.0)
    width = table_width(rows, numbers, usual, uneven=choices.uneven)
    report(0.0)
    fits = (counts == usual) if usual == width else (counts > 1) & (counts <= width)
    report(0.0)
    sample = _sample(rows, numbers[fits], width)
    report(0.0)
    # Without the first rows, which may be a header of texts.
    later = sample[max(len(sample) // 3, min(1, len(sample) - 1)) :]
    marks = marks_of([*some_cells(later), *more_cells])
    report(0.0)
    notation = notation_of(choices, marks)
    numeric = _numeric(later, width, notation)
    if not numeric:
        raise _no_numbers(rows, numbers, sample, notation, name, word)
    report(0.0)
    edges = TopEdge(
        rows=rows, width=width, usual=usual, numeric=numeric, notation=notation, choices=choices
    )
    top = edges.top(numbers)
    edges.refuse_numbers_in(top, name, word)
    footer = edges.footer(numbers, after=top.first)
    report(0.0)
    body = _without(numbers[numbers >= top.first], footer)
    report(0.0)
    header = tuple(edges.even_header(top.header, name, word))
    again = _repeated_header(rows, top.header, body, report)
    report(0.0)
    fresh = _without(body, again.tolist())
    corner = header[-1][0] if header else ""
    second = second_header(rows, corner, fresh, numeric, notation, report)
    if second is not None:
        before = max(fresh[fresh < second].tolist(), default=top.first)
        raise refuse_second(rows, second, before, name=name, word=word)
    remarks = sorted({*ruled, *edges.remarks(body, sample)})
    body = _without(body, (*again, *remarks))
    return Layout(
        width=width,
        header=header,
        header_rows=top.header,
        label_rows=top.labels,
        repeated=tuple(again.tolist()),
        remarks=tuple(remarks),
        body=body,
        numeric=numeric,
        sample=sample,
        comments=np.flatnonzero(is_comment),
        preamble=(*np.flatnonzero(rows.lines <= (choices.skip or 0)).tolist(), *top.preamble),
        footer=(*footer, *np.flatnonzero(rows.lines > (choices.end or np.inf)).tolist()),
        marks=marks,
        found={"comment": comment, **top.found},
    )


def _without(numbers: Ints, others: Sequence[int]) -> Ints:
    return numbers[~np.isin(numbers, others)] if others else numbers


def _repeated_header(rows: Rows, header: Sequence[int], body: Ints, report: Report) -> Ints:
    """Return rows of the body that repeat the header, as in concatenated files."""
    found = []
    buffer = np.frombuffer(rows.data, np.uint8)
    for raw in {rows.raw(row) for row in header}:
        for part in slices(len(body), report, 0.0):
            alike = body[part]
            alike = alike[rows.ends[alike] - rows.starts[alike] == len(raw)]
            for place, letter in enumerate(raw[:COMPARED]):
                alike = alike[buffer[rows.starts[alike] + place] == letter]
            found += [row for row in alike.tolist() if rows.raw(row) == raw]
    return np.array(sorted(found), np.int64)


def notation_of(choices: Choices, marks: Marks) -> Notation:
    """Return the notation of numbers: as chosen, else as guessed."""
    return Notation.of(
        decimal=choices.decimal or marks.decimal.value,
        thousands=marks.thousands.value if choices.thousands is None else choices.thousands,
        blanks=BLANKS if choices.missing is None else choices.missing,
        percents=True,
        censored=choices.censored or "missing",
    )


def _comment(rows: Rows, kept: Bools, choices: Choices, report: Report) -> tuple[Found, Bools]:
    """Return the comment mark, and which rows are comments."""
    letters = rows.first_letters(report)
    if choices.comment is not None:
        marked = kept & _marked(rows, choices.comment, letters, report)
        rest = kept & ~marked
        if marked.any() and rest.any():
            width = usual_width(rows.cells[rest])
            _spare_header(rows, marked, np.flatnonzero(rest & (rows.cells == width)), width)
        return Found(choices.comment, CHOSEN), marked
    for mark in COMMENTS:
        report(0.0)
        marked = kept & _marked(rows, mark, letters, report)
        rest = kept & ~marked
        if not marked.any() or not rest.any():
            continue
        width = usual_width(rows.cells[rest])
        strays = marked & (rows.cells != width)
        first = np.flatnonzero(rest & (rows.cells == width))
        if not strays.any() or not len(first):
            continue
        _spare_header(rows, marked, first, width)
        number = int(marked.sum())
        reason = (
            f"{counted(number, 'line begins', 'lines begin')} with {mark!r}, and"
            f" {plural(number, 'is', 'are')} not split like the others."
        )
        return Found(mark, reason), marked
    reason = "No line that begins with #, !, % or // differs from the others."
    return Found("", reason), np.zeros(len(rows), dtype=bool)


def _marked(rows: Rows, mark: str, letters: Bytes, report: Report) -> Bools:
    """Return which rows begin with a mark, except Perseus' descriptions of columns."""
    found = rows.starting_with(mark.encode(), letters, report)
    if mark != "#" or not found.any():
        return found
    return found & ~rows.starting_with(PERSEUS.encode(), letters, report)


def _spare_header(rows: Rows, marked: Bools, fitting: Ints, width: int) -> None:
    """Unmark the last marked row above the table if it is the header: "#id  s1  s2"."""
    before = np.flatnonzero(marked[: fitting[0] if len(fitting) else 0])
    if len(before) and rows.cells[before[-1]] == width and _is_data(rows.cut(int(fitting[0]))):
        marked[before[-1]] = False


def _is_data(cells: Sequence[str]) -> bool:
    """Return whether most of the cells after the first are numbers, in any notation."""
    values = [cell for cell in cells[1:] if cell.strip()]
    return any(
        2 * sum(notation.value(cell) is not None for cell in values) >= len(values)
        for notation in (Notation(), Notation(decimal=","))
    )


def _sample(rows: Rows, fitting: Ints, width: int) -> list[list[str]]:
    """Return cells of rows from all over the table, each as wide as the table."""
    number = int(np.clip(MOST_CELLS // width, FEWEST_SAMPLED, MOST_SAMPLED))
    cut = map(rows.cut, spread(fitting, number))
    return [cells + [""] * (width - len(cells)) for cells in cut]


def some_cells(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield cells from all over some rows: all, or an even sample."""
    step = max(1, sum(len(row) for row in rows) // MOST_CELLS)
    return (cell for row in rows for cell in row[::step])


def _numeric(sample: list[list[str]], width: int, notation: Notation) -> tuple[int, ...]:
    """Return columns with more numbers than texts; blank ones count if others do."""

    @cache
    def kind(cell: str) -> int:
        """Return 1 for a number, -1 for a text, 0 for neither; a limit may be either."""
        if not cell.strip():
            return 0
        if notation.value(cell) is None:
            return -1
        return EITHER if notation.is_limit(cell) else 1

    surplus = np.zeros(width, dtype=np.int64)
    blank = np.ones(width, dtype=bool)
    for row in sample:
        kinds = np.fromiter(map(kind, row), np.int64, width)
        surplus += np.where(kinds == EITHER, 0, kinds)
        blank &= kinds == 0
    numeric = surplus > 0
    return tuple(np.flatnonzero(numeric | blank).tolist()) if numeric.any() else ()


def _no_numbers(
    rows: Rows, numbers: Ints, sample: list[list[str]], notation: Notation, name: str, word: str
) -> UserError:
    width = len(sample[0])
    line = f"{name}, {word} {rows.lines[numbers[0]]}"
    first = rows.raw(int(numbers[0]))[:60].decode(errors="replace")
    if width == 1:
        return UserError(
            key="load.one_column",
            what="The file has only one column.",
            where=f"{line}: {first!r}",
            way_out="Save it with tabs, commas or semicolons between the columns, or choose the"
            " delimiter.",
        )
    uneven = numbers[rows.cells[numbers] != width]
    if 2 * len(uneven) > len(numbers):
        return UserError(
            key="load.not_a_table",
            what="This is not a table: it has no columns of numbers, and its lines are not alike.",
            where=f"{line}: {first!r}",
            way_out="Choose a file with one line per row and the same columns in each, or choose"
            " the delimiter.",
        )
    others = _sample(rows, uneven, width) if len(uneven) else []
    cells = (cell for row in (*sample, *others) for cell in row if cell.strip())
    known = map(notation.value, cells)
    # Texts alone are no table of numbers, however regular their rows are.
    if len(uneven) and any(value is not None and not isnan(value) for value in known):
        return Evening(rows=rows, width=width, name=name, word=word).refusal(uneven)
    if words := _words_among_numbers(sample, notation):
        return UserError(
            key="load.no_numbers",
            what="No column holds more numbers than texts.",
            where=f"{line} and below",
            way_out=f"{call_missing(words)}.",
            fields=("missing",),
            form=SettingsForm.READING,
            hint={"missing": words},
        )
    texts = [repr(cell[:30]) for cell in sample[-1] if cell.strip()]
    return UserError(
        key="load.no_numbers",
        what="No column holds numbers.",
        where=f"{line} and below: {some_of(texts)}",
        way_out="Choose the delimiter and the decimal mark, or another file.",
    )


def _words_among_numbers(sample: list[list[str]], notation: Notation) -> tuple[str, ...]:
    """Return texts that repeat in columns of numbers: "No Ct"."""
    found: list[str] = []
    for cells in zip(*sample[1:], strict=True):
        often = Counter(cell.strip() for cell in cells if cell.strip())
        texts = [text for text in often if notation.value(text) is None]
        numbers = sum(often[text] for text in often if text not in texts)
        again = all(often[text] > 1 for text in texts) and len(texts) <= MOST_WORDS
        if again and numbers >= FEWEST_NUMBERS * often.total():
            found += texts
    return tuple(dict.fromkeys(found))
