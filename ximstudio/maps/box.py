"""A rectangle of a map."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ximstudio.model.arrays import Floats


class Box(NamedTuple):
    """A rectangle of the map."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, places: Floats) -> Box:
        """The least one that holds these places, (n, 2)."""
        return cls(*places.min(axis=0).tolist(), *places.max(axis=0).tolist())

    @property
    def longer_side(self) -> float:
        return float(max(np.subtract(self[2:], self[:2])))
