"""What belongs to the rows, or to the columns, of a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from PySide6.QtGui import QFontMetrics

from ximstudio.model.arrays import Floats, Ints
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.ui.look.fonts import Text, font

MEASURED = 400
"""Names that are measured to see how much room they need."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Strip:
    """Classes of rows or columns: the number of each one's class, and the colours of classes."""

    name: str
    codes: Ints
    colours: Bytes


@dataclass(frozen=True, kw_only=True, eq=False)
class Side:
    """What belongs to the rows, or to the columns: names, strips of classes, and a tree.

    The lines of the tree, shape (S, 2, 2), lead from a height of 0 at the leaves to 1 at the root
    (first coordinate), at places among the rows or columns, whose middles are 0.5, 1.5, … (second).
    """

    names: Sequence[str] = ()
    strips: tuple[Strip, ...] = ()
    tree: Floats = field(default_factory=lambda: np.empty((0, 2, 2)))

    @cached_property
    def names_width(self) -> int:
        """Width of the widest name in pixels, measured once: hovering asks for it all the time."""
        metrics = QFontMetrics(font(Text.CAPTION))
        # Of all, not of those in sight: the room stays as it is while a person pans.
        return max((metrics.horizontalAdvance(name) for name in self.names[:MEASURED]), default=0)

    @cached_property
    def titles_width(self) -> int:
        """Width of the widest title of a strip in pixels; 0 without strips."""
        metrics = QFontMetrics(font(Text.CAPTION))
        return max((metrics.horizontalAdvance(strip.name) for strip in self.strips), default=0)


NO_SIDE = Side()
