"""A way to place items, added to its registry before the parameters list it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ximstudio import place
from ximstudio.model.arrays import Floats
from ximstudio.model.result import PrototypeMap
from ximstudio.place.placed import PlacedItems, PlacingRule
from ximstudio.place.shepard import SHEPARD, shepard


def _place(model: PrototypeMap, values: Floats, params: Any) -> PlacedItems:  # noqa: ARG001
    return shepard(model, values, power=1.0, neighbours=2)


def _in_text(params: Any, n_nodes: int) -> str:  # noqa: ARG001
    return f"Every item was placed between two of {n_nodes} parishes"


DUMMY: PlacingRule = replace(
    SHEPARD,
    key="dummy",
    about="between two parishes",
    place=_place,
    from_distances=None,
    in_text=_in_text,
    tells=(),
    works=("N. Nobody, On parishes (2026).",),
)

place.MAPPINGS = (*place.MAPPINGS, DUMMY)
