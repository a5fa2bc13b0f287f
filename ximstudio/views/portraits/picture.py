"""Compute the Portraits view in the background. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ximstudio.explore.planes import portraits
from ximstudio.load.sides import kind_named
from ximstudio.maps.label_kinds import MOST_CLASSES
from ximstudio.maps.palettes import PaletteScheme, Scale
from ximstudio.model.matrix import Matrix
from ximstudio.model.relational import RelationalMap
from ximstudio.model.result import PrototypeMap
from ximstudio.model.table import SAMPLES
from ximstudio.model.words import counted
from ximstudio.pictures.cache import PictureCache
from ximstudio.pictures.quantity import value_words
from ximstudio.session.shown import Shown
from ximstudio.session.words import Words
from ximstudio.train import method_named
from ximstudio.views.common.planes_picture import PlanesPicture, map_of, plane_ends, plane_scales

if TYPE_CHECKING:
    from ximstudio.views.portraits.state import PortraitsState

EACH, GROUPS = "each", "groups"
"""Subjects of portraits: every sample, or every group of a label."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PortraitsRequest:
    """Current options of a Portraits view; called in the background."""

    memory: PictureCache
    state: PortraitsState

    def __call__(self, shown: Shown) -> PlanesPicture:
        """Return the portraits, or why there are none."""
        words = self.memory.words(shown.matrix)
        picture = PlanesPicture(
            shown=shown, words=words, tiles=map_of(shown.result), refused=refusal(shown, words)
        )
        if picture.refused is not None:
            return picture
        labels, group = group_labels(shown.matrix), ""
        if self.state.by == GROUPS and labels:
            group = self.state.option if self.state.option in labels else labels[0]
        found = portraits(shown.result, shown.matrix, group or None)
        scales = plane_scales(plane_ends(found.values, points=False), self.state.palettes)
        # The mean has the middle colour, however far single samples deviate.
        common = Scale(PaletteScheme.DIVERGING, -found.reach, found.reach)
        return replace(
            picture,
            names=found.names,
            captions=tuple(counted(n, words.feature) for n in found.counts.tolist() if group),
            values=found.values,
            scales=replace(scales, common=common),
            quantity=f"{value_words(shown)} above the mean of all {words.features}",
            by=GROUPS if group else EACH,
            option=group,
        )


def refusal(shown: Shown, words: Words) -> tuple[str, str] | None:
    """Explain why there are no portraits, and what to do about it; None if there are."""
    model = shown.result.model
    if isinstance(model, RelationalMap):
        return (
            "No portraits of a table of distances",
            "A portrait shows the values of one sample, and this table has only distances. Train"
            " a map on the values themselves.",
        )
    if kind_named(words.item).side == SAMPLES:
        return (
            f"No portraits on a map of {words.items}",
            f"A portrait shows one {words.item} on a map of {words.features}; here the"
            f" {words.items} themselves are on the map. Turn the table under Data, so that"
            f" {words.features} are trained on, and train a map.",
        )
    if not isinstance(model, PrototypeMap):
        return (
            "No portraits on a map without nodes",
            f"{method_named(shown.result.method).name} has no nodes to colour. Under Planes every"
            f" {words.feature} colours the {words.items} themselves; or train a map by another"
            " method, such as XIM or SOM.",
        )
    return None


def group_labels(matrix: Matrix) -> tuple[str, ...]:
    """Return the labels that group features."""
    return tuple(
        name
        for name, texts in matrix.feature_labels.items()
        if 2 <= len(set(texts) - {""}) <= min(MOST_CLASSES, matrix.n_features - 1)
    )
