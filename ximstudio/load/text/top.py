"""Rows above the numbers of a table: preamble, header, and labels of the samples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ximstudio.load.account import CHOSEN
from ximstudio.load.headers import heads_texts, is_id_name, may_name_rows
from ximstudio.load.text.dialect import Found
from ximstudio.load.text.edges import MOST_TOP, Edges, grow, names_columns, next_row, spread
from ximstudio.model.arrays import Ints
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.model.words import counted, plural

PERSEUS = "#!{"
"""Beginning of the rows in which Perseus keeps types and groups of the columns."""

MOST_LABEL_ROWS = 20
"""Maximum number of numeric rows below the names that may be sample labels."""

LOOKED_BELOW = 20
"""Number of rows below a header that show whether columns are filled."""

SAMPLE_LABEL = re.compile(
    r"(?:.*[ _.-])?(?:class(?:es)?|groups?|batch|labels?|types?|subtypes?|category|stage|grade|sex"
    r"|gender|age|status|plate|cell.?types?|outcome|phenotype|conditions?|treatments?|treated|dose"
    r"|concentration|time.?points?|times?|hours?|hrs?|minutes?|mins?|days?|weeks?|passage|tissues?"
    r"|replicates?|rep|survival|events?|patients?|donors?|subjects?|individuals?|strain|array|lane"
    r"|run|scan|channel|order|targets?|y)"
    r"(?:[ _.-]?(?:id|no|nr|number|code))?\s*(?:[(\[].*[)\]])?:?",
    re.I,
)
"""Names of rows that describe samples, so that their numbers are no values."""


@dataclass(frozen=True, kw_only=True)
class Top:
    """Rows above the body, and the first row of it.

    `labels` are those rows of the header that hold numbers.
    """

    preamble: tuple[int, ...]
    header: tuple[int, ...]
    labels: tuple[int, ...]
    first: int
    found: dict[str, Found]


@dataclass(frozen=True, kw_only=True, eq=False)
class TopEdge(Edges):
    """The rows above the numbers of a table."""

    def top(self, numbers: Ints) -> Top:
        """Return the preamble and the header."""
        looked_at = [int(row) for row in numbers[:MOST_TOP]]
        cells: dict[int, list[str]] = {}
        last = self._last_heading(looked_at)
        first, labels = self._first(looked_at, numbers, cells, last)
        above = [row for row in looked_at if first is None or row < first]
        if first is None:
            first = int(numbers[-1]) + 1 if len(numbers) <= MOST_TOP else int(numbers[MOST_TOP])
        header = self._header_among(above, cells, set(looked_at[: last + 1]))
        reason = (
            f"{counted(len(header), 'row')} with texts over the columns of numbers"
            f" {plural(len(header), 'comes', 'come')} first."
        )
        if labels:
            reason += f" {counted(len(labels), 'row')} of numbers below the names"
            reason += f" {plural(len(labels), 'describes', 'describe')} the columns."
        sure = len(header) == 1 and self._is_aligned(header[0], cells[header[0]])
        if not header and first in cells:
            names, reason, sure = names_columns(self, cells[first], numbers, first)
            header = [first] if names else []
            while header and self._names_more(first := next_row(numbers, header[-1])):
                header.append(first)
                sure = False
        preamble = [row for row in above if row not in header]
        skip = self.choices.skip
        if skip is not None:
            header, preamble = [*preamble, *header], []
        if self.choices.header_rows is not None:
            begin = [*header, *numbers[numbers >= first].tolist(), int(numbers[-1]) + 1]
            n_rows = min(self.choices.header_rows, len(begin) - 1)
            header, first = begin[:n_rows], begin[n_rows]
            reason, sure = CHOSEN, True
        before = int(self.rows.lines[header[0] if header else min(first, len(self.rows) - 1)]) - 1
        skipped = f"{counted(len(preamble), 'line')} of text" if preamble else "no line"
        above_it = f"There {plural(len(preamble) or 1, 'is', 'are')} {skipped} above the table."
        above_it = above_it if skip is None else CHOSEN
        n_skipped = str(before if preamble or skip else 0)
        return Top(
            preamble=tuple(preamble),
            header=tuple(header),
            labels=tuple(row for row in labels if row in header),
            first=first,
            found={
                "skip": Found(n_skipped, above_it, sure=not preamble or len(header) == 1),
                "header_rows": Found(str(len(header)), reason, sure=sure),
            },
        )

    def _is_aligned(self, row: int, cells: Sequence[str]) -> bool:
        """Return whether it is clear which columns a header names."""
        lacks_one = self.rows.cells[row] == self.width - 1
        clear = lacks_one and (not is_id_name(cells[0]) or self._ends_blank(row))
        return bool(self.rows.cells[row] >= self.width or clear)

    def _ends_blank(self, row: int) -> bool:
        """Return whether rows below end with a delimiter: nothing is in the last column."""
        last = self.width - 1
        body = row + 1 + np.flatnonzero(self.rows.cells[row + 1 :] == self.width)[:20]
        return not any(self.rows.cut(int(number))[last].strip() for number in body)

    def _names_more(self, row: int) -> bool:
        """Return whether a row below a header of numbers is a header, too: classes, then names."""
        if row >= len(self.rows):
            return False
        cells = self.rows.cut(row)
        return self._is_full(row, cells) and self.n_numbers(cells) == 0

    def _first(
        self, looked_at: Sequence[int], numbers: Ints, cells: dict[int, list[str]], last: int
    ) -> tuple[int | None, list[int]]:
        """Return the first row of the body, and rows of numbers above it that describe columns.

        `cells` is filled with the cells of all rows that were looked at; up to the place `last`
        they are no body.
        """
        labels: list[int] = []
        named = entitled = False
        for place, row in enumerate(looked_at):
            cells[row] = self.rows.cut(row)
            if cells[row][0].startswith(PERSEUS):
                continue
            if place <= last:
                labels += [row] if self._holds_numbers(cells[row]) else []
                named = entitled = True
                continue
            if self._holds_numbers(cells[row]):
                if place and not entitled and self._is_entitled(cells[row]):
                    # "gene, 1, 2, 1, 2" below the names of groups: those of the replicates.
                    entitled = True
                    continue
                many = place == 0 or not named or len(labels) >= MOST_LABEL_ROWS
                if many or not self._describes(cells[row], numbers, place):
                    return row, labels
                labels.append(row)
            elif named and self._is_short_row(cells[row], cells[looked_at[place - 1]]):
                return row, labels
            entitled = entitled or self._is_entitled(cells[row])
            named = named or self._is_header(row, cells[row], looked_at[place + 1 :])
        return None, labels

    def _is_entitled(self, cells: Sequence[str]) -> bool:
        """Return whether a row begins with the name of a column: "gene", "probe id"."""
        return 0 not in self.numeric and is_id_name(cells[0])

    def _last_heading(self, looked_at: Sequence[int]) -> int:
        """Return the position of a row that names columns which all rows above leave blank, or -1.

        Rows of labels are above it, as MS-DIAL and nSolver write them: what describes samples
        leaves the columns blank that describe the rows.
        """
        above: list[list[str]] = []
        found = -1
        for place, row in enumerate(looked_at[: MOST_LABEL_ROWS + 1]):
            cells = self.rows.cut(row)
            if self._heads_columns(cells, above, looked_at[place + 1 :]):
                found = place
            if len(cells) >= self.usual and self.filled(cells):
                above.append(cells)
        return found

    def _heads_columns(
        self, cells: Sequence[str], above: Sequence[Sequence[str]], below: Sequence[int]
    ) -> bool:
        """Return whether cells are texts, over columns that are blank above and filled below."""
        over = self.filled(cells)
        if not above or self.n_numbers(cells) or 0 < 2 * len(over) < len(self.looked_at):
            return False
        named = [
            column
            for column, cell in enumerate(cells)
            if cell.strip() and not any(_is_filled(row, column) for row in above)
        ]
        if not any(heads_texts(cells[column]) for column in named):
            return False
        body = [self.rows.cut(row) for row in below[:LOOKED_BELOW]]
        filled = sum(_is_filled(row, column) for row in body for column in named)
        return 2 * filled > len(body) * len(named)

    def _is_header(self, row: int, cells: Sequence[str], below: Sequence[int]) -> bool:
        """Return whether a row names the columns; not if it is short and a complete one follows."""
        if not self._is_full(row, cells):
            return False
        return self.rows.cells[row] >= self.width or not any(
            self._names_more(each) and is_id_name(self.rows.cut(each)[0])
            for each in below
            if self.rows.cells[each] >= self.width
        )

    def _holds_numbers(self, cells: Sequence[str]) -> bool:
        if len(cells) < self.usual:
            return False
        filled = self.filled(cells)
        return bool(filled) and 2 * self.n_numbers(cells) >= len(filled)

    def _is_short_row(self, cells: Sequence[str], above: Sequence[str]) -> bool:
        """Return whether a row below the names belongs to the table and ends early."""
        filled = self.filled(cells)
        if filled:
            return len(cells) < self.usual and self.n_numbers(cells) == len(filled)
        # A name without numbers; below a corner without a name it may be that of the index.
        name = cells[0].strip()
        return bool(name) and not is_id_name(name) and is_id_name(above[0])

    def _describes(self, cells: Sequence[str], numbers: Ints, place: int) -> bool:
        """Return whether a row of numbers below the names of the columns describes those."""
        if 0 in self.numeric:
            return False
        if self._ends_header(numbers, place):
            return True
        beside = [cell for cell in self.beside(cells) if cell not in self.notation.blanks]
        if not beside:
            return self._is_coded(cells) and self._are_named(numbers, place)
        named = len(beside) == 1 and SAMPLE_LABEL.fullmatch(beside[0])
        return bool(named) and self._are_named(numbers, place)

    def _ends_header(self, numbers: Ints, place: int) -> bool:
        """Return whether a row follows that only names the index, as pandas writes it."""
        for row in numbers[place + 1 : place + 1 + MOST_LABEL_ROWS].tolist():
            cells = self.rows.cut(row)
            if not self.filled(cells):
                return may_name_rows(cells[0]) and len(self.beside(cells)) == 1
        return False

    def _is_coded(self, cells: Sequence[str]) -> bool:
        """Return whether unnamed numbers are codes or times: few integers, or increasing ones."""
        known = self.whole_numbers(cells)
        if known is None:
            return False
        return 2 * len(set(known)) <= len(known) or (len(known) > 2 and grow(known))

    def _are_named(self, numbers: Ints, place: int) -> bool:
        """Return whether most rows further down have a name that is no label's."""
        beside = [self.beside(self.rows.cut(row)) for row in spread(numbers[place + 1 :], 60)]
        plain = [cells for cells in beside if cells and not SAMPLE_LABEL.fullmatch(cells[0])]
        return 2 * len(plain) > len(beside)

    def refuse_numbers_in(self, top: Top, name: str, word: str) -> None:
        """Refuse a row of numbers above the table: it is another table."""
        table = top.header[0] if top.header else min(top.first, len(self.rows) - 1)
        lines = int(self.rows.lines[table]) - 1
        for row in top.preamble:
            cells = [cell for cell in self.rows.cut(row) if cell.strip()]
            values = [self.notation.value(cell) for cell in cells]
            if len(cells) > 2 and None not in values[1:]:
                raise UserError(
                    key="load.uneven_rows",
                    what=f"A row of numbers has {self.rows.cells[row]} cells, the table below it"
                    f" {self.width}.",
                    where=f"{name}, {word} {self.rows.lines[row]}",
                    way_out=f"To read the second table only, skip {lines} lines; else complete the"
                    " row, or keep one table per file.",
                    fields=("skip",),
                    form=SettingsForm.READING,
                    hint={"skip": lines},
                )

    def _is_full(self, row: int, cells: Sequence[str]) -> bool:
        """Return whether a row is complete and has cells over half of the numbers."""
        if self.rows.cells[row] == self.width - 1:
            return 2 * len(self.filled(cells, shift=1)) >= len(self.looked_at)
        wide = self.rows.cells[row] >= self.width or self._begins_table(cells)
        return wide and 2 * len(self.filled(cells)) >= len(self.looked_at)

    def _begins_table(self, cells: Sequence[str]) -> bool:
        """Return whether a short header begins like one: "gene, s1, s2" over more columns."""
        texts = 0 not in self.numeric and is_id_name(cells[0])
        return texts and all(cell.strip() for cell in cells) and not self.n_numbers(cells)

    def _header_among(
        self, above: list[int], cells: dict[int, list[str]], heading: set[int]
    ) -> list[int]:
        """Return the rows above the numbers that name columns: from the first full one on.

        Those of `heading` are full enough if they name some columns of numbers.
        """
        full = [
            row
            for row in above
            if self._is_full(row, cells[row])
            or (row in heading and len(cells[row]) >= self.usual and self.filled(cells[row]))
        ]
        whole = [row for row in full if self.rows.cells[row] >= self.width]
        full = whole or full
        if not full:
            last = above[-1:]
            partly = last and self.rows.cells[last[0]] >= self.width - 1
            return last if partly and self.filled(cells[last[0]]) else []
        # Rows above a line of text are no header, however full they are.
        texts = [row for row in above if sum(bool(cell.strip()) for cell in cells[row]) <= 2]
        short = max((row for row in texts if self.rows.cells[row] < self.width - 1), default=-1)
        place = above.index(next((row for row in full if row > short), full[0]))
        # "  ;  ; group A; ; group B; ": names over some columns of numbers and nothing else.
        while place and self._names_groups(above[place - 1], cells[above[place - 1]]):
            place -= 1
        return above[place:]

    def _names_groups(self, row: int, cells: list[str]) -> bool:
        named = self.rows.cells[row] <= self.width and bool(self.filled(cells))
        return bool(named) and self.numeric[0] > 0 and not cells[0].strip()

    def even_header(self, header: Sequence[int], name: str, word: str) -> list[tuple[str, ...]]:
        """Return header rows as wide as the table; refuse those with fewer or more names."""
        cut = list(map(self.rows.cut, header))
        for cells in cut:
            while len(cells) > self.width and not cells[-1].strip():
                del cells[-1]
        narrow = all(len(cells) < self.width for cells in cut)
        shifted = bool(cut) and narrow and self._is_shifted(header[0], cut[0])
        evened = []
        for row, cells in zip(header, cut, strict=True):
            wide = ["", *cells] if shifted and len(cells) == self.width - 1 else cells
            if len(wide) > self.width or (len(wide) < self.width and shifted and len(cut) == 1):
                raise self._uneven_header(row, cells, name, word)
            evened.append((*wide, *[""] * (self.width - len(wide))))
        return evened

    def _is_shifted(self, row: int, cells: Sequence[str]) -> bool:
        """Return whether all header rows lack a name at the beginning, as R writes them.

        Others end each row with a delimiter, or leave the last columns without a name.
        """
        named = is_id_name(cells[0]) and 0 not in self.numeric and 1 in self.numeric
        return len(cells) == self.width - 1 and not named and not self._ends_blank(row)

    def _uneven_header(self, row: int, cells: Sequence[str], name: str, word: str) -> UserError:
        wide = len(cells) > self.width
        return UserError(
            key="load.uneven_rows",
            what=f"A row above the numbers has {len(cells)} cells, the rows below {self.width}.",
            where=f"{name}, {word} {self.rows.lines[row]}",
            way_out="If the last columns have no values, fill them with blanks; else complete the"
            " rows, or write quotation marks around names that are cut."
            if wide
            else "Complete the row, or set the number of lines before the header and of header"
            " rows.",
            fields=("uneven",) if wide else ("skip", "header_rows"),
            form=SettingsForm.READING,
            hint={"uneven": "pad"} if wide else {},
        )


def _is_filled(cells: Sequence[str], column: int) -> bool:
    return column < len(cells) and bool(cells[column].strip())
