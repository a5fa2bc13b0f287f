"""Data of the rows or columns of a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from PySide6.QtGui import QFontMetrics

from ximstudio.model.arrays import Floats, Ints
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.ui.widgets.look.fonts import Text, font

MEASURED = 400
"""Maximum number of names that are measured."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassStrip:
    """Classes of rows or columns: class numbers, and the colours of classes."""

    name: str
    codes: Ints
    colours: Bytes


@dataclass(frozen=True, kw_only=True, eq=False)
class HeatSide:
    """Rows or columns: names, class strips, and a tree.

    The lines of the tree, shape (S, 2, 2), lead from a height of 0 at the leaves to 1 at the root
    (first coordinate), at places among the rows or columns, whose middles are 0.5, 1.5, … (second).
    """

    names: Sequence[str] = ()
    strips: tuple[ClassStrip, ...] = ()
    tree: Floats = field(default_factory=lambda: np.empty((0, 2, 2)))

    @cached_property
    def names_width(self) -> int:
        """Width of the widest name in pixels, measured once: hovering asks for it all the time."""
        metrics = QFontMetrics(font(Text.CAPTION))
        # Of all, not of the visible ones, so that panning does not change the layout.
        return max((metrics.horizontalAdvance(name) for name in self.names[:MEASURED]), default=0)

    @cached_property
    def titles_width(self) -> int:
        """Width of the widest title of a strip in pixels; 0 without strips."""
        metrics = QFontMetrics(font(Text.CAPTION))
        return max((metrics.horizontalAdvance(strip.name) for strip in self.strips), default=0)


NO_SIDE = HeatSide()
