"""h5ad files (AnnData): observations are items, variables are features.

Read with h5py alone, as AnnData documents them ("On-disk format"); files of versions before 0.7 are
read as they are found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.load.account import CHOSEN, no_such, note
from ximstudio.load.format import Format, Hdf5Layout
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.single_cell import hdf5_kinds
from ximstudio.load.single_cell.compressed import floats, sparse_rows
from ximstudio.load.single_cell.genes import numbered, reading_of, stripped
from ximstudio.load.single_cell.h5ad_frame import Frame, frame_of
from ximstudio.load.single_cell.hdf5 import Branch, Leaf, is_hdf5
from ximstudio.load.single_cell.tenx_h5 import recognises as recognises_tenx
from ximstudio.load.source import Source
from ximstudio.model.problem import Problem, SettingsForm, Severity, UserError
from ximstudio.model.table import Axis, Table

if TYPE_CHECKING:
    from ximstudio.model.table import Values

KEY = "h5ad"
X, RAW, LAYERS = "X", "raw", "layers"
OBS, VAR = "obs", "var"
SPARSE = {"csr_matrix": "csr", "csc_matrix": "csc", "csr": "csr", "csc": "csc"}
NOT_READ = ("obsm", "varm", "obsp", "varp", "uns")


@dataclass(frozen=True, kw_only=True)
class Part:
    """A matrix of a file; `key` is its name for users."""

    key: str
    path: str
    features: str
    """Path of the frame that names its columns."""


@dataclass(frozen=True, kw_only=True)
class Form:
    """The storage of a matrix: its shape, and "csr", "csc", or "" if it is dense."""

    shape: tuple[int, ...]
    sparse: str
    n_stored: int

    def __str__(self) -> str:
        size = " × ".join(str(length) for length in self.shape)
        return f"{size}, {self.n_stored} values not 0" if self.sparse else size


def recognises(source: Source) -> bool:
    """Return whether it is an HDF5 file that no other format recognises."""
    return is_hdf5(source) and not recognises_tenx(source)


def read_from(root: Branch, choices: Choices, report: Report) -> Reading:
    """Read the chosen matrix, or X, of an opened file."""
    parts = _parts(root)
    part, why = _chosen(root, parts, choices)
    obs, var = frame_of(root, OBS), frame_of(root, part.features)
    _refuse_unknown_labels(root, (obs, var), choices)
    form = _form(root, part)
    shape = n_items, n_features = len(obs.names), len(var.names)
    # Old versions wrote a matrix of one column or row as a list.
    if form.shape != shape and not (1 in shape and form.shape == (n_items * n_features,)):
        raise UserError(
            key="load.uneven",
            what=f"The matrix is {form}, and there are {n_items} names in '{obs.path}' and"
            f" {n_features} in '{var.path}'.",
            where=f"{root.file}, '{part.path}' inside it",
            way_out="Choose another part, or write the file again.",
            fields=("part",),
            form=SettingsForm.READING,
        )
    if not n_items or not n_features:
        raise UserError(
            key="load.empty",
            what=f"The matrix is empty: {n_items} × {n_features}.",
            where=f"{root.file}, '{part.path}' inside it",
            way_out="Choose another part, or another file.",
            fields=("part",),
            form=SettingsForm.READING,
        )
    values: Values
    if form.sparse:
        by_column = form.sparse == "csc"
        matrix = root.branch(part.path)
        values, notes = sparse_rows(matrix, shape, by_column=by_column, report=report)
    else:
        numbers, notes = floats(root.leaf(part.path), report)
        values = numbers.reshape(shape)
    items, features, naming, changed = _axes(root, obs, var, choices)
    table = Table(values=values, items=items, features=features, source=root.file)
    guess = Guess(
        key="part",
        label="Matrix",
        value=part.key,
        reason=why or "X is the main matrix of an h5ad file.",
        options={key: _described(root, other) for key, other in parts.items()},
        sure=part.key == X or choices.part is not None,
    )
    notes += [*changed, *obs.notes, *var.notes, *_not_read(root, part, parts, obs, var)]
    return reading_of(table, choices, KEY, (guess, naming), notes)


def _parts(root: Branch) -> dict[str, Part]:
    """Return every matrix by its name for users, X first."""
    names = root.names()
    found = [Part(key=X, path=X, features=VAR)] if X in names else []
    if "raw.X" in names:
        found.append(Part(key=RAW, path="raw.X", features="raw.var"))
    elif RAW in names and X in root.branch(RAW):
        found.append(Part(key=RAW, path=f"{RAW}/{X}", features=f"{RAW}/{VAR}"))
    for name in root.branch(LAYERS).names() if LAYERS in names else ():
        path = f"{LAYERS}/{name}"
        found.append(Part(key=path if name in {X, RAW} else name, path=path, features=VAR))
    return {part.key: part for part in found}


def _form(root: Branch, part: Part) -> Form:
    found = root.get(part.path)
    if isinstance(found, Leaf):
        shape = found.shape
        return Form(shape=shape, sparse="", n_stored=int(np.prod(shape)) if shape else 0)
    kind = SPARSE.get(found.text("encoding-type") or found.text("h5sparse_format"), "")
    shape = found.attribute("shape" if found.text("encoding-type") else "h5sparse_shape")
    if not kind or not isinstance(shape, np.ndarray) or shape.dtype.kind not in "iu":
        raise found.damaged("This is no matrix of a supported kind.")
    stored = found.leaf("data").shape
    return Form(shape=tuple(shape.tolist()), sparse=kind, n_stored=sum(stored))


def _chosen(root: Branch, parts: dict[str, Part], choices: Choices) -> tuple[Part, str]:
    """Return the part to read, and the reason unless it is X by default."""
    if not parts:
        raise UserError(
            key="load.no_values",
            what="The file holds no matrix: neither X, nor raw, nor layers.",
            where=root.file,
            way_out="Write the file again with its values.",
        )
    if choices.part is not None:
        chosen = {part.path: part for part in parts.values()} | parts
        if choices.part not in chosen:
            what = f"There is no matrix '{choices.part}' in the file."
            raise no_such("part", choices.part, parts, what, root.file)
        return chosen[choices.part], CHOSEN
    for part in parts.values():
        if _form(root, part).n_stored:
            return part, "" if part.key == X else "X is not there, or empty."
    return next(iter(parts.values())), "All matrices of the file are empty."


def _axes(
    root: Branch, obs: Frame, var: Frame, choices: Choices
) -> tuple[Axis, Axis, Guess, list[Problem]]:
    """Return both axes, with the names in the column that was chosen for one of them."""
    names = {OBS: obs.names, VAR: var.names}
    labels = {OBS: dict(obs.columns), VAR: dict(var.columns)}
    options = {
        f"{side}/{column}": f"column '{column}' of {side}"
        for side, frame in ((OBS, obs), (VAR, var))
        for column in (frame.index, *frame.columns)
    }
    value = f"{OBS}/{obs.index}"
    if choices.id is not None:
        # A plain name is looked for among the items first.
        sides = (OBS, VAR) if choices.items == "rows" else (VAR, OBS)
        meant = [choices.id, *(f"{side}/{choices.id}" for side in sides)]
        value = next((name for name in meant if name in options), "")
        if choices.id and not value:
            known = [*obs.columns, *var.columns]
            what = f"There is no column '{choices.id}' to name items or features."
            raise no_such("id", choices.id, known, what, root.file)
        side, _, column = (value or f"{sides[0]}/").partition("/")
        frame = obs if side == OBS else var
        if column != frame.index:
            labels[side].setdefault(frame.index, frame.names)
            names[side] = frame.columns[column] if column else numbered("item", len(frame.names))
    guess = Guess(
        key="id",
        label="Names in",
        value=value,
        reason="The file says so."
        if choices.id is None
        else "You chose it; what the file has as names is a label.",
        options=options,
    )
    named = {side: stripped(names[side], f"{root.file}, names of {side}") for side in names}
    items, features = (Axis(names=named[side].names, labels=labels[side]) for side in (OBS, VAR))
    return items, features, guess, [*named[OBS].notes, *named[VAR].notes]


def _described(root: Branch, part: Part) -> str:
    try:
        return f"{part.key} ({_form(root, part)})"
    except UserError:
        return f"{part.key} (cannot be read)"


def _refuse_unknown_labels(root: Branch, frames: tuple[Frame, Frame], choices: Choices) -> None:
    """Refuse chosen labels that are no columns; all columns are labels here."""
    known = [name for frame in frames for name in (frame.index, *frame.columns)]
    for label in choices.labels or ():
        if label not in known:
            where = f"{root.file}, '{frames[0].path}' and '{frames[1].path}' inside it"
            raise no_such(
                "label", label, known, f"There is no column '{label}' in the file.", where
            )


def _not_read(
    root: Branch, part: Part, parts: dict[str, Part], obs: Frame, var: Frame
) -> Iterator[Problem]:
    """Yield a note that names everything in the file that is not in the table."""
    left = [other.path for other in parts.values() if other is not part]
    left += [VAR] if var.path != VAR else []
    shared = obs.shared | var.shared
    names = root.names()
    for name in names:
        if name in NOT_READ:
            inside = (entry for entry in _inside(root, name) if entry not in shared)
            left += [f"{name}/{entry}".rstrip("/") for entry in inside]
    known = {X, RAW, LAYERS, OBS, VAR, "raw.X", "raw.var", *NOT_READ}
    left += [name for name in names if name not in known]
    if left:
        yield note(
            "not_read",
            f"{len(left)} other entries of the file are not in the table.",
            f"{root.file}: {', '.join(left)}",
            "Choose another part of the file to read another matrix.",
            fields=("part",),
            severity=Severity.NOTE,
        )


def _inside(root: Branch, name: str) -> tuple[str, ...]:
    try:
        found = root.get(name)
        return found.names() if isinstance(found, Branch) else found.dtype.names or ("",)
    except UserError:
        # It is not read, so it may be damaged.
        return ("",)


FORMAT = Format(
    key=KEY,
    name="AnnData (h5ad)",
    suffixes=(".h5ad",),
    recognises=recognises,
    read=hdf5_kinds.read,
    isolated=True,
    layout=Hdf5Layout(
        title="an h5ad file", matches=lambda root: {OBS, VAR} <= set(root.names()), read=read_from
    ),
    rows="samples",
    columns="genes",
    scaled_first=True,
)
