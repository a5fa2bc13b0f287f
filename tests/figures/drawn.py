"""Contents of a figure, by the labels of its artists."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from ximstudio.figures.look import Look, on_paper
from ximstudio.model.arrays import Floats
from ximstudio.model.selection import Selection
from ximstudio.session.shown import Shown
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState
from ximstudio.views.figure import figure_of

MM_PER_INCH = 25.4
SMALL = Look(width_mm=85.0, font_size=7.0)


def figure(shown: Shown, state: ViewState, *chosen: str, **changes: Any) -> Figure:
    """The figure of a view, one column wide unless it is said."""
    plan = FigurePlan(
        **{"state": state, "look": SMALL, "selection": Selection.of(chosen), **changes}
    )
    return figure_of(shown, plan)


def axes_named(drawn: Figure, label: str) -> Axes:
    """The axes with this label."""
    (found,) = [axes for axes in drawn.axes if axes.get_label() == label]
    return found


def artists(drawn: Figure, label: str) -> list[Collection]:
    """Cells, points, lines and the like with this label, in any axes."""
    every = [artist for axes in drawn.axes for artist in axes.collections]
    return [artist for artist in every if artist.get_label() == label]


def artist(drawn: Figure, label: str) -> Collection:
    """The only one with this label."""
    (found,) = artists(drawn, label)
    return found


def places(drawn: Figure, label: str) -> Floats:
    """Where the points with this label lie, in the order they are drawn."""
    return np.asarray(artist(drawn, label).get_offsets())


def corners(found: Collection) -> list[Floats]:
    """Corners of all cells, or ends of all lines; what closes a shape is left away."""
    return [np.asarray(path.vertices)[: 4 if len(path) > 4 else None] for path in found.get_paths()]


def n_points(found: Collection) -> int:
    """How many points there are."""
    return len(np.asarray(found.get_offsets()))


def face_colours(found: Collection) -> Floats:
    """Red, green and blue of all parts, 0 to 255."""
    return np.rint(255.0 * np.asarray(found.get_facecolor())[:, :3])


def texts(drawn: Figure, role: str) -> list[Text]:
    """All texts with this role, in the order they were written."""
    return [text for text in drawn.axes[0].texts if text.get_label() == role]


def said(drawn: Figure, role: str) -> list[str]:
    """What they say."""
    return [text.get_text() for text in texts(drawn, role)]


def legend(drawn: Figure) -> list[tuple[str, str]]:
    """Names and colours of the legend's entries."""
    marks = [line for line in drawn.axes[0].lines if line.get_label() == "legend mark"]
    colours = [to_hex(line.get_markerfacecolor()).upper() for line in marks]
    return list(zip(said(drawn, "legend name"), colours, strict=True))


def size_mm(drawn: Figure) -> tuple[float, float]:
    """Width and height."""
    width, height = (MM_PER_INCH * drawn.get_size_inches()).tolist()
    return width, height


def assert_nothing_is_cut(drawn: Figure) -> None:
    """All texts lie on the paper, and none that names something lies on another."""
    # Letters are as wide as they are on paper only with its settings.
    with on_paper(Look()):
        canvas: Any = FigureCanvasAgg(drawn)
        renderer = canvas.get_renderer()
        paper = drawn.bbox
        for text in drawn.axes[0].texts:
            box = text.get_window_extent(renderer)
            inside = box.x0 >= paper.x0 and box.x1 <= paper.x1
            assert inside, text.get_text()
            assert box.y0 >= paper.y0, text.get_text()
            assert box.y1 <= paper.y1, text.get_text()
        roles = (
            "legend name",
            "legend count",
            "bar number",
            "bar name",
            "panel name",
            "table value",
        )
        boxes = [text.get_window_extent(renderer) for role in roles for text in texts(drawn, role)]
        for number, box in enumerate(boxes):
            assert not any(_meet(box, other) for other in boxes[number + 1 :])


def _meet(one: Any, other: Any) -> bool:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    down = min(one.y1, other.y1) - max(one.y0, other.y0)
    # Boxes of lines of text are a hair higher than the lines are apart.
    return bool(across > 0.0 and down > 0.25 * min(one.height, other.height))
