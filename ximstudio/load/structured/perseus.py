"""Matrices of Perseus: tab-separated, with rows of types and labels below the header.

A row that begins with `#!{Type}` says of every column whether it holds main values (E), numbers
(N), categories (C), texts (T) or several numbers (M); `#!{C:Name}` and `#!{N:Name}` rows group the
main columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ximstudio.load.account import note
from ximstudio.load.format import Format
from ximstudio.load.headers import key_of, ranked
from ximstudio.load.proteomics.account import named_and_cleared
from ximstudio.load.proteomics.quantities import PEPTIDE_IDS, PROTEIN_IDS
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source
from ximstudio.load.structured.lines import Lines, ends_too_early, first_lines, lines_of, piece_of
from ximstudio.load.structured.rectangle import nothing_to_read, read_rectangle
from ximstudio.load.structured.rectangle_roles import Rectangle, free_name
from ximstudio.model.problem import UserError

KEY = "perseus"
MARK = re.compile(r"#!\{(?:([A-Z]+):)?([^}]*)\}")
MAIN = "E"
GENES = (*PEPTIDE_IDS, *PROTEIN_IDS, r"gene(s|name|names|symbol)?", r"id|name|names")
MOST_ROWS = 200
"""Maximum number of label rows below the header."""


def recognises(source: Source) -> bool:
    """Return whether the row below the header declares types."""
    return any(line.lstrip('"').startswith("#!{Type}") for line in first_lines(source, MOST_ROWS))


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the main columns as features, all others as labels of the rows."""
    lines = lines_of(source, choices, report, part=0.4)
    filled = list(lines.filled(1))
    if not filled:
        raise ends_too_early(lines.where(1), "it has no line of column names.")
    header = [cell.strip() for cell in lines.cells(filled[0])]
    types, labels, first = _annotation(lines, filled[1:], len(header))
    main = {column for column, kind in enumerate(types) if kind == MAIN}
    if not main:
        raise nothing_to_read(f"{lines.name}, row of types")
    texts = frozenset(range(len(header))) - main
    names, reason = _names(header, types, texts)
    rectangle = Rectangle(
        format=KEY,
        header=tuple(header),
        texts=texts,
        names=names,
        reason=reason,
        first=first,
        feature_labels=labels,
        notes=(
            note(
                "types_followed",
                f"The row of types tells {len(main)} main columns; all others are labels.",
                lines.where(filled[1]),
                "Mark columns as main in Perseus if they are values.",
            ),
        ),
    )
    as_rows = choices.replace(items="rows")
    reading = read_rectangle(lines, rectangle, as_rows, piece_of(report, 0.4, 1.0))
    id_name = next((guess.value for guess in reading.guesses if guess.key == "id"), choices.id)
    return named_and_cleared(reading, id_name or "", choices)


def _annotation(
    lines: Lines, numbers: Sequence[int], width: int
) -> tuple[list[str], dict[str, tuple[str, ...]], int]:
    """Return the column types, the labels of the main columns, and the first line of values."""
    types: list[str] = []
    labels: dict[str, tuple[str, ...]] = {}
    for number in numbers:
        cells = lines.cells(number)
        mark = MARK.match(cells[0])
        if mark is None:
            if not types:
                break
            return types, labels, number
        # Blank cells at the end were removed.
        cells = [cells[0][mark.end() :], *cells[1:], *[""] * (width - len(cells))]
        if len(cells) > width:
            raise UserError(
                key="load.uneven_rows",
                what=f"A row of labels has {len(cells)} cells, the header {width}.",
                where=lines.where(number),
                way_out="Write the matrix again with Perseus.",
            )
        if mark[2] == "Type":
            types = [cell.strip() for cell in cells]
        else:
            labels[free_name(mark[2], labels)] = tuple(cell.strip() for cell in cells)
    if types:
        raise nothing_to_read(lines.where(len(lines)))
    raise UserError(
        key="load.not_perseus",
        what="The file has no row of types as a matrix of Perseus has.",
        where=lines.where(1),
        way_out="Leave the format open, so that it is found by content.",
    )


def _names(
    header: Sequence[str], types: Sequence[str], texts: frozenset[int]
) -> tuple[int | None, str]:
    """Return the column that names the rows by its meaning, else the first text column."""
    keys = [key_of(name) for name in header]
    written = [column for column in sorted(texts) if types[column] == "T"]
    meant = ranked(keys, GENES, written)
    if meant:
        return meant[0], f"'{header[meant[0]]}' names every row by what it is."
    return (written[0], "It is the first column of texts.") if written else (None, "")


FORMAT = Format(
    key=KEY, name="Matrix of Perseus", suffixes=(".txt",), recognises=recognises, read=read
)
