"""What the states of views with a canvas have in common."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.views.common.state import Sight, ViewState


@dataclass(frozen=True, kw_only=True)
class CanvasState(ViewState):
    """How a canvas is set.

    Parameters
    ----------
    hidden
        Names of the classes that are switched off in the legend.
    rows, columns
        How far a map that repeats is moved across its seams.
    repeated
        Whether it goes on beyond them.
    sight
        The part that is seen, once a person has zoomed or moved; None for all of it.
    """

    hidden: tuple[str, ...] = ()
    rows: int = 0
    columns: int = 0
    repeated: bool = False
    sight: Sight | None = None
