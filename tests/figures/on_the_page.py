"""Contents of a figure: texts by their roles, images and lines by their labels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.image import AxesImage
from matplotlib.text import Text

from ximstudio.figures.look import MM_PER_INCH, Look, on_paper
from ximstudio.model.arrays import Floats
from ximstudio.views.common.figure_plan import FigurePlan

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SomeArtist = TypeVar("SomeArtist", bound=Artist)
Picture = TypeVar("Picture")


def as_printed(
    draw: Callable[[Picture, FigurePlan], Figure],
) -> Callable[[Picture, FigurePlan], Figure]:
    """A function that draws as `figure_of` calls it: with the settings of paper."""

    def drawn(picture: Picture, plan: FigurePlan) -> Figure:
        with on_paper(plan.look):
            return draw(picture, plan)

    return drawn


def found(figure: Figure, kind: type[SomeArtist], label: str) -> list[SomeArtist]:
    """Artists of a kind by their label, in the order in which they were drawn."""
    every = [one for axes in figure.axes for one in axes.get_children()]
    return [one for one in every if isinstance(one, kind) and one.get_label() == label]


def texts(figure: Figure, role: str) -> list[str]:
    """What is written in a role."""
    return [one.get_text() for one in found(figure, Text, role)]


def images(figure: Figure, label: str) -> list[Any]:
    """The pixels of images with that label."""
    return [np.asarray(one.get_array()) for one in found(figure, AxesImage, label)]


def cells_of(image: Any, n_rows: int, n_columns: int) -> Any:
    """The colour in the middle of every cell of an image."""
    high, wide = image.shape[:2]
    rows = ((np.arange(n_rows) + 0.5) * high / n_rows).astype(int)
    columns = ((np.arange(n_columns) + 0.5) * wide / n_columns).astype(int)
    return image[rows][:, columns]


def size_mm(figure: Figure) -> Floats:
    """Width and height."""
    return np.asarray(figure.get_size_inches()) * MM_PER_INCH


def written(figure: Figure) -> list[Text]:
    """All texts that are seen."""
    figure.draw_without_rendering()
    every = [one for axes in figure.axes for one in axes.get_children()]
    shown = [one for one in every if isinstance(one, Text) and one.get_text()]
    for axes in figure.axes:
        if axes.get_label() not in ("paper", "colour bar"):
            shown += [*axes.get_xticklabels(), *axes.get_yticklabels()]
    return [one for one in shown if one.get_visible() and one.get_text()]


def assert_readable(figure: Figure, look: Look, *, apart: bool = True) -> None:
    """The figure is as wide as asked for and on a page, and no text is cut, tiny or covered."""
    width, height = size_mm(figure)
    assert np.isclose(width, look.width_mm)
    assert height <= 235.0 + 1.0
    shown = written(figure)
    boxes = [text.get_window_extent() for text in shown]
    page, spare = figure.bbox, 0.6 / MM_PER_INCH * figure.dpi
    for text, box in zip(shown, boxes, strict=True):
        inside = box.x0 >= -spare and box.y0 >= -spare
        assert inside, text
        assert box.x1 <= page.x1 + spare, text
        assert box.y1 <= page.y1 + spare, text
    if apart:
        # Lines stand closer than their boxes, which have room for the deepest letters.
        slim = [box.padded(-0.12 * min(box.width, box.height)) for box in boxes]
        for one, other in combinations(range(len(slim)), 2):
            assert not slim[one].overlaps(slim[other]), (shown[one], shown[other])
