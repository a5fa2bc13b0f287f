"""Settings of the Quality view: there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ximstudio.model.selection import NOTHING, Selection
from ximstudio.session.run import Run
from ximstudio.session.shown import Shown
from ximstudio.views.common.state import PictureNeeds, ViewState
from ximstudio.views.quality.picture import QualityPicture, QualityRequest


@dataclass(frozen=True, kw_only=True)
class QualityState(ViewState):
    """Curves, plots and measures of all runs."""

    view: ClassVar[str] = "quality"

    def runs(self, shown: Shown) -> tuple[Run, ...]:
        return shown.runs or super().runs(shown)

    def work(self, shown: Shown, *, table: bool = False) -> PictureNeeds:
        """Return the user's work that it shows: the time that training took."""
        return PictureNeeds(seconds=table)

    def picture(self, shown: Shown, selection: Selection = NOTHING) -> QualityPicture:
        """Return the measures of the runs."""
        return QualityRequest()(shown)
