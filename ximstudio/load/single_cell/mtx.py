"""Matrix Market files with lists of barcodes and genes beside them, as Cell Ranger writes them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ximstudio.load.account import note
from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.single_cell.genes import (
    FEATURE_TYPE,
    GENE_ID,
    GENE_NAME,
    Named,
    axis_of,
    gene_names,
    numbered,
    of_one_type,
    reading_of,
    stripped,
)
from ximstudio.load.single_cell.market import header_of, is_market, matrix_of
from ximstudio.load.source import Source, memory_to_give, refuse_too_large
from ximstudio.model.matrix import Labels, some_of
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import Table
from ximstudio.model.words import counted

KEY = "10x-mtx"
MATRIX_NAME = re.compile(r"\.mtx(\.gz)?$", re.IGNORECASE)
LIST_NAME = re.compile(r"\.(tsv|txt|csv)(\.gz)?$", re.IGNORECASE)
WORDS = {"barcodes": ("barcodes", "barcode"), "features": ("features", "genes", "feature", "gene")}
"""Words in the names of lists, by what they name."""
MOST_COLUMNS = 50
"""Maximum number of cells per line of a list of names; Cell Ranger writes up to six."""

BYTES_PER_LINE = 200
"""Memory of a line that is split into a name and its position."""

COLUMNS = (GENE_ID, GENE_NAME, FEATURE_TYPE, "chromosome", "start", "end")
HEADINGS = {"", "barcode", "barcodes", "cell", "cell_id", "x"}
HEADINGS |= {"gene", "genes", "gene_id", "gene_name", "gene_symbol", "symbol", "name", "id"}
HEADINGS |= {"feature", "features", "feature_type", "genome", "type"}
"""Headings in the first line of a list."""


@dataclass(frozen=True, kw_only=True)
class List:
    """The lines of a list beside the matrix, split into columns."""

    file: str
    columns: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]
    notes: tuple[Problem, ...] = ()

    def __len__(self) -> int:
        return len(self.numbers)


def recognises(source: Source) -> bool:
    """Return whether it is a Matrix Market file, or a folder with one."""
    if not source.is_folder:
        return is_market(source.head)
    return source.path is not None and bool(_matrices(source.path))


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the matrix with the names beside it; number unnamed rows and columns."""
    matrix, folder = _matrix(source)
    text = matrix.read(report, part=0.3)
    header = header_of(text, matrix.name)
    lists = {role: _list(folder, matrix, words, report) for role, words in WORDS.items()}
    sizes = header.shape
    by_cell, lists = _orientation(lists, sizes, matrix.name)
    values, notes = matrix_of(
        text, header, matrix.name, lambda done: report(0.3 + 0.6 * done), turned=not by_cell
    )
    report(1.0)
    notes += [_comment_note(header.comments, matrix.name)] if header.comments else []
    n_barcodes, n_features = sizes if by_cell else sizes[::-1]
    barcodes, features = lists["barcodes"], lists["features"]
    items, item_labels = _items(barcodes, n_barcodes)
    named, labels = _features(features, n_features, choices)
    table = Table(
        values=values,
        items=axis_of(items, dict(item_labels), barcodes.numbers if barcodes else None),
        features=axis_of(named, dict(labels), features.numbers if features else None),
        source=source.name,
    )
    table, more, left = of_one_type(table, choices, features.file if features else matrix.name)
    notes += [each for found in lists.values() if found for each in found.notes]
    notes += [*items.notes, *named.notes, *left, *_numbered_notes(lists, matrix.name)]
    guesses = (_cells_guess(by_cell, lists, sizes), *more, *named.guesses)
    return reading_of(table, choices, KEY, guesses, notes)


def _matrices(folder: Path) -> list[Path]:
    """Return the matrix files directly in a folder."""
    try:
        return sorted(path for path in folder.iterdir() if MATRIX_NAME.search(path.name))
    except OSError:
        return []


