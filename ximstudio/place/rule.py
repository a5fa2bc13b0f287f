"""A rule that gives items their positions between the nodes of a map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ximstudio.model.arrays import Floats
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap
from ximstudio.place.placed import PlacedItems

if TYPE_CHECKING:
    # The parameters list the rules.
    from ximstudio.place.params import PlacingParams


@dataclass(frozen=True, kw_only=True)
class PlacingRule:
    """A way to place items, and all that the program says about it.

    Parameters
    ----------
    key
        Value of the parameter `mapping`.
    about
        What the rule does, as forms and `ximstudio methods` list it.
    place
        Positions and winners of items given by their features.
    in_text
        The sentence of the methods text, for a map with this number of nodes.
    from_distances
        Positions of items given by their squared distances to all prototypes, for maps of tables of
        distances. None takes the distances of an item for its features.
    tells
        Names of other parameters that the sentence mentions.
    works
        Works that the sentence cites.
    reads_blanks
        Whether values of items may be missing.
    """

    key: str
    about: str
    place: Callable[[PrototypeMap, Floats, PlacingParams], PlacedItems]
    in_text: Callable[[PlacingParams, int], str]
    from_distances: Callable[[RelationalMap, Floats, PlacingParams], Floats] | None = None
    tells: tuple[str, ...] = ()
    works: tuple[str, ...] = ()
    reads_blanks: bool = True
