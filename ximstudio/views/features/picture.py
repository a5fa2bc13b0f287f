"""Compute the Planes view in the background. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.explore.planes import correlations_with, similarity_order
from ximstudio.model.arrays import Ints
from ximstudio.model.words import natural
from ximstudio.pictures.cache import Latest, PictureCache
from ximstudio.pictures.quantity import value_words
from ximstudio.pictures.ticks import number_text
from ximstudio.session.shown import Shown
from ximstudio.views.common.planes_picture import (
    KeptEnds,
    PlanesPicture,
    map_of,
    plane_scales,
    plane_values,
)

if TYPE_CHECKING:
    from ximstudio.views.features.state import FeaturesState

LIKENESS, TABLE, NAME, CORRELATION = "likeness", "table", "name", "correlation"
"""Orders of the planes."""


class PlaneOrder(Latest[Ints]):
    """Cached order of one map's planes by similarity."""

    def of(self, shown: Shown) -> Ints:
        """Return the planes with similar ones side by side."""
        return self.kept((shown.result,), lambda: similarity_order(plane_values(shown)))


@dataclass(frozen=True, kw_only=True, eq=False)
class FeaturesRequest:
    """Current options of a Planes view; called in the background."""

    memory: PictureCache
    order: PlaneOrder
    ends: KeptEnds
    state: FeaturesState

    def __call__(self, shown: Shown) -> PlanesPicture:
        """Return the planes of the displayed map."""
        names = shown.matrix.feature_names
        by, option = self.state.by or LIKENESS, self.state.option
        if by != CORRELATION or option not in names:
            by, option = LIKENESS if by == CORRELATION else by, ""
        order, captions, note = self._ordered(shown, by)
        return PlanesPicture(
            shown=shown,
            words=self.memory.words(shown.matrix),
            tiles=map_of(shown.result),
            names=tuple(names[number] for number in order.tolist()),
            captions=captions,
            values=plane_values(shown)[order],
            scales=plane_scales(self.ends.of(shown).ordered(order), self.state.palettes),
            quantity=value_words(shown),
            note=note,
            by=by,
            option=option,
        )

    def _ordered(self, shown: Shown, by: str) -> tuple[Ints, tuple[str, ...], str]:
        """Return the order of the planes, their captions, and a note."""
        names = shown.matrix.feature_names
        as_given = np.arange(len(names))
        if by == NAME:
            return np.array(sorted(as_given, key=lambda number: natural(names[number]))), (), ""
        if by == TABLE:
            return as_given, (), ""
        if shown.live:
            # During training the planes would change places thirty times a second.
            return as_given, (), "In the order of the table until training has ended"
        if by == CORRELATION:
            found = correlations_with(plane_values(shown), names.index(self.state.option))
            order = np.argsort(-np.nan_to_num(found, nan=-2.0), kind="stable")
            captions = tuple(f"r = {number_text(float(found[n]), digits=2)}" for n in order)
            return order, captions, ""
        return self.order.of(shown), (), ""
