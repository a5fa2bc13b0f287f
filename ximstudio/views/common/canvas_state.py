"""State shared by views with a canvas."""

from __future__ import annotations

from dataclasses import dataclass

from ximstudio.views.common.state import Sight, ViewState


@dataclass(frozen=True, kw_only=True)
class CanvasState(ViewState):
    """Settings of a canvas.

    Parameters
    ----------
    hidden
        Names of the classes that are switched off in the legend.
    rows, columns
        Number of rows and columns by which a map that repeats is moved across its seams.
    repeated
        Whether the map is repeated beyond its seams.
    sight
        The visible part, once the user has zoomed or moved; None for all of it.
    """

    hidden: tuple[str, ...] = ()
    rows: int = 0
    columns: int = 0
    repeated: bool = False
    sight: Sight | None = None
