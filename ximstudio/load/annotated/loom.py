"""Loom files: genes are rows of the matrix, cells its columns; here cells are items.

Format: https://linnarssonlab.org/loompy/format/
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ximstudio.load.account import CHOSEN, no_such, note
from ximstudio.load.annotated.attributes import labels_of, names_among
from ximstudio.load.format import Format, Hdf5Layout
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.single_cell import hdf5_kinds
from ximstudio.load.single_cell.genes import (
    GENE_ID,
    GENE_NAME,
    Named,
    axis_of,
    gene_names,
    numbered,
    reading_of,
    stripped,
)
from ximstudio.load.single_cell.hdf5 import Branch, Leaf, is_hdf5
from ximstudio.load.source import memory_to_give, refuse_too_large
from ximstudio.model.matrix import Labels, some_of
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.table import Table
from ximstudio.model.words import counted

KEY = "loom"
MATRIX, ROWS, COLUMNS, LAYERS = "matrix", "row_attrs", "col_attrs", "layers"
CELL_NAMES = ("cellid", "cellname", "cellnames", "obsnames", "barcode", "barcodes", "cell", "name")
SYMBOLS = ("gene", "genes", "genename", "genenames", "symbol", "varnames", "name")
IDS = ("accession", "geneid", "geneids", "ensembl", "ensemblid", "id")
BYTES_PER_CELL = 12
"""Bytes per non-zero cell of a sparse matrix."""

DENSE_ENOUGH = 0.3


def read_from(root: Branch, choices: Choices, report: Report) -> Reading:
    """Read the chosen matrix of an opened file, or the main one."""
    parts = (MATRIX, *(root.branch(LAYERS).names() if LAYERS in root else ()))
    chosen = choices.part or MATRIX
    if chosen not in parts:
        what = f"There is no layer '{chosen}' in the file."
        raise no_such("part", chosen, parts, what, root.file)
    leaf = root.leaf(MATRIX if chosen == MATRIX else f"{LAYERS}/{chosen}")
    guess = Guess(
        key="part",
        label="Matrix",
        value=chosen,
        reason=CHOSEN if choices.part else "It is the main matrix of the file.",
        options={name: name for name in parts},
    )
    if len(leaf.shape) != 2 or not leaf.is_number:
        raise leaf.damaged(f"Numbers in rows and columns are expected, not {leaf.shape}.")
    n_genes, n_cells = leaf.shape
    gene_labels, gene_notes = labels_of(root.branch(ROWS), n_genes)
    cell_labels, cell_notes = labels_of(root.branch(COLUMNS), n_cells)
    values = _values(leaf, report)
    cells = _cells(cell_labels, n_cells, f"{root.file}, {COLUMNS}")
    genes, gene_labels = _genes(gene_labels, n_genes, choices, f"{root.file}, {ROWS}")
    table = Table(
        values=values.T if isinstance(values, np.ndarray) else values.T.tocsr(),
        items=axis_of(cells, dict(cell_labels)),
        features=axis_of(genes, dict(gene_labels)),
        source=root.file,
    )
    others = [name for name in parts if name != chosen]
    notes = (*_left_out(root, others), *gene_notes, *cell_notes, *genes.notes, *cells.notes)
    guesses = (guess, *genes.guesses, *cells.guesses)
    return reading_of(table, choices, KEY, guesses, notes)


def _values(leaf: Leaf, report: Report) -> Any:
    """Return genes × cells: sparse, unless many cells are non-zero."""
    from scipy.sparse import csr_array, vstack

    room = memory_to_give()
    pieces, stored = [], 0
    for _, piece in leaf.pieces(report):
        rows = csr_array(piece.astype(np.float64))
        stored += rows.nnz
        refuse_too_large(2.0 * BYTES_PER_CELL * stored, room, leaf.address)
        pieces.append(rows)
    if not pieces:
        return np.empty(leaf.shape)
    values = csr_array(vstack(pieces, format="csr"))
    if stored < DENSE_ENOUGH * values.shape[0] * values.shape[1]:
        return values
    refuse_too_large(8.0 * values.shape[0] * values.shape[1], room, leaf.address)
    return values.toarray()


def _cells(labels: Labels, count: int, where: str) -> Named:
    named = names_among(labels, CELL_NAMES)
    if named is None:
        return _numbered("cell", count, where)
    return stripped(labels[named], f"{where}/{named}")


def _genes(labels: Labels, count: int, choices: Choices, where: str) -> tuple[Named, Labels]:
    symbols, ids = names_among(labels, SYMBOLS), names_among(labels, IDS)
    named = symbols if ids is None else ids
    if named is None:
        return _numbered("gene", count, where), labels
    # Columns of ids and symbols get the same names as in other single-cell files.
    other = None if symbols in (None, named) else labels[str(symbols)]
    identity = {GENE_ID: labels[named], **({} if other is None else {GENE_NAME: other})}
    rest = {name: texts for name, texts in labels.items() if name not in {named, symbols}}
    return gene_names(labels[named], other, choices, where), {**identity, **rest}


def _numbered(word: str, count: int, where: str) -> Named:
    what = f"No attribute names the {word}s: they are numbered."
    way_out = "Write their names into the file as 'CellID' and 'Gene'."
    return Named(names=numbered(word, count), notes=(note("no_names", what, where, way_out),))


def _left_out(root: Branch, others: list[str]) -> Iterator[Problem]:
    for name in ("row_graphs", "col_graphs"):
        others += [name] if name in root and root.branch(name).names() else []
    if others:
        yield note(
            "not_read",
            f"{counted(len(others), 'other matrix or graph', 'other matrices or graphs')} of"
            " the file not read into the table.",
            f"{root.file}: {some_of(others)}",
            "Choose another part of the file to read another matrix.",
            fields=("part",),
            severity=Severity.NOTE,
        )


FORMAT = Format(
    key=KEY,
    name="Loom",
    suffixes=(".loom",),
    recognises=lambda source: is_hdf5(source, b"row_attrs", b"col_attrs", b"matrix"),
    read=hdf5_kinds.read,
    isolated=True,
    layout=Hdf5Layout(
        title="a loom file",
        matches=lambda root: {MATRIX, ROWS, COLUMNS} <= set(root.names()),
        read=read_from,
    ),
    rows="cells",
    columns="genes",
)
