"""Map size for a part of a map."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ximstudio.model.result import Result
from ximstudio.train.params import suggested_shape
from ximstudio.train.warm import part_of_map


def part_shape(result: Result, items: Collection[str]) -> tuple[int, int]:
    """Suggest rows and columns for a map of some items of another map.

    Estimated from their positions on the map, and so fast enough for the window.
    """
    wanted = set(items)
    rows = [row for row, name in enumerate(result.item_ids) if name in wanted]
    region = part_of_map(result, result.positions[rows])
    width, height = np.maximum(region.high - region.low, np.finfo(float).tiny)[:2]
    short, long = suggested_shape(len(rows), spread=max(width, height) / min(width, height))
    return (long, short) if height > width else (short, long)