def _matrix(source: Source) -> tuple[Source, Path | None]:
    """Return the matrix file, and the folder in which names may be."""
    if source.path is None or not source.is_folder:
        return source, None if source.path is None else source.path.parent
    found = _matrices(source.path)
    if len(found) != 1:
        raise UserError(
            key="load.which_file",
            what=f"The folder holds {len(found)} matrices (files that end in .mtx or .mtx.gz).",
            where=f"{source.name}: {some_of([path.name for path in found])}",
            way_out="Open the matrix file itself that you mean; the names beside it are found.",
        )
    return _inside(found[0], source.path), source.path


def _inside(path: Path, folder: Path) -> Source:
    """Return a file of a folder; refuse a link."""
    try:
        outside = path.resolve().parent != folder.resolve()
    except (OSError, RuntimeError):
        outside = True
    if outside:
        raise UserError(
            key="load.outside_link",
            what="The file is a link to another folder, and such links are not followed.",
            where=str(path),
            way_out="Copy the file itself into the folder.",
        )
    return Source.at(path, str(path))


def _list(folder: Path | None, matrix: Source, words: Sequence[str], report: Report) -> List | None:
    """Read the list of names beside a matrix; None if there is none."""
    path = folder and matrix.path and _neighbour(folder, matrix.path.name, words)
    if folder is None or path is None:
        return None
    source = _inside(path, folder)
    return _cut(source.read(lambda _: report(0.3)), source)


def _neighbour(folder: Path, matrix: str, words: Sequence[str]) -> Path | None:
    """Return the only file with these words in its name and the matrix's beginning; else None."""
    stem = MATRIX_NAME.sub("", matrix.lower())
    before, _, after = stem.rpartition("matrix")
    prefixes = [before] if "matrix" in stem else [stem, ""]
    try:
        names = sorted(path.name for path in folder.iterdir() if LIST_NAME.search(path.name))
    except OSError:
        return None
    packed = matrix.lower().endswith(".gz")
    # The same packing first: unpacking one file of three leaves both versions behind.
    names.sort(key=lambda name: name.lower().endswith(".gz") != packed)
    for prefix in prefixes:
        bare = {
            name: LIST_NAME.sub("", name.lower().removeprefix(prefix)).lstrip("._- ")
            for name in names
            if name.lower().startswith(prefix)
        }
        for word in words:
            exact = [name for name, rest in bare.items() if rest in {word, word + after}]
            if exact:
                return folder / exact[0]
        loose = [name for name, rest in bare.items() if any(word in rest for word in words)]
        if len({LIST_NAME.sub("", name) for name in loose}) == 1 and prefix:
            return folder / loose[0]
    return None


def _cut(raw: bytes, source: Source) -> List:
    """Split the lines of a list of names at tabs (or commas, in a .csv file)."""
    refuse_too_large(raw.count(b"\n") * BYTES_PER_LINE, memory_to_give(), source.name)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    filled = [lines[number - 1] for number in numbers]
    name = source.path.name.lower() if source.path else ""
    delimiter = "," if ".csv" in name else "\t"
    try:
        rows = list(csv.reader(filled, delimiter=delimiter)) if '"' in text else None
    except csv.Error:
        rows = None
    if rows is None or len(rows) != len(filled):
        rows = [line.split(delimiter) for line in filled]
    width = max(map(len, rows), default=0)
    if width > MOST_COLUMNS:
        widest = next(place for place, row in enumerate(rows) if len(row) == width)
        raise UserError(
            key="load.not_a_list",
            what=f"A line has {width} cells: this is no list of names.",
            where=f"{source.name}, line {numbers[widest]}",
            way_out="Write one name per line; or move the matrix to a folder of its own to read it"
            " without names.",
        )
    columns = tuple(
        tuple(row[column] if column < len(row) else "" for row in rows) for column in range(width)
    )
    return List(file=source.name, columns=columns, numbers=tuple(numbers))


