"""Planes: the map in the colours of every feature."""

from __future__ import annotations

from ximstudio.session.shown import RenderRequest
from ximstudio.ui.views.common.chooser import ChooserEntry
from ximstudio.ui.views.common.planes_view import PlanesView
from ximstudio.views.common.planes_picture import KeptEnds, PlanesPicture
from ximstudio.views.features import FEATURES
from ximstudio.views.features.picture import CORRELATION, LIKENESS, NAME, TABLE, PlaneOrder
from ximstudio.views.features.state import FeaturesState


class FeaturesView(PlanesView[FeaturesState]):
    """A gallery of component planes; a click enlarges one."""

    kind = FEATURES
    nothing = "No planes yet", "Train a map to see it coloured by every column of the table."
    choice = "Order"
    compares = True

    def __init__(self) -> None:
        self._order, self._ends = PlaneOrder(), KeptEnds()
        super().__init__()
        self.page.compared.connect(self._compare)

    @property
    def state(self) -> FeaturesState:
        return FeaturesState(**self._chosen())

    def request(self) -> RenderRequest[PlanesPicture]:
        """Request all planes in the chosen order."""
        return self.state.request(self._memory, self._order, self._ends)

    def _offer(self, picture: PlanesPicture) -> None:
        features, one = picture.words.features, picture.words.feature
        orders = {
            LIKENESS: ("Similar together", f"Similar maps of {features} side by side."),
            TABLE: ("As in the table", f"{features.capitalize()} in the order of the table."),
            NAME: ("By name", "From A to Z."),
        }
        choices = [
            ChooserEntry(key=key, name=name, about=about) for key, (name, about) in orders.items()
        ]
        about = f"Most similar to the map of one {one} first, with the correlation r."
        names = picture.matrix.feature_names
        choices.append(
            ChooserEntry(key=CORRELATION, name="Similar to…", about=about, options=names)
        )
        self.order.show_choices(choices, picture.by, picture.option)

    def _compare(self, name: str) -> None:
        self.go_back()
        self.order.choose(CORRELATION, name)
