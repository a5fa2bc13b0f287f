"""Selected items, by id, so that every view of every map can show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ximstudio.model.arrays import Bools, frozen


class Combine(StrEnum):
    """Ways to combine a new selection with the previous one."""

    REPLACE = "replace"
    ADD = "add"
    REMOVE = "remove"
    INTERSECT = "intersect"


@dataclass(frozen=True)
class Selection:
    """The ids of the selected items, unordered: views have their own order."""

    ids: frozenset[str] = frozenset()

    @classmethod
    def of(cls, ids: Iterable[str]) -> Selection:
        """Select these items."""
        return cls(frozenset(ids))

    @classmethod
    def where(cls, mask: Bools, item_ids: Sequence[str]) -> Selection:
        """Select the items whose mask is True."""
        return cls(frozenset(map(item_ids.__getitem__, np.flatnonzero(mask).tolist())))

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, item_id: object) -> bool:
        return item_id in self.ids

    def mask(self, item_ids: Sequence[str]) -> Bools:
        """Return the mask of the selected among these items; cached, as every view of a map asks
        for it.
        """
        kept: tuple[Sequence[str], Bools] | None = vars(self).get("_kept")
        if kept is not None and kept[0] is item_ids:
            return kept[1]
        chosen = map(self.ids.__contains__, item_ids)
        mask = frozen(np.fromiter(chosen, dtype=np.bool_, count=len(item_ids)))
        vars(self)["_kept"] = item_ids, mask
        return mask

    def combined(self, other: Selection, how: Combine) -> Selection:
        """Return the selection after another one was combined with it."""
        if how is Combine.ADD:
            return Selection(self.ids | other.ids)
        if how is Combine.REMOVE:
            return Selection(self.ids - other.ids)
        if how is Combine.INTERSECT:
            return Selection(self.ids & other.ids)
        return other

    def inverted(self, item_ids: Iterable[str]) -> Selection:
        """Select the items among these that are not selected now."""
        return Selection(frozenset(item_ids) - self.ids)


NOTHING = Selection()
"""The empty selection."""
