"""Planes: the map once in the colours of every feature."""

from __future__ import annotations

from ximstudio.pictures.features import (
    CORRELATION,
    LIKENESS,
    NAME,
    TABLE,
    Order,
)
from ximstudio.pictures.planes import KeptEnds, PlanesPicture
from ximstudio.pictures.states import FeaturesState
from ximstudio.session.shown import Wish
from ximstudio.ui.views.chooser import Choice
from ximstudio.ui.views.planes_view import PlanesView


class FeaturesView(PlanesView):
    """A gallery of component planes; a click enlarges one."""

    key = "features"
    name = "Planes"
    icon = "features"
    about = "The map in the colours of every column of the table, those that are alike together."
    nothing = "No planes yet", "Train a map, and every column of the table colours it here."
    choice = "Order"
    compares = True

    def __init__(self) -> None:
        self._order, self._ends = Order(), KeptEnds()
        super().__init__()
        self.page.compared.connect(self._compare)

    @property
    def state(self) -> FeaturesState:
        return FeaturesState(**self._chosen())

    def wish(self) -> Wish:
        """All planes in the order that is chosen."""
        return self.state.wish(self._memory, self._order, self._ends)

    def _offer(self, picture: PlanesPicture) -> None:
        features, one = picture.words.features, picture.words.feature
        choices = [
            Choice(
                key=LIKENESS, name="Alike together", about=f"Maps of {features} that look alike."
            ),
            Choice(
                key=TABLE, name="As in the table", about=f"{features.capitalize()} as they come."
            ),
            Choice(key=NAME, name="By name", about="From A to Z."),
            Choice(
                key=CORRELATION,
                name="Like…",
                about=f"Those most like the map of one {one} first, with their correlation r.",
                options=picture.matrix.feature_names,
            ),
        ]
        self.order.show_choices(choices, picture.by, picture.option)

    def _compare(self, name: str) -> None:
        self.go_back()
        self.order.choose(CORRELATION, name)
