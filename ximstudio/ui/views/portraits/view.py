"""Portraits: the map of genes for every sample, or for groups of samples."""

from __future__ import annotations

from ximstudio.session.shown import RenderRequest
from ximstudio.ui.views.common.chooser import ChooserEntry
from ximstudio.ui.views.common.planes_view import PlanesView
from ximstudio.views.common.planes_picture import PlanesPicture
from ximstudio.views.features import FEATURES
from ximstudio.views.portraits import PORTRAITS
from ximstudio.views.portraits.picture import EACH, GROUPS, group_labels
from ximstudio.views.portraits.state import PortraitsState


class PortraitsView(PlanesView[PortraitsState]):
    """A gallery of samples, all in the same colours; a click enlarges one."""

    kind = PORTRAITS
    nothing = "No portraits yet", "Train a map of genes to see a portrait of every sample."
    choice = "Portraits of"
    action = "Show planes"
    leads_to = FEATURES.key
    scalings = PortraitsState.scalings

    @property
    def state(self) -> PortraitsState:
        return PortraitsState(**self._chosen())

    def request(self) -> RenderRequest[PlanesPicture]:
        """Request the chosen portraits."""
        return self.state.request(self._memory)

    def _offer(self, picture: PlanesPicture) -> None:
        one, several = picture.words.feature, picture.words.features
        about = f"A portrait of every {one}, in the order of the table."
        choices = [ChooserEntry(key=EACH, name=f"Each {one}", about=about)]
        labels = group_labels(picture.matrix)
        if labels:
            about = f"The mean portrait of the {several} with one text of a label."
            choices.append(ChooserEntry(key=GROUPS, name="Groups by", about=about, options=labels))
        self.order.show_choices(choices, picture.by, picture.option)
