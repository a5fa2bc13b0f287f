"""Matrices that Cell Ranger writes as HDF5: barcodes are items, genes are features."""

from __future__ import annotations

from collections.abc import Iterator

from ximstudio.load.account import no_such, note
from ximstudio.load.annotated.attributes import labels_of
from ximstudio.load.format import Format, Hdf5Layout
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.single_cell import hdf5_kinds
from ximstudio.load.single_cell.compressed import sparse_rows
from ximstudio.load.single_cell.genes import (
    FEATURE_TYPE,
    GENE_ID,
    GENE_NAME,
    axis_of,
    gene_names,
    of_one_type,
    reading_of,
    stripped,
)
from ximstudio.load.single_cell.hdf5 import Branch, is_hdf5
from ximstudio.load.source import Source
from ximstudio.model.matrix import Labels, some_of
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.table import Table
from ximstudio.model.words import counted

KEY = "10x-h5"
MATRIX = "matrix"
PARTS = {"barcodes", "data", "indices", "indptr", "shape"}
LOOKED_AT = 100
"""Maximum number of groups examined; references have a handful."""

FIRST_COLUMNS = ("id", "name", FEATURE_TYPE, "genome")
PROBE_ID, PROBE_NAME = "probe_id", "probe_name"
LISTS_OF_COLUMNS = {"_all_tag_keys"}
"""Columns that only list the other columns."""


def recognises(source: Source) -> bool:
    """Return whether a file begins with words of Cell Ranger, and none of an h5ad file."""
    head = source.head
    return (
        is_hdf5(source, *map(str.encode, PARTS))
        and any(word in head for word in (b"genes", b"features"))
        and not (b"anndata" in head or b"obs\0" in head)
    )


def read_from(root: Branch, choices: Choices, report: Report) -> Reading:
    """Read the matrix of an opened file."""
    groups = _groups(root)
    guesses: list[Guess] = []
    notes: list[Problem] = []
    modern = groups == [MATRIX] and "features" in root.branch(MATRIX)
    if modern:
        group = root.branch(MATRIX)
        labels, notes = _labels(group.branch("features"), _shape(group)[0])
    else:
        group, guess = _genome(root, groups, choices)
        guesses.append(guess)
        names = {"genes": GENE_ID, "gene_names": GENE_NAME}
        labels = {
            label: tuple(group.leaf(name).strings())
            for name, label in names.items()
            if name in group
        }
    ids = labels.get(PROBE_ID, labels.get(GENE_ID))
    if ids is None:
        raise group.damaged("The list of gene ids is missing.")
    barcodes = stripped(group.leaf("barcodes").strings(), f"{root.file}, barcodes")
    n_features, n_barcodes = _shape(group)
    for what, declared, there in (
        ("barcodes", n_barcodes, len(barcodes.names)),
        ("features", n_features, len(ids)),
    ):
        if declared != there:
            raise _uneven(group, what, declared, there)
    # Barcodes are its columns, stored one after the other: so they are rows here.
    values, changed = sparse_rows(group, (n_barcodes, n_features), by_column=False, report=report)
    named = gene_names(ids, labels.get(GENE_NAME), choices, f"{root.file}, features")
    table = Table(
        values=values,
        items=axis_of(barcodes, {}),
        features=axis_of(named, dict(labels)),
        source=root.file,
    )
    left: list[Problem] = []
    if modern:
        table, guesses, left = of_one_type(table, choices, f"{root.file}, features")
    notes = [*_left_out(root, group), *notes, *changed, *barcodes.notes, *named.notes, *left]
    return reading_of(table, choices, KEY, (*guesses, *named.guesses), notes)


def _groups(root: Branch) -> list[str]:
    """Return the groups with a matrix: "matrix", or one per genome in older versions."""
    found = []
    for name in root.names()[:LOOKED_AT]:
        try:
            group = root.branch(name)
        except UserError:
            # A link, or no group: not part of this format.
            continue
        inside = set(group.names())
        if inside >= PARTS and ("genes" in inside or (name == MATRIX and "features" in inside)):
            found.append(name)
    return [MATRIX] if MATRIX in found else found


def _genome(root: Branch, genomes: list[str], choices: Choices) -> tuple[Branch, Guess]:
    stored = {name: root.branch(name).leaf("data").shape for name in genomes}
    chosen = choices.part or max(genomes, key=lambda name: stored[name])
    if chosen not in genomes:
        what = f"There is no genome '{chosen}' in the file."
        raise no_such("part", chosen, genomes, what, root.file)
    alone = len(genomes) == 1
    guess = Guess(
        key="part",
        label="Genome",
        value=chosen,
        reason="It is the only one." if alone else "It has the most values that are not 0.",
        options={name: f"{name} ({sum(stored[name])} values)" for name in genomes},
        sure=alone or choices.part is not None,
    )
    return root.branch(chosen), guess


def _left_out(root: Branch, taken: Branch) -> Iterator[Problem]:
    others = [name for name in root.names() if name != taken.path]
    if others:
        yield note(
            "not_read",
            f"{counted(len(others), 'other group')} of the file not read into the table.",
            f"{root.file}: {some_of(others)}",
            "Choose another part of the file to read another genome.",
            fields=("part",),
        )


def _labels(features: Branch, length: int) -> tuple[Labels, list[Problem]]:
    """Return all columns that describe the features, and a note about the others.

    Where a gene has several probes, as in raw_probe_bc_matrix.h5, the ids are those of probes.
    """
    names = {
        "id": PROBE_ID if GENE_ID in features else GENE_ID,
        "name": PROBE_NAME if GENE_NAME in features else GENE_NAME,
    }
    found, notes = labels_of(features, length, without=LISTS_OF_COLUMNS)
    for name in FIRST_COLUMNS:
        if name in features and name not in found:
            there = features.leaf(name).shape
            raise _uneven(features, "features", length, there[0] if there else 0)
    ordered = (
        *(name for name in FIRST_COLUMNS if name in found),
        *sorted({*found} - {*FIRST_COLUMNS}),
    )
    return {names.get(name, name): found[name] for name in ordered}, notes


def _shape(group: Branch) -> tuple[int, int]:
    leaf = group.leaf("shape")
    if leaf.shape != (2,) or leaf.dtype.kind not in "iu":
        raise leaf.damaged("Two whole numbers are expected here.")
    n_features, n_barcodes = leaf.whole().tolist()
    return n_features, n_barcodes


def _uneven(group: Branch, what: str, declared: int, there: int) -> UserError:
    return UserError(
        key="load.uneven",
        what=f"The matrix is for {declared} {what}, and {there} are named.",
        where=group.address,
        way_out="The file is damaged: fetch or write it again.",
    )


FORMAT = Format(
    key=KEY,
    name="10x Genomics matrix (HDF5)",
    suffixes=(".h5",),
    recognises=recognises,
    read=hdf5_kinds.read,
    isolated=True,
    layout=Hdf5Layout(
        title="a 10x matrix", matches=lambda root: bool(_groups(root)), read=read_from
    ),
    rows="cells",
    columns="genes",
)
