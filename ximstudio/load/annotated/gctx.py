"""GCTX files: GCT as HDF5, with genes in rows and samples in columns.

Format: https://clue.io/connectopedia/gctx_format; the matrix lies in the file column by column.
"""

from __future__ import annotations

from ximstudio.load.account import items_guess
from ximstudio.load.annotated.attributes import labels_of
from ximstudio.load.format import Format, Hdf5Layout
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.single_cell import hdf5_kinds
from ximstudio.load.single_cell.compressed import floats
from ximstudio.load.single_cell.genes import axis_of, reading_of, stripped
from ximstudio.load.single_cell.hdf5 import Branch, is_hdf5
from ximstudio.model.problem import Problem
from ximstudio.model.table import Axis, Table

KEY = "gctx"
MATRIX = "0/DATA/0/matrix"
ROW, COLUMN = "0/META/ROW", "0/META/COL"
ID = "id"


def read_from(root: Branch, choices: Choices, report: Report) -> Reading:
    """Read the matrix of an opened file."""
    leaf = root.leaf(MATRIX)
    if len(leaf.shape) != 2:
        raise leaf.damaged(f"Rows and columns are expected, not an array of shape {leaf.shape}.")
    n_columns, n_rows = leaf.shape
    rows, row_notes = _side(root.branch(ROW), n_rows)
    columns, column_notes = _side(root.branch(COLUMN), n_columns)
    values, changed = floats(leaf, report)
    table = Table(values=values.T, items=rows, features=columns, source=root.file)
    guess = items_guess(
        choices,
        "The format fixes it: genes are rows, samples are columns.",
        rows="the genes",
        columns="the samples",
    )
    return reading_of(table, choices, KEY, (guess,), (*changed, *row_notes, *column_notes))


def _side(branch: Branch, length: int) -> tuple[Axis, list[Problem]]:
    ids = stripped(branch.leaf(ID).strings(), branch.address)
    if len(ids.names) != length:
        raise branch.damaged(f"The matrix is for {length}, and {len(ids.names)} are named.")
    labels, notes = labels_of(branch, length, without=(ID,))
    return axis_of(ids, dict(labels)), [*ids.notes, *notes]


FORMAT = Format(
    key=KEY,
    name="GCTX",
    suffixes=(".gctx",),
    recognises=lambda source: is_hdf5(source, b"DATA", b"META", b"matrix"),
    read=hdf5_kinds.read,
    isolated=True,
    layout=Hdf5Layout(
        title="a GCTX file",
        matches=lambda root: "0/DATA" in root and "0/META" in root,
        read=read_from,
    ),
    rows="genes",
    columns="samples",
)
