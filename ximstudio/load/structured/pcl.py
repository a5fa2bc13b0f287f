"""PCL and CDT: tables of Cluster and TreeView, with weights and tree positions as labels.

The trees themselves are in other files (.gtr, .atr) and are not read. Cells are separated by tabs;
a tab or a newline inside a cell is not supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from ximstudio.load.account import note
from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.source import Source
from ximstudio.load.structured.lines import (
    Lines,
    cells_of,
    ends_too_early,
    first_lines,
    lines_of,
    piece_of,
)
from ximstudio.load.structured.rectangle import nothing_to_read, read_rectangle
from ximstudio.load.structured.rectangle_roles import Rectangle, free_names
from ximstudio.load.text.notation import Notation
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.words import counted

KEY = "pcl"

GENE_COLUMNS = frozenset({"GID", "NAME", "GWEIGHT", "GORDER", "FGCOLOR", "BGCOLOR", "LEAF"})
"""Columns of texts, in upper case, that both programs know besides the one with the ids."""

ARRAY_ROWS = frozenset({"AID", "EWEIGHT", "EORDER", "FGCOLOR", "BGCOLOR"})
"""Rows above the values, in upper case."""

MARKS = ARRAY_ROWS - {"FGCOLOR", "BGCOLOR"}

TREE_GENE = re.compile(r"GENE\d+X")

BEGINNING = 12
"""Number of columns in which the weights of genes are searched."""

MOST_TEXTS = 100
"""Number of further text columns above which the table is considered to have no values."""

LOOKED_AT = 50
"""Rows from which the first value column is guessed, if nothing else determines it."""


def recognises(source: Source) -> bool:
    """Return whether weights or tree positions are where these files have them."""
    header, *rows = [_upper(cells_of(line)) for line in first_lines(source, 6)] or [[]]
    if len(header) < 3:
        return False
    # The header alone must suffice: of a wide table it is all that the head holds.
    if "GWEIGHT" in header[:BEGINNING] or any(row[:1] and row[0] in MARKS for row in rows[:4]):
        return True
    genes = [row[0] for row in rows if row]
    return header[0] == "GID" and bool(genes) and all(map(TREE_GENE.fullmatch, genes))


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table: genes are items, samples are features, and weights are labels."""
    lines = lines_of(source, choices, report, part=0.4)
    filled = list(islice(lines.filled(1), LOOKED_AT + len(ARRAY_ROWS) + 1))
    if len(filled) < 2:
        raise ends_too_early(lines.where(max(len(lines), 1)), "it has no rows.")
    header = lines.cells(filled[0])
    labels = dict(_array_rows(lines, filled[1:], len(header)))
    rows = filled[1 + len(labels) :]
    if not rows:
        raise nothing_to_read(lines.where(len(lines)))
    begin, reason = _first_value(lines, header, labels.values(), rows)
    names, why = _names(header, begin)
    called = free_names(cells[0].strip() for cells in labels.values())
    rectangle = Rectangle(
        format=KEY,
        header=tuple(header),
        texts=frozenset(range(begin)),
        names=names,
        reason=why,
        first=rows[0],
        feature_labels=dict(zip(called, labels.values(), strict=True)),
        guesses=(
            Guess(
                key="values", label="Values begin in", value=f"column {begin + 1}", reason=reason
            ),
        ),
        notes=tuple(_corner(lines, labels, begin)),
    )
    reading = read_rectangle(lines, rectangle, choices, piece_of(report, 0.4, 1.0))
    return _with_weight_notes(reading, lines.name)


def _upper(cells: Iterable[str]) -> list[str]:
    return [cell.strip().upper() for cell in cells]


def _array_rows(
    lines: Lines, numbers: list[int], width: int
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the rows between header and values: line → cells, one per column."""
    for number in numbers:
        cells = lines.cells(number)
        if not cells or cells[0].strip().upper() not in ARRAY_ROWS:
            return
        if len(cells) > width:
            raise UserError(
                key="load.uneven_rows",
                what=f"The row '{cells[0].strip()}' has {len(cells)} cells, but there are {width}"
                " columns.",
                where=lines.where(number),
                way_out="Complete the header, or shorten this row.",
            )
        yield number, (*cells, *[""] * (width - len(cells)))


def _first_value(
    lines: Lines, header: list[str], array_rows: Iterable[tuple[str, ...]], rows: list[int]
) -> tuple[int, str]:
    """Return the index of the first value column, and the reason."""
    upper = _upper(header)
    known = max(
        (place for place, name in enumerate(upper[:BEGINNING]) if name in GENE_COLUMNS), default=0
    )
    starts = (
        (place for place, cell in enumerate(row) if place and cell.strip()) for row in array_rows
    )
    marked = max((next(places, 0) for places in starts), default=0)
    if "GWEIGHT" not in upper[:BEGINNING] and marked > known:
        return marked, "The rows above the values are blank up to there."
    cells = [lines.cells(number) for number in rows[:LOOKED_AT]]
    for place in range(known + 1, min(len(header), known + 1 + MOST_TEXTS)):
        texts = [Notation().value(row[place]) is None for row in cells if len(row) > place]
        # The parser of numbers refuses a few texts among them; they must not become labels.
        if 2 * sum(texts) <= len(texts):
            return place, (
                f"It is the first after '{header[known]}' that holds numbers in the first"
                f" {len(cells)} rows."
            )
    raise UserError(
        key="load.no_values",
        what=f"No column after '{header[known]}' holds numbers.",
        where=f"{lines.where(rows[0])} and below",
        way_out="Correct texts among the values, or read the file as text.",
        fields=("format",),
        form=SettingsForm.READING,
    )


def _names(header: list[str], begin: int) -> tuple[int, str]:
    """Return the column that names the genes, and the reason."""
    upper = _upper(header[:begin])
    own = [
        place
        for place, name in enumerate(upper)
        if name not in GENE_COLUMNS or (place > 0 and name == "GID")
    ]
    if own:
        return own[0], "It is the first column that is neither weight, tree nor description."
    return 0, "It is the first column."


def _corner(lines: Lines, array_rows: dict[int, tuple[str, ...]], begin: int) -> Iterator[Problem]:
    for number, cells in array_rows.items():
        texts = [cell for cell in cells[1:begin] if cell.strip()]
        if texts:
            yield note(
                "corner_texts",
                f"{counted(len(texts), 'cell stands', 'cells stand')} where no weight of a sample"
                f" is, left out of the table (first: {texts[0]!r}).",
                lines.where(number),
            )


def _with_weight_notes(reading: Reading, name: str) -> Reading:
    """Return the reading with a note if any weight is not 1."""
    notes = list(reading.notes)
    for axis in (reading.table.items, reading.table.features):
        for label, texts in axis.labels.items():
            weights = texts if label.upper() in {"GWEIGHT", "EWEIGHT"} else ()
            odd = [text for text in weights if not _is_one(text)]
            if odd:
                what = (
                    f"{len(odd)} of {len(texts)} weights are not 1 (first: {odd[0]!r}); weights"
                    " are kept as a label and not used."
                )
                notes.append(note("weights_unused", what, f"{name}, {label}"))
    return replace(reading, notes=tuple(notes))


def _is_one(text: str) -> bool:
    try:
        return float(text) == 1.0
    except ValueError:
        return False


FORMAT = Format(
    key=KEY,
    name="PCL or CDT (Cluster, TreeView)",
    suffixes=(".pcl", ".cdt", ".pcl.gz", ".cdt.gz"),
    recognises=recognises,
    read=read,
)
