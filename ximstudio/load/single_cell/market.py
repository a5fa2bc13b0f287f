"""Matrix Market files: the header is checked, the numbers are parsed by SciPy in pieces."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ximstudio.load.reading import Report
from ximstudio.load.single_cell.compressed import LARGEST_WHOLE, repeated_cells, rounded
from ximstudio.load.source import HARMLESS, MOST_GROWTH, memory_to_give, refuse_too_large
from ximstudio.model.problem import Problem, UserError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BANNER = b"%%matrixmarket"
FIELDS = {"integer", "real", "double", "pattern", "unsigned-integer"}
SYMMETRIES = {"general", "symmetric", "skew-symmetric", "hermitian"}
PIECE = 8 * 1024 * 1024
"""Bytes of text that are parsed between two reports."""

BYTES_PER_NAME = 100
"""Memory of an otherwise empty row or column, for its name."""

SIZE = re.compile(r"[0-9]{1,18}")
BLANK_LINE = re.compile(rb"(?m)^[ \t\r]*\n")

# SciPy's reader takes the 1 of "1,5" without a word, and breaks down on a NUL: whole lines are
# looked at before it gets them. Possessive repeats (++) keep that fast.
NUMBER = rb"[+-]?+(?:(?:\d++\.?+\d*+|\.\d++)(?:[eE][+-]?+\d++)?+|(?i:nan|inf(?:inity)?+))"
PLACE = rb"\d++[ \t]++\d++"


def _lines_of(content: bytes) -> re.Pattern[bytes]:
    """Return a pattern of any number of lines with this content."""
    return re.compile(rb"(?:[ \t]*+(?:" + content + rb"[ \t]*+)?+\r?+\n)*+")


ENTRIES = {True: _lines_of(PLACE), False: _lines_of(PLACE + rb"[ \t]++" + NUMBER)}
"""Lines of entries, without values in a pattern and with them in other matrices."""

CELLS = _lines_of(NUMBER)
LINE_OF_ERROR = re.compile(r"^Line (\d+): *")


Entries: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]
"""Row, column and value of every entry."""


@dataclass(frozen=True, kw_only=True)
class MarketHeader:
    """The first lines of a file, and the position of the numbers."""

    coordinates: bool
    field: str
    symmetry: str
    shape: tuple[int, int]
    n_entries: int
    start: int
    lines: int
    """Number of lines before the numbers."""
    comments: tuple[str, ...]


def is_market(head: bytes) -> bool:
    """Return whether a text begins like a Matrix Market file."""
    return head[: len(BANNER)].lower() == BANNER


def header_of(text: bytes, name: str) -> MarketHeader:
    """Read the header of a file; refuse sizes that do not fit its bytes."""
    lines = _lines(text)
    words = next(lines)[1].decode("latin-1").lower().split()
    if not is_market(text) or len(words) != 5 or words[1] != "matrix":
        raise _not_market(name, 1, "The first line is not a Matrix Market banner with five words.")
    _, _, layout, field, symmetry = words
    for word, known in ((layout, {"coordinate", "array"}), (symmetry, SYMMETRIES)):
        if word not in known:
            raise _not_market(name, 1, f"'{word[:40]}' is not known.")
    if field not in FIELDS:
        raise _not_market(name, 1, f"Values of kind '{field[:40]}' are no real numbers.")
    comments = []
    for number, line, end in lines:
        plain = line.decode("latin-1").strip()
        if plain.startswith("%"):
            comments.append(plain)
        elif plain:
            sizes = _sizes(plain, 3 if layout == "coordinate" else 2, name, number)
            header = MarketHeader(
                coordinates=layout == "coordinate",
                field=field,
                symmetry=symmetry,
                shape=(sizes[0], sizes[1]),
                n_entries=sizes[2] if layout == "coordinate" else _n_listed(sizes, symmetry),
                start=end,
                lines=number,
                comments=tuple(comment for comment in comments if comment.strip("% ")),
            )
            _refuse_untrue(header, len(text), name)
            return header
    raise _not_market(name, 1, "There is no line with the size of the matrix.")


def matrix_of(
    text: bytes, header: MarketHeader, name: str, report: Report, *, turned: bool
) -> tuple[csr_array[np.float64], list[Problem]]:
    """Return the matrix, transposed if `turned`, as sparse rows, and notes about changes."""
    from scipy.sparse import coo_array

    read_entries = _entries if header.coordinates else _all_cells
    rows, columns, values = read_entries(text, header, name, report)
    if header.symmetry != "general" and header.coordinates:
        rows, columns, values = _mirrored(rows, columns, values, header.symmetry)
    places, shape = (rows, columns), header.shape
    if turned:
        places, shape = places[::-1], shape[::-1]
    found = coo_array((values, places), shape=shape).tocsr()
    notes = repeated_cells(len(values) - found.nnz, name)
    large = int((np.abs(values) >= LARGEST_WHOLE).sum()) if "integer" in header.field else 0
    if large:
        notes.append(rounded(large, name))
    return found, notes


def _entries(text: bytes, header: MarketHeader, name: str, report: Report) -> Entries:
    """Return row, column and value of every entry."""
    parts = []
    before = header.lines
    found = 0
    for piece, end in _pieces(text, header.start):
        _refuse_other_lines(piece, ENTRIES[header.field == "pattern"], name, before)
        count = _n_filled(piece)
        found += count
        if found > header.n_entries:
            raise _uncounted(header, name, "more")
        if count:
            # Some files declare integers and hold fractions; the fractions are meant.
            field = "pattern" if header.field == "pattern" else "real"
            banner = f"coordinate {field} general\n{header.shape[0]} {header.shape[1]} {count}"
            part = _parsed(banner, piece, name, before)
            parts.append((part.row, part.col, part.data.astype(np.float64, copy=False)))
        before += piece.count(b"\n")
        report(end / len(text))
    if found < header.n_entries:
        raise _uncounted(header, name, f"only {found}")
    if not parts:
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0)
    rows, columns, values = (np.concatenate(side) for side in zip(*parts, strict=True))
    return rows, columns, values


def _n_filled(piece: bytes) -> int:
    """Count the lines that are not blank."""
    letters = np.frombuffer(piece, dtype=np.uint8)
    ends = np.flatnonzero(letters == ord("\n"))
    first = letters[np.concatenate(([0], ends[:-1] + 1))]
    # The pattern is slow, and needed only where a line begins with white space.
    blank = len(BLANK_LINE.findall(piece)) if np.any(first <= ord(" ")) else 0
    return len(ends) - blank


def _all_cells(text: bytes, header: MarketHeader, name: str, _: Report) -> Entries:
    body = text[header.start :]
    body = body if body.endswith(b"\n") else body + b"\n"
    _refuse_other_lines(body, CELLS, name, header.lines)
    banner = f"array real {header.symmetry}\n{header.shape[0]} {header.shape[1]}"
    dense = _parsed(banner, body, name, header.lines)
    rows, columns = np.nonzero(dense)
    return rows, columns, np.asarray(dense[rows, columns], dtype=np.float64)


def _refuse_other_lines(
    piece: bytes, lines: re.Pattern[bytes], name: str, lines_before: int
) -> None:
    """Refuse a malformed line, with its number."""
    sound = lines.match(piece)
    end = sound.end() if sound else 0
    if end == len(piece):
        return
    line = lines_before + piece.count(b"\n", 0, end) + 1
    wrong = piece[end : end + 60].split(b"\n")[0].decode("latin-1")
    raise UserError(
        key="load.not_a_number",
        what="A line of the matrix is not made of row, column and value.",
        where=f"{name}, line {line}: {wrong!r}",
        way_out="Correct that line, or write the file again.",
    )


def _parsed(header: str, lines: bytes, name: str, lines_before: int) -> Any:
    """Return the matrix in some lines; those of the file come after so many others."""
    from scipy.io import mmread

    try:
        return mmread(io.BytesIO(f"%%MatrixMarket matrix {header}\n".encode() + lines))
    except (ValueError, OverflowError, TypeError, RuntimeError) as error:
        reason = str(error)
        line = LINE_OF_ERROR.match(reason)
        # Two of the lines are those of the header.
        at = f", line {int(line[1]) + lines_before - 2}" if line else ""
        raise UserError(
            key="load.not_a_number",
            what=f"The matrix cannot be read: {LINE_OF_ERROR.sub('', reason)[:200]}",
            where=f"{name}{at}",
            way_out="Correct that line, or write the file again.",
        ) from None


def _mirrored(
    rows: NDArray[Any], columns: NDArray[Any], values: NDArray[np.float64], symmetry: str
) -> Entries:
    """Return the entries with the mirror images that symmetric files leave out."""
    off = rows != columns
    sign = -1.0 if symmetry == "skew-symmetric" else 1.0
    return (
        np.concatenate((rows, columns[off])),
        np.concatenate((columns, rows[off])),
        np.concatenate((values, sign * values[off])),
    )


def _lines(text: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Yield number, content and end of every line."""
    number, start = 0, 0
    while start < len(text) or number == 0:
        end = text.find(b"\n", start)
        end = len(text) if end < 0 else end + 1
        number += 1
        yield number, text[start:end], end
        start = end


