"""Interpret the rows of a text, again as long as the result contradicts a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ximstudio.load.account import no_such
from ximstudio.load.headers import DESCRIPTIONS
from ximstudio.load.proteomics.picking import picked
from ximstudio.load.reading import Choices, Report, count_texts
from ximstudio.load.text.block import Block, Odd, not_numbers, parse
from ximstudio.load.text.dialect import marks_of
from ximstudio.load.text.headings import Headings, headings_of
from ximstudio.load.text.layout import Layout, lay_out, notation_of, some_cells
from ximstudio.load.text.notation import Notation
from ximstudio.load.text.ragged import DROP, PAD, Evening, misfits
from ximstudio.load.text.roles import (
    Columns,
    coded_labels,
    describes,
    id_column,
    is_code,
    names_codes,
    plain_name,
    separated,
)
from ximstudio.load.text.rows import Rows
from ximstudio.load.text.second import beside
from ximstudio.load.text.understood import Understood, numbered
from ximstudio.model.arrays import Ints
from ximstudio.model.problem import Problem, SettingsForm, UserError

ATTEMPTS = 4
"""Maximum number of readings when later rows contradict the first ones."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Reader:
    """Interprets the same rows again as long as the result contradicts a guess.

    `as_texts` are columns that are texts, even if they hold numbers.
    """

    rows: Rows
    choices: Choices
    name: str
    word: str
    first_column: int
    report: Report
    as_texts: frozenset[int] = frozenset()

    def read(self) -> Understood:
        """Interpret the rows; `refuse` checks that they are a table."""
        more_cells: list[str] = []
        texts: set[int] = set(self.as_texts)
        numeric: set[int] = set()
        dropped: tuple[int, ...] = ()
        for attempt in range(ATTEMPTS):
            layout = lay_out(
                self.rows,
                self.choices,
                name=self.name,
                word=self.word,
                more_cells=more_cells,
                report=self.report,
            )
            found = self._with(layout, texts, numeric, dropped)
            block, notation = found.block, found.notation
            if attempt == ATTEMPTS - 1:
                break
            if self.choices.uneven == DROP and (wrong := _misfits(found)):
                dropped += tuple(block.lines[wrong].tolist())
                continue
            odd = [text for column in block.odd.values() for text in column.texts]
            if odd and not more_cells:
                marks = marks_of([*some_cells(layout.sample), *odd])
                if marks.values != layout.marks.values:
                    more_cells = odd
                    continue
            turned = _mostly_texts(block) | {
                column for column in block.odd if describes(found.columns.names[column])
            }
            turned |= _blank_descriptions(found)
            back = self._numbers_after_all(found, notation) - numeric - texts
            if not turned and not back:
                break
            texts |= turned
            numeric |= back
        return found

    def _with(
        self, layout: Layout, texts: set[int], numeric: set[int], dropped: tuple[int, ...]
    ) -> Understood:
        """Interpret the rows with these columns as texts and those as numbers.

        `dropped` are lines to be left out.
        """
        where = f"{self.name}, header"
        headings = headings_of(layout)
        columns = Columns(
            names=headings.names,
            numeric=(frozenset(layout.numeric) | numeric) - texts,
            first=self.first_column,
        )
        notation = notation_of(self.choices, layout.marks)
        chosen, unknown = self._chosen_labels(columns, headings, where)
        features = picked(
            columns.names, columns.numeric, self.choices, where=where, labels=frozenset(chosen)
        )
        if features is not None:
            columns = replace(columns, numeric=frozenset(features.names))
        coded = [
            column
            for column in coded_labels(columns, layout, self.choices, notation)
            if column not in numeric and features is None
        ]
        meant = () if features is None else features.ids
        id_number, id_found = id_column(columns, layout, self.choices, where=where, meant=meant)
        labels = {column for column in range(layout.width) if column not in columns.numeric}
        labels = (labels | set(chosen) | set(coded)) - {id_number}
        even = Evening(
            rows=self.rows,
            width=layout.width,
            name=self.name,
            word=self.word,
            numeric=columns.numeric,
            notation=notation,
            uneven=self.choices.uneven,
            report=self.report,
        ).even(layout.body[~np.isin(self.rows.lines[layout.body], dropped)])
        self.report(0.0)
        even = replace(even, dropped=tuple(sorted({*even.dropped, *dropped})))
        rows, body = even.rows, even.chosen
        text_columns = sorted(labels if id_number is None else {*labels, id_number})
        block = self._parsed(rows, body, layout, text_columns, notation)
        label_rows: dict[str, list[str]] = {}
        if unknown or (self.choices.labels and self.choices.items == "columns"):
            # As in the file; numbers where no column names the rows.
            names = (
                numbered(len(block.lines)).names
                if id_number is None
                else [text.strip() for text in block.texts[id_number]]
            )
            if places := self._label_rows(names, unknown, chosen, columns, headings, where):
                label_rows = {names[place]: rows.cut(int(body[place])) for place in places}
                body = np.delete(body, places)
                block = self._parsed(rows, body, layout, text_columns, notation)
        if features is not None:
            # Beside picked features, only those that are not empty.
            labels -= {*features.left_out}
            labels = {column for column in labels if any(map(str.strip, block.texts[column]))}
        return Understood(
            layout=layout,
            headings=headings,
            columns=columns,
            id=id_number,
            id_found=id_found,
            labels=tuple(sorted(labels)),
            coded=tuple(column for column in coded if column != id_number),
            chosen=frozenset(chosen),
            label_rows=label_rows,
            block=block,
            evened=even,
            notation=notation,
            picked=features,
            report=self.report,
        )

    def _parsed(
        self, rows: Rows, body: Ints, layout: Layout, text_columns: list[int], notation: Notation
    ) -> Block:
        return parse(
            rows,
            body,
            width=layout.width,
            text_columns=text_columns,
            notation=notation,
            name=self.name,
            report=self.report,
        )

    def _chosen_labels(
        self, columns: Columns, headings: Headings, where: str
    ) -> tuple[dict[int, str], list[str]]:
        """Return columns chosen as labels, and chosen names that are no columns."""
        found, unknown = {}, []
        known = {*columns.names, *headings.labels}
        # Names of rows are not known yet; one with a comma may be among them.
        for label in separated(self.choices.labels or (), known):
            column = columns.find(label, key="load.ambiguous_label", where=where)
            if column is not None:
                found[column] = label
            elif label not in headings.labels:
                unknown.append(label)
        return found, unknown

    def _label_rows(
        self,
        names: Sequence[str],
        unknown: list[str],
        chosen: dict[int, str],
        columns: Columns,
        headings: Headings,
        where: str,
    ) -> list[int]:
        """Return the rows chosen to label the columns; refuse names that do not exist."""
        wanted = [*unknown]
        if self.choices.items == "columns":
            wanted += [label for label in chosen.values() if label in names]
        places = []
        for label in wanted:
            if label not in names:
                known = names if self.choices.items == "columns" else columns.names
                raise no_such(
                    "label",
                    label,
                    [*(name for name in known if name), *headings.labels],
                    f"There is no column and no row '{label}'.",
                    where,
                )
            places.append(list(names).index(label))
        return places

    def _numbers_after_all(self, found: Understood, notation: Notation) -> set[int]:
        """Return columns guessed as texts or codes that hold mostly numbers."""
        back: set[int] = set()
        if found.picked is not None:
            return back
        for column in found.coded:
            header = plain_name(found.columns.names[column])
            if names_codes(header) and not is_code(found.block.texts[column], notation):
                back.add(column)
        guessed = set(range(found.layout.width)) - found.columns.numeric
        for column in guessed - {found.id, *found.coded}:
            filled = {
                cell: count
                for cell, count in count_texts(found.block.texts[column], self.report).items()
                if cell.strip() and not notation.is_limit(cell)
            }
            numbers = [filled[cell] for cell in filled if notation.value(cell) is not None]
            if filled and 2 * sum(numbers) >= sum(filled.values()):
                back.add(column)
        if self.choices.labels:
            back -= set(self._chosen_labels(found.columns, found.headings, self.name)[0])
        return back

    def refuse(self, found: Understood) -> None:
        """Refuse what is no table of rows with a name and numbers each."""
        block = found.block
        if self.choices.uneven != PAD and (wrong := _misfits(found)):
            rows = np.flatnonzero(np.isin(self.rows.lines, block.lines[wrong]))
            evening = Evening(
                rows=self.rows, width=found.layout.width, name=self.name, word=self.word
            )
            raise evening.refusal(rows, misfits=True)
        if block.odd:
            raise UserError.of(self.texts_among_numbers(found))
        if not len(block.lines):
            raise UserError(
                key="load.no_rows",
                what="There are no rows below the header.",
                where=self.name,
                way_out="Choose a file with one line per row, or set the number of header rows.",
                fields=("header_rows",),
                form=SettingsForm.READING,
            )
        if not found.features:
            raise UserError(
                key="load.no_numbers",
                what="No column holds numbers.",
                where=self.name,
                way_out="Name fewer labels, or choose another file.",
            )
        other = beside(found, name=self.name, word=self.word)
        if other is not None and self.choices.features is None:
            raise other

    def texts_among_numbers(self, found: Understood) -> Iterator[Problem]:
        """Yield problems with texts among numbers: one per column, or per row that is all text."""
        block = found.block
        often = Counter(row for odd in block.odd.values() for row in odd.rows)
        throughout = {row for row in often if often[row] > 2 and 2 * often[row] > len(block.odd)}
        names = found.row_names.names
        rows = sorted(throughout)[:10]
        # As chosen or, where they hold numbers, guessed.
        labels = self.choices.labels
        if labels is None:
            labels = tuple(map(found.columns.called, found.coded))
        for row in rows:
            yield Problem(
                key="load.text_row",
                what=f"The row '{names[row]}' holds texts, not numbers.",
                where=f"{self.name}, {self.word} {block.lines[row]}",
                way_out="If it labels the columns, add it to the labels; else remove it.",
                fields=("labels",),
                form=SettingsForm.READING,
                hint={"labels": (*labels, *(names[row] for row in rows))},
            )
        rest = {}
        for column, odd in block.odd.items():
            kept = [place for place, row in enumerate(odd.rows) if row not in throughout]
            if kept:
                rest[column] = Odd(
                    count=odd.count - (len(odd.rows) - len(kept)),
                    rows=[odd.rows[place] for place in kept],
                    texts=[odd.texts[place] for place in kept],
                )
        called = list(map(found.columns.called, range(found.layout.width)))
        yield from not_numbers(
            rest,
            block.lines,
            names=called,
            name=self.name,
            word=self.word,
            spelt=self.choices.missing or block.spelt,
        )


def _misfits(found: Understood) -> list[int]:
    """Return rows that were padded at the end though another cell is missing."""
    block = found.block
    if not found.evened.short:
        return []
    short = np.isin(block.lines, np.array(found.evened.short, np.int64))
    odd = {column: texts.rows for column, texts in block.odd.items()}
    return misfits(short, odd, block.texts)


def _mostly_texts(block: Block) -> set[int]:
    """Return numeric columns of which more than half of the filled cells are texts."""
    if not block.odd:
        return set()
    counts = (~np.isnan(block.values)).sum(axis=0).tolist()
    numbers = dict(zip(block.columns, counts, strict=True))
    return {column for column, odd in block.odd.items() if odd.count > numbers[column]}


def _blank_descriptions(found: Understood) -> set[int]:
    """Return empty columns that are texts by name, such as unused descriptions."""
    values, columns = found.block.values, found.block.columns
    blank = {
        column
        for place, column in enumerate(columns)
        if DESCRIPTIONS.fullmatch(found.columns.names[column][:100])
        and np.isnan(values[:, place]).all()
    }
    return blank if len(blank) < len(columns) else set()
