"""Loom files: genes are rows of the matrix, cells its columns; here cells are items.

Format: https://linnarssonlab.org/loompy/format/
"""

from __future__ import annotations

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
    stripped,
    turned,
)
from ximstudio.load.single_cell.hdf5 import Branch, Leaf, is_hdf5
from ximstudio.load.source import Source, memory_to_give, refuse_too_large
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


def recognises(source: Source) -> bool:
    """Return whether a file begins with words that loom files contain."""
    head = source.head
    return is_hdf5(source) and all(word.encode() in head for word in (ROWS, COLUMNS, MATRIX))


def is_loom(root: Branch) -> bool:
    """Return whether an HDF5 file has the layout of loom."""
    return {MATRIX, ROWS, COLUMNS} <= set(root.names())


def read_from(root: Branch, choices: Choices, report: Report) -> Reading:
    """Read the chosen matrix of an opened file, or the main one."""
    leaf, guess = _matrix(root, choices)
    if len(leaf.shape) != 2 or not leaf.is_number:
        raise leaf.damaged(f"Numbers in rows and columns are expected, not {leaf.shape}.")
    n_genes, n_cells = leaf.shape
    gene_labels, gene_notes = labels_of(root.branch(ROWS), n_genes)
    cell_labels, cell_notes = labels_of(root.branch(COLUMNS), n_cells)
    values = _values(leaf, report)
    where = f"{root.file}, {ROWS}"
    cells = _cells(cell_labels, n_cells, f"{root.file}, {COLUMNS}")
    genes, gene_labels = _genes(gene_labels, n_genes, choices, where)
    table = Table(
        values=values.T.tocsr() if not isinstance(values, np.ndarray) else values.T,
        items=axis_of(cells, dict(cell_labels)),
        features=axis_of(genes, dict(gene_labels)),
        source=root.file,
    )
    return Reading(
        table=turned(table, choices),
        format=KEY,
        guesses=(guess, *genes.guesses, *cells.guesses),
        notes=(
            *_left_out(root, choices),
            *gene_notes,
            *cell_notes,
            *genes.notes,
            *cells.notes,
        ),
    )


def _matrix(root: Branch, choices: Choices) -> tuple[Leaf, Guess]:
    layers = root.branch(LAYERS).names() if LAYERS in root else ()
    parts = (MATRIX, *layers)
    chosen = choices.part or MATRIX
    if chosen not in parts:
        raise no_such(
            "part", chosen, parts, f"There is no layer '{chosen}' in the file.", root.file
        )
    guess = Guess(
        key="part",
        label="Matrix",
        value=chosen,
        reason=CHOSEN if choices.part else "It is the main matrix of the file.",
        options={name: name for name in parts},
    )
    return root.leaf(MATRIX if chosen == MATRIX else f"{LAYERS}/{chosen}"), guess


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
        return Named(names=numbered("cell", count), notes=(_no_names("cells", where),))
    return stripped(labels[named], f"{where}/{named}")


def _genes(labels: Labels, count: int, choices: Choices, where: str) -> tuple[Named, Labels]:
    symbols, ids = names_among(labels, SYMBOLS), names_among(labels, IDS)
    named = symbols if ids is None else ids
    if named is None:
        return Named(names=numbered("gene", count), notes=(_no_names("genes", where),)), labels
    # Columns of ids and symbols get the same names as in other single-cell files.
    other = None if symbols in (None, named) else labels[str(symbols)]
    identity = {GENE_ID: labels[named], **({} if other is None else {GENE_NAME: other})}
    rest = {name: texts for name, texts in labels.items() if name not in {named, symbols}}
    return gene_names(labels[named], other, choices, where), {**identity, **rest}


def _no_names(what: str, where: str) -> Problem:
    return note(
        "no_names",
        f"No attribute names the {what}: they are numbered.",
        where,
        "Write their names into the file as 'CellID' and 'Gene'.",
    )


def _left_out(root: Branch, choices: Choices) -> list[Problem]:
    layers = root.branch(LAYERS).names() if LAYERS in root else ()
    others = [name for name in (MATRIX, *layers) if name != (choices.part or MATRIX)]
    for name in ("row_graphs", "col_graphs"):
        others += [name] if name in root and root.branch(name).names() else []
    if not others:
        return []
    return [
        note(
            "not_read",
            f"{counted(len(others), 'other matrix or graph', 'other matrices or graphs')} of"
            " the file not read into the table.",
            f"{root.file}: {some_of(others)}",
            "Choose another part of the file to read another matrix.",
            fields=("part",),
            severity=Severity.NOTE,
        )
    ]


FORMAT = Format(
    key=KEY,
    name="Loom",
    suffixes=(".loom",),
    recognises=recognises,
    read=hdf5_kinds.read,
    isolated=True,
    layout=Hdf5Layout(title="a loom file", matches=is_loom, read=read_from),
    rows="cells",
    columns="genes",
)
