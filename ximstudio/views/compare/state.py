"""Settings of the Compare view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.set_classes import SET, SET_MEAN, seen_sets
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown
from ximstudio.views.common.state import NO_NEEDS, PictureNeeds, ViewState
from ximstudio.views.compare.picture import (
    CompareMemory,
    ComparePicture,
    CompareRequest,
    is_repeated,
)
from ximstudio.views.compare.sweep_picture import GRID
from ximstudio.views.positions.picture import CLUSTERS, LABEL, WANDER

MAPS, MEASURES, SWEEP, STABILITY = "maps", "measures", "sweep", "stability"
"""Pages of the view."""
BOTH = "both"
"""Maps, and the spread of their measures over repetitions: the usual figure of `compare`."""
OF_COMPARED = (MAPS, MEASURES)
"""Pages that show the compared runs; a sweep has its own maps, and stability concerns one run."""


@dataclass(frozen=True, kw_only=True)
class CompareState(ViewState):
    """Runs side by side.

    Parameters
    ----------
    page
        The page.
    by, option
        The subject of the colours of items, and its label, feature or set.
    hidden
        Names of the classes that are switched off in the legend.
    order
        The order of the maps of a sweep.
    """

    view: ClassVar[str] = "compare"

    page: str = MAPS
    by: str = ""
    option: str = ""
    hidden: tuple[str, ...] = ()
    order: str = GRID

    @classmethod
    def for_command(cls, label: str) -> Self:
        return cls(by=LABEL if label else "", option=label)

    def command_view(self, *, dots: bool) -> str:
        return BOTH if dots and self.page == MAPS else self.page

    def pages(self, *, swept: bool) -> tuple[tuple[str, Self], ...]:
        others = (MAPS, MEASURES, STABILITY, *([SWEEP] if swept else []))
        pages = dict.fromkeys((self.page, *others))
        return tuple((page, replace(self, page=page)) for page in pages)

    def runs(self, shown: Shown) -> tuple[Run, ...]:
        return shown.compared if self.shows_compared and shown.compared else super().runs(shown)

    @property
    def shows_compared(self) -> bool:
        return self.page in OF_COMPARED

    @property
    def shows_sweep(self) -> bool:
        return self.page == SWEEP

    def request(self, memory: CompareMemory) -> CompareRequest:
        """Return what computes the picture."""
        return CompareRequest(memory=memory, state=self)

    def with_sets_renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same settings for sets with other names; old → new."""
        if self.by not in (SET, SET_MEAN):
            return self
        hidden = tuple(names.get(name, name) for name in self.hidden)
        return replace(self, option=names.get(self.option, self.option), hidden=hidden)

    def work(self, shown: Shown, *, table: bool = False) -> PictureNeeds:
        """Return the user's work that colours, measures and stability depend on."""
        if self.page == STABILITY:
            return PictureNeeds(stability=True)
        if self.page not in OF_COMPARED or not shown.compared:
            return NO_NEEDS
        repeated, table = is_repeated(shown), table or self.page == MEASURES
        measured = PictureNeeds(repeated=table and repeated, seconds=table and not repeated)
        if self.page == MEASURES:
            return measured
        by, option = self.request(CompareMemory()).choice(shown)
        return replace(
            measured,
            sets=seen_sets(shown.sets, by, option),
            clusters=by == CLUSTERS,
            wander=by == WANDER,
        )

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> ComparePicture:
        """Return the picture of the compared runs."""
        return self.request(CompareMemory())(shown)
