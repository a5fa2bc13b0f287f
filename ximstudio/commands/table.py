"""The table a command works on, read and filled as its options say."""

from __future__ import annotations

import argparse
from dataclasses import asdict, dataclass
from typing import Any, Self

from ximstudio.load import Roles, load
from ximstudio.model.matrix import Matrix
from ximstudio.model.params import known
from ximstudio.prepare import FILLINGS, KEEP, fill_missing


@dataclass(frozen=True, kw_only=True)
class Table:
    """Which table to read, what its columns are, and what becomes of blanks."""

    input: str
    roles: Roles
    missing: str

    @classmethod
    def of(cls, options: argparse.Namespace) -> Self:
        """What the input options say, checked as far as it can be without the data."""
        known("filling", options.missing, [KEEP, *FILLINGS])
        roles = Roles(id=options.id, labels=tuple(options.labels), items=options.items)
        return cls(input=options.input, roles=roles, missing=options.missing)

    def load(self) -> Matrix:
        """The table as it is in the file."""
        return load(self.input, self.roles)

    def fill(self, loaded: Matrix) -> Matrix:
        """The table with its blanks filled, if they are to be."""
        return fill_missing(loaded, self.missing)

    @property
    def reading(self) -> dict[str, Any]:
        """How it was read, for records."""
        return {**asdict(self.roles), "missing": self.missing}
