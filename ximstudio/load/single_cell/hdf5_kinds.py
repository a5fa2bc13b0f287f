"""Read an HDF5 file by the format whose layout it has."""

from __future__ import annotations

from collections.abc import Mapping

from ximstudio.load.format import FORMATS, HDF5, Hdf5Layout
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.single_cell.hdf5 import UNPACKING, Branch, opened
from ximstudio.load.source import Source
from ximstudio.model.problem import UserError

KNOWN_KINDS = {
    frozenset({"assays", "cell.names"}): "an h5Seurat file",
    frozenset({"barcode_idx", "count"}): "a file of molecules (Cell Ranger)",
}


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table of an HDF5 file; to be called in a process of its own."""
    layouts = {
        entry.key: layout
        for entry in FORMATS
        if entry.mark.startswith(HDF5) and (layout := entry.load().layout)
    }
    with opened(source, report) as root:
        report = _after_unpacking(source, report)
        for key, layout in layouts.items():
            if choices.format in {None, key} and layout.matches(root):
                return layout.read(root, choices, report)
        raise _unknown(root, choices, layouts)


def _after_unpacking(source: Source, report: Report) -> Report:
    return (lambda done: report(UNPACKING + (1 - UNPACKING) * done)) if source.is_packed else report


def _unknown(root: Branch, choices: Choices, layouts: Mapping[str, Hdf5Layout]) -> UserError:
    names = root.names()
    kind = next((kind for marks, kind in KNOWN_KINDS.items() if marks <= set(names)), "")
    asked = layouts.get(choices.format or "")
    titles = [layout.title for layout in layouts.values()] if asked is None else [asked.title]
    what = f"This is not {', '.join(titles[:-1])}{' or ' if len(titles) > 1 else ''}{titles[-1]}"
    return UserError(
        key="load.unknown_hdf5",
        what=f"{what}, but {kind or 'another kind of HDF5 file'}.",
        where=f"{root.file}, which holds: {', '.join(names[:10]) or 'nothing'}",
        way_out="Leave the format open, if you chose it; else write the table as h5ad, TSV or CSV.",
        hint={} if choices.format is None else {"format": None},
    )
