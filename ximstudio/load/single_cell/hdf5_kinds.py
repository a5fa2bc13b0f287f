"""Table of an HDF5 file, by the way in which its groups are laid out."""

from __future__ import annotations

from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.single_cell.hdf5 import UNPACKING, Branch, opened
from ximstudio.load.source import Source
from ximstudio.model.problem import UserError

KNOWN_KINDS = {
    frozenset({"assays", "cell.names"}): "an h5Seurat file",
    frozenset({"barcode_idx", "count"}): "a file of molecules (Cell Ranger)",
}


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """The table of an HDF5 file; to be called in a process of its own."""
    from ximstudio.load.annotated import biom, gctx, loom
    from ximstudio.load.single_cell import h5ad, tenx_h5

    kinds = (
        (tenx_h5.KEY, tenx_h5.is_tenx, tenx_h5.read_from),
        (h5ad.KEY, h5ad.is_h5ad, h5ad.read_from),
        (loom.KEY, loom.is_loom, loom.read_from),
        (gctx.KEY, gctx.is_gctx, gctx.read_from),
        (biom.KEY, biom.is_biom, biom.read_from),
    )
    with opened(source, report) as root:
        report = _after_unpacking(source, report)
        for key, is_of_kind, read_from in kinds:
            if choices.format in {None, key} and is_of_kind(root):
                return read_from(root, choices, report)
        raise _unknown(root, choices)


def _after_unpacking(source: Source, report: Report) -> Report:
    return (lambda done: report(UNPACKING + (1 - UNPACKING) * done)) if source.is_packed else report


def _unknown(root: Branch, choices: Choices) -> UserError:
    names = root.names()
    kind = next((kind for marks, kind in KNOWN_KINDS.items() if marks <= set(names)), "")
    asked = {
        "h5ad": "an h5ad file",
        "10x-h5": "a 10x matrix",
        "loom": "a loom file",
        "gctx": "a GCTX file",
        "biom": "a BIOM file",
    }.get(choices.format or "")
    what = f"This is not {asked or 'an h5ad, loom, GCTX or BIOM file or a 10x matrix'}"
    return UserError(
        key="load.unknown_hdf5",
        what=f"{what}, but {kind or 'another kind of HDF5 file'}.",
        where=f"{root.file}, which holds: {', '.join(names[:10]) or 'nothing'}",
        way_out="Leave the format open, if you chose it; else write the table as h5ad, TSV or CSV.",
        hint={} if choices.format is None else {"format": None},
    )