def _orientation(
    lists: dict[str, List | None], sizes: tuple[int, int], matrix: str
) -> tuple[bool, dict[str, List | None]]:
    """Return whether the rows of the matrix are cells, and the lists without heading lines."""
    for by_cell in (False, True):
        lengths = sizes if by_cell else sizes[::-1]
        pairs = zip(lists.items(), lengths, strict=True)
        fitting = {role: _of_length(found, length) for (role, found), length in pairs}
        if all((fitting[role] is None) == (lists[role] is None) for role in lists):
            return by_cell, fitting
    there = [f"{len(found)} {role} in {found.file}" for role, found in lists.items() if found]
    raise UserError(
        key="load.uneven",
        what=f"The matrix has {sizes[0]} rows and {sizes[1]} columns, and the files beside it"
        f" name {' and '.join(there)}.",
        where=matrix,
        way_out="Put the files of one sample together; or move the matrix to a folder of its own"
        " to read it without names.",
    )


def _of_length(found: List | None, length: int) -> List | None:
    if found is None or len(found) == length:
        return found
    if len(found) != length + 1:
        return None
    heading = [column[0].strip() for column in found.columns]
    if not all(word.lower() in HEADINGS for word in heading):
        return None
    what = "The first line names columns; it was not taken for a name."
    where = f"{found.file}, line {found.numbers[0]}: {', '.join(heading)[:80]!r}"
    return replace(
        found,
        columns=tuple(column[1:] for column in found.columns),
        numbers=found.numbers[1:],
        notes=(note("heading_left_out", what, where, "Nothing, if that is so."),),
    )


def _items(barcodes: List | None, count: int) -> tuple[Named, Labels]:
    if barcodes is None:
        return Named(names=numbered("item", count)), {}
    named = stripped(barcodes.columns[0], barcodes.file)
    more = enumerate(barcodes.columns[1:], 2)
    return named, {f"column {number}": texts for number, texts in more}


def _features(features: List | None, count: int, choices: Choices) -> tuple[Named, Labels]:
    if features is None:
        return Named(names=numbered("feature", count)), {}
    columns = features.columns
    known = len(columns) in {1, 2, 3, len(COLUMNS)}
    labels = {
        COLUMNS[number] if known or number < 3 else f"column {number + 1}": texts
        for number, texts in enumerate(columns)
    }
    symbols = columns[1] if len(columns) > 1 else None
    named = gene_names(columns[0], symbols, choices, features.file)
    return named, labels if len(columns) > 1 else {}


def _cells_guess(by_cell: bool, lists: dict[str, List | None], sizes: tuple[int, int]) -> Guess:
    side = "rows" if by_cell else "columns"
    known = [role for role, found in lists.items() if found is not None]
    reason = "Matrices of this kind have cells in columns; no names were found that could tell."
    if known:
        reason = f"The matrix is {sizes[0]} × {sizes[1]}, and that fits the {' and '.join(known)}."
    return Guess(
        key="cells",
        label="Cells",
        value=side,
        reason=reason,
        sure=bool(known) and sizes[0] != sizes[1],
    )


def _numbered_notes(lists: dict[str, List | None], matrix: str) -> Iterator[Problem]:
    for role in (role for role, found in lists.items() if found is None):
        what = f"There is no file with {role} beside the matrix: they are numbered."
        way_out = f"Put {role}.tsv (or {role}.tsv.gz) into the folder of the matrix."
        yield note("no_names", what, matrix, way_out)


def _comment_note(comments: Sequence[str], matrix: str) -> Problem:
    what = f"{counted(len(comments), 'comment line is', 'comment lines are')} not in the table."
    where = f"{matrix}: {some_of([comment[:80] for comment in comments])}"
    return note("comments", what, where, "Nothing, unless they say something about the values.")


FORMAT = Format(
    key=KEY,
    name="10x Genomics matrix (folder or .mtx)",
    suffixes=(".mtx", ".mtx.gz"),
    recognises=recognises,
    read=read,
    rows="cells",
    columns="genes",
)
