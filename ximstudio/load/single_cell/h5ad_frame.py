"""The tables beside the values of an h5ad file (obs, var): names, and columns as texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.load.account import note
from ximstudio.load.single_cell.hdf5 import Branch, Leaf
from ximstudio.model.problem import Problem, Severity, UserError

INDEX = "_index"
OLD_CATEGORIES = "__categories"
MASKED = {"nullable-integer", "nullable-boolean", "nullable-string-array"}


@dataclass(frozen=True, kw_only=True)
class Frame:
    """Names of rows and the texts beside them.

    `index` is what the file calls the column of names; `shared` are entries of `uns` that belong to
    columns of this frame.
    """

    path: str
    index: str
    names: tuple[str, ...]
    columns: dict[str, tuple[str, ...]]
    notes: tuple[Problem, ...] = ()
    shared: frozenset[str] = frozenset()


def frame_of(root: Branch, path: str) -> Frame:
    """Read the frame at a path: a group of columns, or one data set as before version 0.7."""
    found = root.get(path)
    if isinstance(found, Leaf):
        return _old_frame(root, found)
    index = found.text(INDEX) or INDEX
    names = _column(found, index)
    columns, notes = {}, []
    listed = found.texts("column-order")
    for name in listed:
        try:
            texts = _column(found, name)
            if len(texts) != len(names):
                raise found.damaged(f"'{name}' has {len(texts)} entries for {len(names)} rows.")
        except UserError as error:
            notes += _left_out(f"{found.path}/{name}", error)
        else:
            columns[name] = tuple(texts)
    tops = {name.split("/")[0] for name in listed}
    unlisted = [name for name in found.names() if name not in {index, OLD_CATEGORIES, *tops}]
    if unlisted:
        what = f"{len(unlisted)} entries are not among the columns that are listed."
        where = f"{found.address}: {', '.join(unlisted[:5])}"
        way_out = "Nothing, unless you miss them among the labels."
        notes.append(note("not_read", what, where, way_out))
    return Frame(
        path=found.path, index=index, names=tuple(names), columns=columns, notes=tuple(notes)
    )


def texts_of(values: NDArray[Any]) -> list[str]:
    """Write numbers as texts that are read back to the same number; NaN is blank."""
    texts: list[str] = values.astype(str).tolist()
    if values.dtype.kind == "f":
        for place in np.flatnonzero(np.isnan(values)):
            texts[place] = ""
    return texts


def _left_out(path: str, error: UserError) -> list[Problem]:
    """Return notes about a column that cannot be read."""
    return [
        Problem(
            severity=Severity.WARNING,
            key=problem.key,
            what=f"The column '{path}' is not among the labels: {problem.what}",
            where=problem.where,
            way_out="Nothing, if you do not need it; else write the file again.",
        )
        for problem in error.problems
    ]


def _column(group: Branch, name: str) -> list[str]:
    found = group.get(name)
    if isinstance(found, Leaf):
        categories = f"{OLD_CATEGORIES}/{name}"
        if found.attribute("categories") is not None and OLD_CATEGORIES in group:
            return _by_code(found, _list(group.leaf(categories)))
        return _list(found)
    kind = found.text("encoding-type")
    if kind == "categorical":
        return _by_code(found.leaf("codes"), _list(found.leaf("categories")))
    if kind in MASKED:
        values = _list(found.leaf("values"))
        mask = found.leaf("mask").whole()
        if len(mask) != len(values):
            raise found.damaged(f"The mask has {len(mask)} entries for {len(values)} values.")
        return ["" if blank else text for text, blank in zip(values, mask, strict=True)]
    raise found.damaged(f"Columns of kind '{kind}' are not supported.")


def _list(leaf: Leaf) -> list[str]:
    if leaf.is_text:
        return leaf.strings()
    if not leaf.is_number:
        raise leaf.damaged(f"Values of type {leaf.dtype} are not supported.")
    return texts_of(leaf.whole())


def _by_code(leaf: Leaf, categories: Sequence[str]) -> list[str]:
    if leaf.dtype.kind not in "iu":
        raise leaf.damaged(f"Whole numbers are expected here, not {leaf.dtype}.")
    codes = leaf.whole()
    if np.any(codes < -1) or np.any(codes >= len(categories)):
        raise leaf.damaged(f"A code is outside -1 to {len(categories) - 1}.")
    # The code -1 means missing, and so selects the last.
    known = [*categories, ""]
    return [known[code] for code in codes.tolist()]


def _old_frame(root: Branch, leaf: Leaf) -> Frame:
    fields = leaf.dtype.names
    if not fields:
        raise leaf.damaged("This is not a table with columns.")
    records = leaf.whole()
    columns, notes, shared = {}, [], set()
    for name in fields:
        try:
            texts = _old_column(leaf, records[name], name)
            categories = f"{name}_categories"
            known = _categories(root, categories, records[name])
            if known is not None:
                texts = [known[code] for code in records[name].tolist()]
                shared.add(categories)
        except UserError as error:
            notes += _left_out(f"{leaf.path}/{name}", error)
        else:
            columns[name] = tuple(texts)
    # The names come first, whatever the column is called.
    index = fields[0]
    if index not in columns:
        raise leaf.damaged(f"The names in '{index}' cannot be read.")
    return Frame(
        path=leaf.path,
        index=index,
        names=columns.pop(index),
        columns=columns,
        notes=tuple(notes),
        shared=frozenset(shared),
    )


def _old_column(leaf: Leaf, cells: NDArray[Any], name: str) -> list[str]:
    if cells.ndim != 1 or cells.dtype.kind not in "biufSO":
        raise leaf.damaged(f"Values of type {cells.dtype} in '{name}' are not supported.")
    if cells.dtype.kind not in "SO":
        return texts_of(cells)
    texts = cells.tolist()
    if not all(isinstance(text, bytes | str) for text in texts):
        raise leaf.damaged(f"'{name}' does not hold texts only.")
    try:
        return [text.decode() if isinstance(text, bytes) else text for text in texts]
    except UnicodeDecodeError as error:
        raise leaf.damaged(f"'{name}' is not written in UTF-8: {error.reason}.") from None


def _categories(root: Branch, name: str, codes: NDArray[Any]) -> list[str] | None:
    """Return the texts of a column's codes, if `uns` has them; the last is for missing ones."""
    if codes.dtype.kind not in "iu" or "uns" not in root:
        return None
    uns = root.get("uns")
    if not isinstance(uns, Branch) or name not in uns:
        return None
    known = _list(uns.leaf(name))
    # obs and var share `uns`: categories of one may have the name of a column of the other.
    fits = not len(codes) or (codes.min() >= -1 and codes.max() < len(known))
    return [*known, ""] if fits else None
