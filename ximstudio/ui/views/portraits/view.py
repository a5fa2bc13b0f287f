"""Portraits: the map of genes once for every sample, or for groups of samples."""

from __future__ import annotations

from ximstudio.pictures.planes import COMMON, PlanesPicture
from ximstudio.pictures.portraits import EACH, GROUPS, group_labels
from ximstudio.pictures.states import PortraitsState
from ximstudio.session.shown import Wish
from ximstudio.ui.views.chooser import Choice
from ximstudio.ui.views.planes_view import PlanesView


class PortraitsView(PlanesView):
    """A gallery of samples, all in the same colours; a click enlarges one."""

    key = "portraits"
    name = "Portraits"
    icon = "portraits"
    about = "One map per sample or group of samples: which genes are above their mean, and where."
    nothing = "No portraits yet", "Train a map of genes, and every sample has its portrait here."
    choice = "Portraits of"
    action = "Show planes"
    leads_to = "features"
    # Samples are compared: equal colours have to mean equal values.
    scalings = (COMMON,)

    @property
    def state(self) -> PortraitsState:
        return PortraitsState(**self._chosen())

    def wish(self) -> Wish:
        """The portraits that are chosen."""
        return self.state.wish(self._memory)

    def _offer(self, picture: PlanesPicture) -> None:
        one, several = picture.words.feature, picture.words.features
        about = f"A portrait of every {one}, in the order of the table."
        choices = [Choice(key=EACH, name=f"Each {one}", about=about)]
        labels = group_labels(picture.matrix)
        if labels:
            about = f"The mean portrait of the {several} with one text of a label."
            choices.append(Choice(key=GROUPS, name="Groups by", about=about, options=labels))
        self.order.show_choices(choices, picture.by, picture.option)
