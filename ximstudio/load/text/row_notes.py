"""Notes on rows that differ from the file, and the guess about uneven rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ximstudio.load.account import CHOSEN, NOTHING_TO_DO, note
from ximstudio.load.reading import Choices, Guess
from ximstudio.load.text.rows import Rows
from ximstudio.load.text.understood import Understood
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem
from ximstudio.model.spec import Choice
from ximstudio.model.words import counted, plural


def uneven_guess(found: Understood, choices: Choices, word: str) -> Iterator[Guess]:
    """Yield the guess about rows with fewer or more cells than the others, if there are any."""
    spec, evened = Choices.specs()["uneven"], found.evened
    assert isinstance(spec, Choice)
    chosen = choices.uneven != Choices.defaults()["uneven"]
    done = [
        f"{counted(len(lines), 'row')} {text} ({places(lines, word)})"
        for lines, text in (
            (evened.short, "filled up with blanks at the end"),
            (evened.joined, "with delimiters in a text, which was joined"),
            (evened.dropped, "left out"),
        )
        if lines
    ]
    if not done and not chosen:
        return
    summary = "; ".join(done) or "no row is uneven"
    reason = f"{CHOSEN} {summary[0].upper()}{summary[1:]}." if chosen else f"{summary}."
    shown = spec.options[choices.uneven]
    yield Guess("uneven", spec.label, choices.uneven, reason, shown, spec.options, chosen)


def row_notes(found: Understood, rows: Rows, *, name: str, word: str) -> Iterator[Problem]:
    """Yield notes on rows that were padded, joined, left out, or named, with their lines."""

    def row_note(
        key: str, what: str, lines: Sequence[int], way_out: str, fields: tuple[str, ...] = ()
    ) -> Problem:
        return note(key, what, f"{name}, {places(lines, word)}", way_out, fields=fields)

    evened, layout, names = found.evened, found.layout, found.row_names
    if evened.short:
        number = counted(len(evened.short), "row ends", "rows end")
        yield row_note(
            "short_rows",
            f"{number} before the table does and {plural(len(evened.short), 'was', 'were')}"
            " filled up with blanks.",
            evened.short,
            "If cells are missing elsewhere in these rows, complete them in the file.",
        )
    if evened.joined:
        yield row_note(
            "joined_cells",
            f"{counted(len(evened.joined), 'row has', 'rows have')} a text with delimiters in it,"
            " which was joined.",
            evened.joined,
            "Write quotation marks around such texts.",
        )
    if evened.dropped:
        yield row_note(
            "uneven_rows_left_out",
            f"{counted(len(evened.dropped), 'uneven row')} left out.",
            evened.dropped,
            "Complete the rows in the file if they are needed.",
        )
    if layout.repeated:
        yield row_note(
            "repeated_header",
            f"{counted(len(layout.repeated), 'row')} left out: the header once more.",
            rows.lines[list(layout.repeated)].tolist(),
            NOTHING_TO_DO,
        )
    if layout.label_rows:
        others = len(layout.header) - len(layout.label_rows)
        yield row_note(
            "label_rows",
            f"{counted(len(layout.label_rows), 'row')} of numbers below the names"
            f" {plural(len(layout.label_rows), 'describes', 'describe')} the columns, and became"
            f" {plural(len(layout.label_rows), 'a label', 'labels')}.",
            rows.lines[list(layout.label_rows)].tolist(),
            f"If they are values, set the number of header rows to {others}.",
            ("header_rows",),
        )
    if names.blank:
        filled = (
            "numbered"
            if names.column is None
            else f"named by the column '{found.columns.called(names.column)}'"
        )
        yield row_note(
            "blank_names",
            f"{counted(len(names.blank), 'row has', 'rows have')} no name and"
            f" {plural(len(names.blank), 'is', 'are')} {filled}.",
            found.block.lines[list(names.blank)].tolist(),
            "Fill in the names if they matter, or take names from another column.",
            ("id",),
        )


def places(numbers: Sequence[int], word: str, total: int | None = None) -> str:
    """Return the first of some lines or columns, for an address: "lines 2; 5; 7"."""
    total = len(numbers) if total is None else total
    return f"{plural(total, word)} {some_of([str(each) for each in numbers[:6]], total=total)}"
