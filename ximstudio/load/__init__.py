"""File → Matrix."""

from __future__ import annotations

from pathlib import Path

from ximstudio.load.samples import PREFIX, Sample, sample_named, samples
from ximstudio.load.table import Roles, matrix_from
from ximstudio.load.text import read_text_table
from ximstudio.model.matrix import Matrix


def load(name: str, roles: Roles | None = None) -> Matrix:
    """The matrix in a file, or of a sample named 'sample:KEY'."""
    roles = Roles() if roles is None else roles
    if not name.startswith(PREFIX):
        return matrix_from(read_text_table(Path(name), name), roles)
    sample = sample_named(name.removeprefix(PREFIX))
    roles = Roles(
        id=sample.id if roles.id is None else roles.id,
        labels=roles.labels or (sample.labels if roles.items == "rows" else ()),
        items=roles.items,
    )
    return matrix_from(read_text_table(sample.path, name), roles)


__all__ = ["Roles", "Sample", "load", "sample_named", "samples"]
