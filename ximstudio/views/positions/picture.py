"""Compute the Positions view in the background."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.maps.drawn import LayerPanel, panels
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.maps.palettes import PaletteScheme, palette_named, scale_of
from ximstudio.model.arrays import Floats
from ximstudio.model.result import LinearMap, PrototypeMap
from ximstudio.pictures.cache import PictureCache
from ximstudio.pictures.canvas import CanvasPicture
from ximstudio.pictures.colouring import class_colours, colour_rows
from ximstudio.pictures.colours import Colours
from ximstudio.pictures.quantity import value_words
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.pictures.set_classes import SET, SET_MEAN, set_named, set_options
from ximstudio.session.shown import Shown

if TYPE_CHECKING:
    from ximstudio.views.positions.state import PositionsState


PLAIN, LABEL, FEATURE, TRUST, CONTINUITY = "plain", "label", "feature", "trust", "continuity"
CLUSTERS, WANDER = "clusters", "wander"
"""Subjects of the colours of items."""
EDGE = 0.5
"""Percentage of values at either end that share the last colours, because of outliers."""
MANY_VALUES = 200
"""Number of values up to which all of them count."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PositionsPicture(CanvasPicture):
    """Items at their positions, and the meaning of their colours.

    Parameters
    ----------
    by
        The subject of the colours. A label has classes, unless its texts are numbers.
    bounds
        Smallest x and y, and largest x and y of all items; None without any.
    explained
        Share of the variance along x and y, for a projection.
    """

    by: str
    bounds: tuple[float, float, float, float] | None = None
    explained: tuple[float, float] | None = None

    @cached_property
    def panels(self) -> tuple[LayerPanel, ...]:
        """Return the layers of a map in space; none on a plane."""
        return panels(self.grid)

    @property
    def waiting(self) -> bool:
        """Return whether the numbers are missing so far."""
        return self.by in (TRUST, CONTINUITY, WANDER) and self.values is None


@dataclass(frozen=True, kw_only=True, eq=False)
class PositionsRequest:
    """Current options of a Positions view; called in the background."""

    memory: PictureCache
    state: PositionsState
    beside: bool = False
    """True while it waits for its values, because others shown beside it have them."""

    def __call__(self, shown: Shown) -> PositionsPicture:
        """Return the picture of the displayed map."""
        by, option = self.choice(shown)
        model = shown.result.model
        picture = PositionsPicture(
            shown=shown,
            words=self.memory.words(shown.matrix),
            by=by,
            option=option,
            grid=model.grid if isinstance(model, PrototypeMap) else None,
            overlaid=self.memory.overlaid(shown, lines=False),
        )
        everyone = np.concatenate([picture.positions, picture.overlaid.places])
        picture = replace(picture, bounds=_bounds(everyone))
        if isinstance(model, LinearMap):
            along_x, along_y = (float(share) for share in model.explained[:2])
            picture = replace(picture, explained=(along_x, along_y))
        if by == CLUSTERS:
            return replace(picture, classes=self.memory.clusters(shown))
        if by == LABEL and option not in label_kinds(shown.matrix).scales:
            return replace(picture, classes=self.memory.classes(shown, option))
        if by == SET:
            classes = self.memory.set_classes(shown.matrix, shown.sets, option)
            return replace(picture, classes=classes)
        values = self._values(shown, by, option)
        if values is None:
            return picture
        two_sided = by in (FEATURE, SET_MEAN)
        scheme = PaletteScheme.DIVERGING if two_sided else PaletteScheme.SEQUENTIAL
        scale = scale_of(_without_edges(values), scheme)
        palette = palette_named(dict(self.state.palettes)[scale.scheme])
        return picture.coloured(values, scale, palette)

    def choice(self, shown: Shown) -> tuple[str, str]:
        """Return the subject of the colours and its label, feature or set: as chosen, if there.

        Otherwise return the defaults.
        """
        by, matrix, class_label = self.state.by, shown.matrix, shown.class_label
        gone = (by == CLUSTERS and self.memory.clusters(shown) is None) or (
            by == WANDER and not self.beside and wander_of(shown) is None
        )
        if gone or not by:
            by = LABEL if class_label else PLAIN
        names: tuple[str, ...] = ()
        if by == LABEL:
            names = tuple(matrix.item_labels)
        elif by == FEATURE:
            names = matrix.feature_names
        elif by in (SET, SET_MEAN):
            names = set_options(shown.sets, by)
        if by in (LABEL, FEATURE, SET, SET_MEAN) and not names:
            return PLAIN, ""
        first = class_label if by == LABEL and class_label else next(iter(names), "")
        return by, self.state.option if self.state.option in names else first

    def _values(self, shown: Shown, by: str, option: str) -> Floats | None:
        if by == FEATURE:
            column = shown.matrix.feature_names.index(option)
            return np.ascontiguousarray(shown.matrix.values[:, column])
        if by == SET_MEAN:
            one = set_named(shown.sets, option)
            return None if one is None else self.memory.set_mean(shown.matrix, one)
        if by == LABEL:
            return self.memory.numbers(shown.matrix, option)
        if by == WANDER:
            return wander_of(shown)
        if by in (TRUST, CONTINUITY) and shown.evidence is not None:
            from ximstudio.measure.neighbourhoods import item_continuity, item_trust

            measure = item_trust if by == TRUST else item_continuity
            return self.memory.per_item(by, shown.evidence, measure)
        return None


def wander_of(shown: Shown) -> Floats | None:
    """Return the wander of every item in retrained maps, (N,); None if it was not tested."""
    run = shown.run
    if run is None:
        return None
    judged = None if shown.judged is None else shown.judged.wander_of(run)
    if judged is not None or run.stability is None:
        return judged
    return run.stability.wander


def _bounds(positions: Floats) -> tuple[float, float, float, float] | None:
    # One axis at a time, because numpy is slow along short axes.
    x, y = positions[:, 0], positions[:, 1]
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return None
    x, y = x[known], y[known]
    return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def _without_edges(values: Floats) -> Floats:
    """Clip values to the percentiles that leave out the edges."""
    known = values[np.isfinite(values)]
    if len(known) < MANY_VALUES:
        return values
    low, high = np.percentile(known, (EDGE, 100.0 - EDGE))
    # Rare values above a constant floor, such as counts, would all be cut off.
    return values if low == high else np.clip(values, low, high)


MEANINGS = {
    TRUST: "trustworthiness of single items",
    CONTINUITY: "continuity of single items",
    WANDER: "wander of single items",
}
"""Names of the numbers beside the colour bar."""


def bar_name(picture: PositionsPicture) -> str:
    """Name the numbers of the colour bar, with their feature or label; '' without any."""
    if picture.by == FEATURE:
        return f"{picture.option}, {value_words(picture.shown)}"
    if picture.by == SET_MEAN:
        return f"{picture.option}, mean z-score"
    return picture.option or picture.words.said(MEANINGS.get(picture.by, ""))


def item_colours(picture: PositionsPicture, colours: Colours) -> Bytes:
    """Return a colour per item, (N, 3 or 4); grey where there is no value."""
    if picture.classes is not None:
        return colour_rows(class_colours(picture.classes, colours))[picture.classes.codes]
    if picture.colours is None:
        plain = colours.border_strong if picture.waiting else colours.classes[0]
        return np.tile(colour_rows((plain,)), (len(picture.positions), 1))
    unknown = picture.colours[:, 3] == 0
    if not unknown.any():
        return picture.colours
    known = picture.colours.copy()
    known[unknown] = (*colour_rows((colours.border_strong,))[0].tolist(), 255)
    return known
