"""The user's work on maps that a picture shows, besides maps and tables."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.named_set import NamedSet


@dataclass(frozen=True, kw_only=True)
class PictureNeeds:
    """Parts of a session that are needed to draw a picture again, besides its maps.

    Parameters
    ----------
    sets
        The sets that are coloured, each with the number of its colour.
    clusters
        Whether clusters of the runs are visible.
    brought
        Whether items that were placed on the map later are visible.
    wander
        Whether colours show the wander of items.
    steadiness
        Whether the full result of the stability test is visible.
    repeated
        Whether measures are those of repetitions.
    seconds
        Whether the training time is shown.
    """

    sets: tuple[NamedSet, ...] = ()
    clusters: bool = False
    brought: bool = False
    wander: bool = False
    steadiness: bool = False
    repeated: bool = False
    seconds: bool = False


NO_NEEDS = PictureNeeds()
"""Maps and tables suffice."""
