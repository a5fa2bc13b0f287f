"""Compressed sparse matrices of HDF5 files (data, indices, indptr) as sparse rows."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.load.account import note
from ximstudio.load.reading import Report
from ximstudio.load.single_cell.hdf5 import Branch, Leaf
from ximstudio.load.source import PIECE, memory_to_give, refuse_too_large
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.words import counted

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LARGEST_WHOLE = 2**53
"""Largest integer up to which float64 is exact."""

MOST_INT32 = 2**31 - 1

NAMES = ("data", "indices", "indptr")


def sparse_rows(
    branch: Branch, shape: tuple[int, int], *, by_column: bool, report: Report
) -> tuple[csr_array[np.float64], list[Problem]]:
    """Read the matrix of a group with data, indices and indptr, and notes about changes.

    `by_column` says that the group holds the columns one after the other, not the rows.
    """
    from scipy.sparse import csr_array

    majors, minors = shape[::-1] if by_column else shape
    data, indices, indptr = (branch.leaf(name) for name in NAMES)
    _refuse_lengths(branch, data, indices, indptr, majors)
    n_stored = data.shape[0]
    kind = np.int32 if max(n_stored, majors, minors) <= MOST_INT32 else np.int64
    each = np.dtype(kind).itemsize
    needed = n_stored * (8 + each) * (2 if by_column else 1) + (majors + minors) * each
    refuse_too_large(needed, memory_to_give(), branch.address)

    starts = _starts(indptr, n_stored, kind)
    numbers = _numbers(indices, minors, kind, lambda done: report(0.4 * done))
    values, notes = floats(data, lambda done: report(0.4 + 0.4 * done))
    _sort(values, numbers, starts, minors, lambda done: report(0.8 + 0.1 * done))
    rows = csr_array((values, numbers, starts), shape=(majors, minors))
    rows.sum_duplicates()
    notes += repeated_cells(n_stored - rows.nnz, branch.address)
    if by_column:
        rows = _rows_from_columns(rows, lambda done: report(0.9 + 0.1 * done))
    report(1.0)
    return rows, notes


def floats(leaf: Leaf, report: Report) -> tuple[Floats, list[Problem]]:
    """Return a data set as float64, and a note if some numbers were changed by that."""
    if not leaf.is_number:
        raise UserError(
            key="load.not_numbers",
            what=f"The values are of type {leaf.dtype}, not real numbers.",
            where=leaf.address,
            way_out="Choose another part of the file, or write the file again.",
            fields=("part",),
            form=SettingsForm.READING,
        )
    leaf.refuse_oversize()
    values = np.empty(leaf.shape, dtype=np.float64)
    refuse_too_large(values.nbytes, memory_to_give(), leaf.address)
    changed = 0
    for first, piece in leaf.pieces(report):
        values[first : first + len(piece)] = piece
        changed += _changed(piece)
    return values, [rounded(changed, leaf.address)] if changed else []


def rounded(count: int, where: str) -> Problem:
    """Return the note that so many numbers may be rounded."""
    return note(
        "rounded",
        f"{counted(count, 'value has', 'values have')} more digits than the 15 that are kept"
        " for certain.",
        where,
        "Nothing needs to be done, unless such differences matter to you.",
    )


def repeated_cells(count: int, where: str) -> list[Problem]:
    """Return a note if values were added to others of the same cell."""
    what = f"{counted(count, 'value is', 'values are')} for a cell that has one already; these"
    way_out = "Check how the file was made, if you did not expect that."
    added = note("cells_repeated", f"{what} were added up.", where, way_out)
    return [added] if count else []


def _rows_from_columns(columns: csr_array[Any], report: Report) -> csr_array[Any]:
    """Transpose to sparse rows, piece by piece, so that it can be cancelled."""
    from scipy.sparse import csr_array

    n_columns, n_rows = columns.shape
    kind = columns.indices.dtype
    counts = np.bincount(columns.indices, minlength=n_rows)
    starts = np.zeros(n_rows + 1, dtype=kind)
    np.cumsum(counts, out=starts[1:])
    free = starts[:-1].astype(np.int64)
    numbers = np.empty(columns.nnz, dtype=kind)
    values = np.empty(columns.nnz, dtype=np.float64)
    for first, last in _blocks(columns.indptr, n_rows):
        block = columns[first:last].T.tocsr()
        lengths = np.diff(block.indptr)
        place = np.repeat(free - block.indptr[:-1], lengths) + np.arange(block.nnz)
        numbers[place] = block.indices + first
        values[place] = block.data
        free += lengths
        report(last / n_columns)
    return csr_array((values, numbers, starts), shape=(n_rows, n_columns))


def _blocks(starts: NDArray[Any], at_least: int) -> list[tuple[int, int]]:
    """Return ranges of rows with about one piece of values each."""
    most = max(PIECE, at_least)
    ends = np.searchsorted(starts, np.arange(most, int(starts[-1]) + most, most), side="right") - 1
    bounds = np.unique(np.concatenate(([0], np.maximum(ends, 0), [len(starts) - 1])))
    return [(a, b) for a, b in pairwise(bounds.tolist())]


def _refuse_lengths(branch: Branch, data: Leaf, indices: Leaf, indptr: Leaf, majors: int) -> None:
    for leaf in (data, indices, indptr):
        leaf.refuse_other_than_list()
    if data.shape != indices.shape:
        raise branch.damaged(
            f"There are {data.shape[0]} values (data) but {indices.shape[0]} places (indices)."
        )
    if indptr.shape[0] != majors + 1:
        raise branch.damaged(
            f"The list of starts (indptr) has {indptr.shape[0]} entries"
            f" where the shape asks for {majors + 1}."
        )
    for leaf in (indices, indptr):
        if leaf.dtype.kind not in "iu":
            raise leaf.damaged(f"Whole numbers are expected here, not {leaf.dtype}.")


def _starts(indptr: Leaf, n_stored: int, kind: type[np.signedinteger[Any]]) -> NDArray[Any]:
    starts = indptr.whole()
    if starts[0] != 0 or starts[-1] != n_stored or np.any(starts[1:] < starts[:-1]):
        raise indptr.damaged(f"The list of starts does not go from 0 up to {n_stored}.")
    return starts.astype(kind)


def _numbers(
    indices: Leaf, minors: int, kind: type[np.signedinteger[Any]], report: Report
) -> NDArray[Any]:
    indices.refuse_oversize()
    numbers = np.empty(indices.shape, dtype=kind)
    for first, piece in indices.pieces(report):
        if piece.min() < 0 or piece.max() >= minors:
            wrong = int(np.flatnonzero((piece < 0) | (piece >= minors))[0])
            raise indices.damaged(
                f"Entry {first + wrong + 1} is {piece[wrong]}, outside 0 to {minors - 1}."
            )
        numbers[first : first + len(piece)] = piece
    return numbers


def _sort(
    values: Floats, numbers: NDArray[Any], starts: NDArray[Any], minors: int, report: Report
) -> None:
    """Sort the values of every row by column, in place."""
    from scipy.sparse import csr_array

    for first, last in _blocks(starts, 0):
        begin, end = starts[first], starts[last]
        block = csr_array(
            (values[begin:end], numbers[begin:end], starts[first : last + 1] - begin),
            shape=(last - first, minors),
            copy=False,
        )
        if not block.has_sorted_indices:
            block.sort_indices()
            # It sorts in place unless it had to copy its input.
            values[begin:end], numbers[begin:end] = block.data, block.indices
        report(last / max(len(starts) - 1, 1))


def _changed(piece: NDArray[Any]) -> int:
    """Count the numbers that float64 cannot hold exactly."""
    if piece.dtype.kind in "iu" and piece.dtype.itemsize == 8:
        large = (piece > LARGEST_WHOLE) | (piece < -LARGEST_WHOLE)
        return sum(int(float(number)) != int(number) for number in piece[large].tolist())
    if piece.dtype.kind == "f" and piece.dtype.itemsize > 8:
        return int((piece.astype(np.float64).astype(piece.dtype) != piece)[~np.isnan(piece)].sum())
    return 0
