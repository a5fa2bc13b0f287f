"""What stands above and below the numbers of a table: preamble, header, footer."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ximstudio.load.reading import Choices
from ximstudio.load.text.dialect import Found
from ximstudio.load.text.notation import Notation
from ximstudio.load.text.rows import Rows
from ximstudio.model.arrays import Ints
from ximstudio.model.problem import UserError
from ximstudio.model.words import counted, plural

ID_NAMES = frozenset(
    {"", "id", "ids", "name", "names", "gene", "genes", "gene_id", "geneid", "gene id", "gene name"}
    | {"gene_name", "genename", "gene symbol", "gene_symbol", "genesymbol", "symbol", "symbols"}
    | {"orf", "yorf", "uid", "uniqid", "probe", "probes", "probe_id", "probeid", "probeset", "hugo"}
    | {"probe_set", "probe set", "probe set id", "probe_set_id", "probesetid", "probe id", "locus"}
    | {"locus_tag", "id_ref", "idref", "accession", "ensembl", "ensembl_id", "ensembl_gene_id"}
    | {"ensembl gene id", "entrez", "entrez_id", "entrezid", "entrez gene", "entrez_gene_id"}
    | {"entrez id", "entrez gene id", "transcript", "transcript_id", "protein", "protein_id"}
    | {"sample", "samples", "sample_id", "sampleid", "sample id", "sample name", "sample_name"}
    | {"cell", "cells", "cell_id", "cellid", "barcode", "barcodes", "patient", "patient_id"}
    | {"subject", "subject_id", "unnamed: 0", "index", "row.names", "rownames", "rowname"}
    | {"feature", "feature_id", "target_id", "tracking_id", "systematic name", "systematicname"}
    | {"systematic_name", "reporter", "reporter_id", "clone", "clone_id", "identifier", "geneids"}
)
"""Headers, in lower case, under which a column names the rows even if it holds numbers."""

MOST_TOP = 120
MOST_BOTTOM = 60
"""Rows before the first numbers, and after the last, that are looked at."""

MOST_COLUMNS = 2000
"""Columns that a row is judged by."""

FOOTNOTE = re.compile(
    r"\s*(?:[*†‡§¹²³©#]|--|==|n\s*=|p\s*[<=]|https?:|www\."
    r"|(?:sources?|notes?|legend|abbreviations?|values|data|total|generated|created|exported|end)\b)",
    re.I,
)


@dataclass(frozen=True, kw_only=True)
class Top:
    """Rows above the body, and the first row of it."""

    preamble: tuple[int, ...]
    header: tuple[int, ...]
    first: int
    found: dict[str, Found]


@dataclass(frozen=True, kw_only=True, eq=False)
class Edges:
    """The rows above and below the numbers of a table, looked at one by one.

    `numeric` are the columns that hold numbers, `width` the cells of a row.
    """

    rows: Rows
    width: int
    numeric: tuple[int, ...]
    notation: Notation
    choices: Choices

    def top(self, numbers: Ints) -> Top:
        """The preamble and the header."""
        looked_at = [int(row) for row in numbers[:MOST_TOP]]
        cells = {}
        first = None
        for row in looked_at:
            cells[row] = self.rows.cut(row)
            if self._holds_numbers(cells[row]):
                first = row
                break
        above = [row for row in looked_at if first is None or row < first]
        if first is None:
            first = int(numbers[-1]) + 1 if len(numbers) <= MOST_TOP else int(numbers[MOST_TOP])
        header = self._header_among(above, cells)
        reason = (
            f"{counted(len(header), 'row')} with texts over the columns of numbers"
            f" {plural(len(header), 'comes', 'come')} first."
        )
        sure = len(header) == 1
        if not header and first in cells:
            names, why, sure = self._names(cells[first], numbers, first)
            header, reason = ([first], why) if names else ([], why)
            first = self._next(numbers, first) if names else first
        preamble = [row for row in above if row not in header]
        if self.choices.skip is not None:
            header, preamble = [*preamble, *header], []
        if self.choices.header_rows is not None:
            begin = [*header, *(int(row) for row in numbers[numbers >= first])]
            header = begin[: self.choices.header_rows]
            rest = begin[self.choices.header_rows :]
            first = rest[0] if rest else int(numbers[-1]) + 1
            reason, sure = "You chose it.", True
        before = int(self.rows.lines[header[0] if header else min(first, len(self.rows) - 1)]) - 1
        skipped = "no line" if not preamble else f"{counted(len(preamble), 'line')} of text"
        return Top(
            preamble=tuple(preamble),
            header=tuple(header),
            first=first,
            found={
                "skip": Found(
                    value=str(before if preamble or self.choices.skip else 0),
                    reason="You chose it."
                    if self.choices.skip is not None
                    else f"There is {skipped} above the table.",
                    sure=not preamble or len(header) == 1,
                ),
                "header_rows": Found(value=str(len(header)), reason=reason, sure=sure),
            },
        )

    def refuse_numbers_in(self, preamble: Sequence[int], name: str, word: str) -> None:
        """A row of numbers above the table is another table, and not left out with a note."""
        for row in preamble:
            cells = [cell for cell in self.rows.cut(row) if cell.strip()]
            values = [self.notation.value(cell) for cell in cells]
            if len(cells) > 2 and None not in values[1:]:
                raise UserError(
                    key="load.uneven_rows",
                    what=f"A row of numbers has {self.rows.cells[row]} cells, the table below it"
                    f" {self.width}.",
                    where=f"{name}, {word} {self.rows.lines[row]}",
                    way_out="Complete the row, or keep one table per file; to leave out what is"
                    " above the second, say how many lines that is with --read skip=N.",
                )

    def _header_among(self, above: list[int], cells: dict[int, list[str]]) -> list[int]:
        """The rows above the numbers that name columns: from the first one that is full on."""
        full = [row for row in above if 2 * len(self._filled(cells[row])) >= len(self._looked_at)]
        full = [row for row in full if self.rows.cells[row] >= self.width] or [
            # R writes no name over the names of the rows.
            row
            for row in full
            if self.rows.cells[row] == self.width - 1
        ]
        if not full:
            last = above[-1:]
            partly = last and self.rows.cells[last[0]] >= self.width - 1
            return last if partly and self._filled(cells[last[0]]) else []
        # What stands above a row that ends early is no header, however full it is.
        short = max((row for row in above if self.rows.cells[row] < self.width - 1), default=-1)
        place = above.index(next((row for row in full if row > short), full[0]))
        # "  ;  ; group A; ; group B; ": names over some columns of numbers and nothing else.
        while place and self._names_groups(above[place - 1], cells[above[place - 1]]):
            place -= 1
        return above[place:]

    def _names_groups(self, row: int, cells: list[str]) -> bool:
        if self.rows.cells[row] != self.width or not self._filled(cells):
            return False
        begin = self.numeric[0]
        return begin > 0 and not cells[0].strip()

    @cached_property
    def _looked_at(self) -> tuple[int, ...]:
        """Columns of numbers that rows are judged by: all, or an even choice of very many."""
        return self.numeric[:: max(1, len(self.numeric) // MOST_COLUMNS)]

    def _filled(self, cells: Sequence[str]) -> list[str]:
        """Cells over the numbers that hold anything."""
        shift = self.width - len(cells) if len(cells) == self.width - 1 else 0
        places = (column - shift for column in self._looked_at)
        return [
            cells[place] for place in places if 0 <= place < len(cells) and cells[place].strip()
        ]

    def _holds_numbers(self, cells: Sequence[str]) -> bool:
        if len(cells) < self.width:
            return False
        filled = self._filled(cells)
        numbers = sum(self.notation.value(cell) is not None for cell in filled)
        return bool(filled) and 2 * numbers >= len(filled)

    def _names(self, cells: list[str], numbers: Ints, first: int) -> tuple[bool, str, bool]:
        """Whether a first row of numbers names the columns, why, and whether that is sure."""
        corner = cells[0].strip().lstrip("#").strip().lower()
        if 0 not in self.numeric and corner in ID_NAMES:
            return True, f"The first row begins with {cells[0]!r}, which is no name of a row.", True
        values = [self.notation.value(cell) for cell in self._filled(cells)]
        known = [value for value in values if value is not None and not math.isnan(value)]
        steps = np.diff(known)
        whole = all(value == int(value) for value in known if np.isfinite(value))
        following = self._next(numbers, first)
        if following < len(self.rows) and len(known) == len(self._looked_at) > 2 and whole:
            below = [self.notation.value(cell) for cell in self._filled(self.rows.cut(following))]
            fractions = any(value is not None and value % 1 for value in below)
            if (steps > 0).all() and fractions:
                return True, "The first row holds whole numbers that grow: times or doses.", False
        if 0 in self.numeric:
            return False, "The first row holds numbers, as all others do.", True
        return False, "The first row holds a name and numbers, as all others do.", False

    def _next(self, numbers: Ints, row: int) -> int:
        after = numbers[numbers > row]
        return int(after[0]) if len(after) else row + 1

    def footer(self, numbers: Ints, *, after: int) -> list[int]:
        """Rows below the numbers that are notes: short, without numbers, and worded."""
        found: list[int] = []
        for row in (int(row) for row in numbers[::-1][:MOST_BOTTOM]):
            if row <= after:
                break
            cells = self.rows.cut(row)
            if self._filled(cells) and len(cells) >= self.width:
                break
            if any(self.notation.value(cell) is not None for cell in cells if cell.strip()):
                break
            found.append(row)
        found.reverse()
        while found and not self._is_footnote(found[0], numbers):
            found.pop(0)
        return found

    def _is_footnote(self, row: int, numbers: Ints) -> bool:
        place = int(np.searchsorted(numbers, row))
        gap = place > 0 and int(numbers[place - 1]) < row - 1
        cells = [cell.strip() for cell in self.rows.cut(row) if cell.strip()]
        worded = any(FOOTNOTE.match(cell) or len(cell.split()) > 2 for cell in cells[:1])
        return gap or worded

    def even_header(self, row: int, name: str, word: str, *, short: bool) -> tuple[str, ...]:
        """A header row as wide as the table; one that names fewer or more columns is refused.

        `short` says that all header rows lack one cell.
        """
        cells = self.rows.cut(row)
        while len(cells) > self.width and not cells[-1].strip():
            cells = cells[:-1]
        if len(cells) == self.width:
            return tuple(cells)
        last = self.width - 1
        if len(cells) == last and short:
            sampled = [self.rows.cut(int(number)) for number in self._some_rows(row)]
            blank_end = all(not cells[last].strip() for cells in sampled)
            # R writes no name over the names of the rows; others end each row with a delimiter.
            return (*cells, "") if blank_end else ("", *cells)
        raise UserError(
            key="load.uneven_rows",
            what=f"A row above the numbers has {len(cells)} cells, the rows below {self.width}.",
            where=f"{name}, {word} {self.rows.lines[row]}",
            way_out="Complete the row, or say how many lines come before the header with"
            " --read skip=N and how many header rows there are with --read header_rows=N.",
        )

    def _some_rows(self, row: int) -> Ints:
        return row + 1 + np.flatnonzero(self.rows.cells[row + 1 :] == self.width)[:20]
