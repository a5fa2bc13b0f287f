"""What a figure shows and how it looks: all that it takes, with the maps, to draw it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ximstudio.figures.look import Look
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.views.common.state import ViewState


@dataclass(frozen=True, kw_only=True)
class FigurePlan:
    """A view as it is set, on paper.

    Parameters
    ----------
    state
        The view, and what was chosen in it.
    selection
        The items that are marked.
    look
        Size and type.
    title
        Stands above the figure; '' for nothing, as journals have it.
    table
        Whether the table of measures stands below maps that are compared.
    dots
        Whether every repetition of what is compared is drawn as a dot, measure by measure.
    """

    state: ViewState
    selection: Selection = NOTHING
    look: Look = field(default_factory=Look)
    title: str = ""
    table: bool = False
    dots: bool = False

    def as_values(self) -> dict[str, Any]:
        """Plain values for JSON; `figure_plan_from` reads them back."""
        return {
            "view": self.state.view,
            "state": self.state.as_values(),
            "selection": sorted(self.selection.ids),
            "look": self.look.as_values(),
            "title": self.title,
            "table": self.table,
            "dots": self.dots,
        }
