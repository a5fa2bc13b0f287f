"""Explicit mapping: a trained map → positions of items, trained on or never seen (TR section 3).

`MAPPINGS` lists every rule there is to place items between nodes.
"""

from __future__ import annotations

from ximstudio.model.registry import named
from ximstudio.place import shepard, softmax, supervised
from ximstudio.place.placed import PlacingRule

MAPPINGS: tuple[PlacingRule, ...] = (
    shepard.SHEPARD,
    softmax.SOFTMAX,
    supervised.SUPERVISED,
    shepard.WINNER,
)


def mapping_named(key: str) -> PlacingRule:
    """Return the rule with this key; refuse an unknown one with a proposal."""
    return named("mapping", key, MAPPINGS)
