"""How the quality view is set: there is nothing to choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.quality import QualityPicture, QualityWish
from ximstudio.pictures.states.state import ViewState
from ximstudio.pictures.work import Work
from ximstudio.session.shown import Shown


@dataclass(frozen=True, kw_only=True)
class QualityState(ViewState):
    """Curves, plots and measures of all runs."""

    view: ClassVar[str] = "quality"

    def work(self, shown: Shown, *, table: bool = False) -> Work:  # noqa: ARG002
        """How long training took, among the measures."""
        return Work(seconds=table)

    def picture(
        self,
        shown: Shown,
        selection: Selection = NOTHING,  # noqa: ARG002
    ) -> QualityPicture:
        """The measures of the runs."""
        return QualityWish()(shown)
