"""The record by which the rest of the program knows a view."""

from __future__ import annotations

from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ximstudio.session.shown import Shown
    from ximstudio.views.common.figure_plan import FigurePlan
    from ximstudio.views.common.legend import FigureWords
    from ximstudio.views.common.state import ViewState


@dataclass(frozen=True, kw_only=True)
class ViewKind:
    """A view, described for the window, the commands, exports and the guide.

    A record imports nothing: its functions are named as "module:object" and imported on first use.

    Parameters
    ----------
    key
        Its name in sessions and figures, and on the command line.
    name, icon, about
        Text and icon of its tab, and one sentence on what it shows.
    state
        The class of its settings, a `ViewState`.
    figure
        The function that draws a picture on paper: (picture, plan) → figure.
    legend
        The function that describes a figure: (shown, plan) → `FigureWords`.
    needs_nodes
        Whether it shows nothing of a map without nodes; commands draw Positions instead.
    marks_chosen
        Whether the selected items are marked in it.
    shows_chosen
        Whether it shows the selected items only.
    shows_measures
        Whether it shows the measures of all runs.
    compares
        Whether it shows runs side by side; a command that trains one map cannot draw it.
    """

    key: str
    name: str
    icon: str
    about: str
    state: str
    figure: str
    legend: str
    needs_nodes: bool = False
    marks_chosen: bool = True
    shows_chosen: bool = False
    shows_measures: bool = False
    compares: bool = False

    @property
    def shows_one_run(self) -> bool:
        """Return whether a figure of it shows the current run and no other."""
        return not (self.shows_measures or self.compares)

    @property
    def state_class(self) -> type[ViewState]:
        """Return the class of its settings."""
        found: type[ViewState] = resolve_name(self.state)
        return found

    def draw(self, picture: object, plan: FigurePlan) -> Figure:
        """Draw a picture on paper."""
        figure: Figure = resolve_name(self.figure)(picture, plan)
        return figure

    def describe(self, shown: Shown, plan: FigurePlan) -> FigureWords:
        """Describe a figure for its legend."""
        words: FigureWords = resolve_name(self.legend)(shown, plan)
        return words
