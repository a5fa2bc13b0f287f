"""Migration of recipes of earlier schemas."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ximstudio.model.table import FEATURES, ITEMS

_AXIS_OF_ITEMS = ("rename", "repeated", "remove_batch")
_AXIS_OF_FEATURES = (
    *("make_label", "keep", "drop", "filter_missing", "drop_constant", "minimum"),
    *("top", "impute", "centre", "scale"),
)
_SAMPLES = ("library_size", "equal_medians", "quantile")

SIDES_OF_FIRST: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        **{key: {"axis": ITEMS} for key in _AXIS_OF_ITEMS},
        **{key: {"axis": FEATURES} for key in _AXIS_OF_FEATURES},
        **{key: {"samples": ITEMS} for key in _SAMPLES},
    }
)
"""Side that schema 1 meant by default, by step."""


def migrated(entry: Any, schema: int) -> Any:
    """Return a step in the present form; anything else is left for others to refuse.

    Schema 1 used items and features. These words stay, and are bound to genes or samples when the
    recipe is applied to its table; only its defaults had another meaning.
    """
    if schema > 1 or not isinstance(entry, dict):
        return entry
    parameters = entry.get("parameters", {})
    key = entry.get("step")
    if not isinstance(parameters, dict) or not isinstance(key, str):
        return entry
    return {**entry, "parameters": {**SIDES_OF_FIRST.get(key, {}), **parameters}}