def _pieces(text: bytes, start: int) -> Iterator[tuple[bytes, int]]:
    """Yield groups of whole lines, each with its end."""
    while start < len(text):
        end = len(text)
        if end - start > PIECE:
            end = text.find(b"\n", start + PIECE) + 1 or len(text)
        piece = text[start:end]
        yield piece if piece.endswith(b"\n") else piece + b"\n", end
        start = end


def _sizes(line: str, expected: int, name: str, number: int) -> list[int]:
    words = line.split()
    if len(words) != expected or not all(map(SIZE.fullmatch, words)):
        what = f"{expected} whole numbers are expected, not {line[:60]!r}."
        raise _not_market(name, number, what)
    return [int(word) for word in words]


def _n_listed(sizes: list[int], symmetry: str) -> int:
    rows, columns = sizes
    if symmetry == "general":
        return rows * columns
    return rows * (rows - 1) // 2 if symmetry == "skew-symmetric" else rows * (rows + 1) // 2


def _refuse_untrue(header: MarketHeader, size: int, name: str) -> None:
    """Refuse sizes that the rest of the file cannot fill."""
    rows, columns = header.shape
    if header.symmetry != "general" and rows != columns:
        raise _not_market(
            name, header.lines, f"A {header.symmetry} matrix of {rows} × {columns} is not square."
        )
    shortest = (4 if header.field == "pattern" else 6) if header.coordinates else 2
    if header.n_entries * shortest > size - header.start + 1:
        raise _uncounted(header, name, "fewer")
    needed = (rows + columns) * BYTES_PER_NAME
    if needed > HARMLESS and needed > MOST_GROWTH * size:
        raise UserError(
            key="load.bomb",
            what=f"The header declares {rows} × {columns} cells, in a file of {size} bytes.",
            where=f"{name}, line {header.lines}",
            way_out="Correct that line, or fetch the file again.",
        )
    cells = 0 if header.coordinates else rows * columns * 8
    refuse_too_large(
        max(needed, header.n_entries * 32, cells), memory_to_give(), f"{name}, line {header.lines}"
    )


def _uncounted(header: MarketHeader, name: str, there: str) -> UserError:
    return UserError(
        key="load.truncated",
        what=f"The header declares {header.n_entries} entries, and there are {there}.",
        where=f"{name}, line {header.lines}",
        way_out="The file is incomplete or was changed: fetch or write it again.",
    )


def _not_market(name: str, line: int, what: str) -> UserError:
    return UserError(
        key="load.not_a_matrix",
        what=what,
        where=f"{name}, line {line}",
        way_out="Write the matrix again as Matrix Market, or as TSV or CSV.",
    )
