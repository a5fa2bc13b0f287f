"""What a picture shows of a person's work on maps, besides the maps themselves and their tables."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.model.named_set import NamedSet


@dataclass(frozen=True, kw_only=True)
class PictureNeeds:
    """What of a session it takes to draw a picture again, once its maps are there.

    Parameters
    ----------
    sets
        Those that colours tell of, each with the number of its colour.
    clusters
        Whether clusters of the runs are seen.
    brought
        Whether items that were placed on the map later are.
    wander
        Whether colours tell how far items stray when a map is made again.
    steadiness
        Whether all is seen that was found when the run was made again.
    repeated
        Whether measures are those of repetitions.
    seconds
        Whether it is told how long training took.
    """

    sets: tuple[NamedSet, ...] = ()
    clusters: bool = False
    brought: bool = False
    wander: bool = False
    steadiness: bool = False
    repeated: bool = False
    seconds: bool = False


NO_NEEDS = PictureNeeds()
"""Maps and tables are all it takes."""
