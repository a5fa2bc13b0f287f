"""Content and appearance of a figure: with the maps, all that is needed to draw it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ximstudio.figures.look import Look
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.views.common.state import ViewState


@dataclass(frozen=True, kw_only=True)
class FigurePlan:
    """A view with its settings, on paper.

    Parameters
    ----------
    state
        The settings of the view.
    selection
        The items that are marked.
    look
        Size and type.
    title
        Printed above the figure; '' for none, as journals want it.
    table
        Whether compared maps have the table of measures below them.
    dots
        Whether every repetition is drawn as a dot, measure by measure.
    """

    state: ViewState
    selection: Selection = NOTHING
    look: Look = field(default_factory=Look)
    title: str = ""
    table: bool = False
    dots: bool = False

    def as_values(self) -> dict[str, Any]:
        """Return plain values for JSON; `figure_plan_from` reads them back."""
        return {
            "view": self.state.view,
            "state": self.state.as_values(),
            "selection": sorted(self.selection.ids),
            "look": self.look.as_values(),
            "title": self.title,
            "table": self.table,
            "dots": self.dots,
        }
