"""Colours of items, in a set of named colours."""

from __future__ import annotations

import numpy as np

from ximstudio.pictures.colouring import class_colours, colour_rows
from ximstudio.pictures.colours import Colours
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.views.positions.picture import PositionsPicture


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
