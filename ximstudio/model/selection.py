"""Which items a person has chosen: by id, so that every view of every map can show them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ximstudio.model.arrays import Bools, frozen


class Combine(StrEnum):
    """What happens to what was chosen before."""

    REPLACE = "replace"
    ADD = "add"
    REMOVE = "remove"
    INTERSECT = "intersect"


@dataclass(frozen=True)
class Selection:
    """The ids of the chosen items; in no order of their own, for views have theirs."""

    ids: frozenset[str] = frozenset()

    @classmethod
    def of(cls, ids: Iterable[str]) -> Selection:
        """These items."""
        return cls(frozenset(ids))

    @classmethod
    def where(cls, mask: Bools, item_ids: Sequence[str]) -> Selection:
        """The items whose place in the mask is True."""
        return cls(frozenset(map(item_ids.__getitem__, np.flatnonzero(mask).tolist())))

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, item_id: object) -> bool:
        return item_id in self.ids

    def mask(self, item_ids: Sequence[str]) -> Bools:
        """Which of these items are chosen; kept, for every view of a map asks for the same."""
        kept: tuple[Sequence[str], Bools] | None = vars(self).get("_kept")
        if kept is not None and kept[0] is item_ids:
            return kept[1]
        chosen = map(self.ids.__contains__, item_ids)
        mask = frozen(np.fromiter(chosen, dtype=np.bool_, count=len(item_ids)))
        vars(self)["_kept"] = item_ids, mask
        return mask

    def combined(self, other: Selection, how: Combine) -> Selection:
        """What is chosen after another selection was made upon it."""
        if how is Combine.ADD:
            return Selection(self.ids | other.ids)
        if how is Combine.REMOVE:
            return Selection(self.ids - other.ids)
        if how is Combine.INTERSECT:
            return Selection(self.ids & other.ids)
        return other

    def inverted(self, item_ids: Iterable[str]) -> Selection:
        """Those of these items that are not chosen."""
        return Selection(frozenset(item_ids) - self.ids)


NOTHING = Selection()
"""No item is chosen."""
