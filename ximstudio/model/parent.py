"""Reference of a map to the earlier map that it descends from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

CONTINUED = "continued"
"""Trained further with new items and the items it had."""
CONTINUED_ALONE = "continued-on-new-items"
"""Trained further with new items only."""
CONTINUED_AGAIN = "continued-on-its-items"
"""Trained further with the items it had."""
PART = "part"
"""A separate map of some items of the earlier map."""

KINDS = (CONTINUED, CONTINUED_ALONE, CONTINUED_AGAIN, PART)


@dataclass(frozen=True, kw_only=True)
class Parent:
    """An earlier map and what was taken over from it.

    Parameters
    ----------
    kind
        Kind of descent, one of KINDS.
    result_hash, data_fingerprint
        Result.hash of the earlier map, and Matrix.fingerprint of what it was trained on.
    item_ids
        The items that were chosen for a part, also if that map was trained further; empty for
        others.
    folder
        Where the earlier run was read from; None if it never was a folder.
    """

    kind: str
    result_hash: str
    data_fingerprint: str
    item_ids: tuple[str, ...] = ()
    folder: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(self.kind)

    @property
    def of_part(self) -> bool:
        """True if the new map shows a part of the items, even if it was trained further since."""
        return self.kind == PART or bool(self.item_ids)

    def as_values(self) -> dict[str, Any]:
        """Return plain values for JSON; `from_values` reads them back."""
        return {**asdict(self), "item_ids": list(self.item_ids)}

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Build the parent from plain values; raise KeyError, TypeError or ValueError if they do
        not fit.
        """
        folder = values["folder"]
        return cls(
            kind=str(values["kind"]),
            result_hash=str(values["result_hash"]),
            data_fingerprint=str(values["data_fingerprint"]),
            item_ids=tuple(map(str, values["item_ids"])),
            folder=None if folder is None else str(folder),
        )
