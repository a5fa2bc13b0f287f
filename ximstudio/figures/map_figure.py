"""The figure of one run: the map's U-matrix, and the items in their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.figures.look import MARKERS, MM_PER_INCH, OTHERS, Look, on_paper
from ximstudio.maps import u_matrix
from ximstudio.maps.cells import bounds, tiles
from ximstudio.maps.classes import MOST_CLASSES
from ximstudio.maps.drawn import around_panels, drawn, panel_names, panels
from ximstudio.maps.palettes import OKABE_ITO
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid
from ximstudio.model.result import LinearMap, PrototypeMap, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


SQUARE = 0.36
"""Side of the panel of positions, as a share of the figure's width; about."""
POINTS_PER_INCH = 72.0
MUTED = "#555555"


def map_figure(
    result: Result,
    *,
    title: str,
    labels: Sequence[str] | None = None,
    label_name: str = "",
    look: Look | None = None,
) -> Figure:
    """U-matrix and positions side by side; positions alone for a method without nodes."""
    from matplotlib.figure import Figure

    look = Look() if look is None else look
    model = result.model
    with on_paper(look):
        panels = 2 if isinstance(model, PrototypeMap) else 1
        width = look.width_mm / MM_PER_INCH * (1.0 if panels == 2 else 0.6)
        height = 0.5 * look.width_mm / MM_PER_INCH
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots(1, panels, squeeze=False)[0]
        # Names are names: "$" is not the beginning of a formula.
        figure.suptitle(title, fontsize=look.font_size + 1, parse_math=False)
        if isinstance(model, PrototypeMap):
            _draw_heights(axes[0], model, figure)
            # Where the items of the right panel lie on the whole map.
            axes[0].plot(*_places(result).T, ".", color="white", markersize=1.0, alpha=0.7)
        _draw_positions(axes[-1], result, labels, label_name)
        _draw_panels(axes[-1], result, look)
        return figure


def _places(result: Result) -> Floats:
    """Where the items are drawn."""
    grid = result.model.grid if isinstance(result.model, PrototypeMap) else None
    return drawn(grid, result.positions)


def _draw_heights(axes: Axes, model: PrototypeMap, figure: Figure) -> None:
    from matplotlib.collections import PolyCollection

    grid = model.grid
    # Neighbouring cells overlap by a hair, so that no viewer shows white lines between them.
    shapes = PolyCollection(
        list(tiles(grid).cells), array=u_matrix(model), cmap="viridis", linewidth=0.1
    )
    shapes.set_edgecolor("face")
    shapes.set_rasterized(grid.n_nodes > 5000)
    axes.add_collection(shapes)
    axes.set_title("Whole map: U-matrix, items in white")
    _frame(axes, grid)
    bar = figure.colorbar(shapes, ax=axes, shrink=0.8, pad=0.02)
    bar.set_label("mean distance to neighbouring prototypes")
    bar.outline.set_linewidth(0.4)


def _draw_positions(
    axes: Axes, result: Result, labels: Sequence[str] | None, label_name: str
) -> None:
    places = _places(result)
    x, y = places.T
    size = float(np.clip(3000.0 / len(x), 2.0, 16.0))
    crowded = len(x) > 5000
    style = {"s": size, "linewidths": 0.2, "edgecolors": "white", "rasterized": crowded}
    if labels is None:
        axes.scatter(x, y, color=OKABE_ITO[0], **style)  # type: ignore[arg-type]
    else:
        texts = np.asarray(labels)
        names, counts = np.unique(texts, return_counts=True)
        classes = [str(name) for name in names[np.argsort(-counts, kind="stable")]]
        shown = classes[:MOST_CLASSES]
        rest = ~np.isin(texts, shown)
        if rest.any():
            axes.scatter(x[rest], y[rest], color=OTHERS, label="other", **style)  # type: ignore[arg-type]
        for number, name in enumerate(shown):
            chosen = texts == name
            axes.scatter(
                x[chosen],
                y[chosen],
                color=OKABE_ITO[number % len(OKABE_ITO)],
                marker=MARKERS[number // len(OKABE_ITO)],
                # matplotlib hides what begins with an underscore.
                label=f"{name or 'no label'} ({int(chosen.sum())})".replace(
                    "_", " _", name[:1] == "_"
                ),
                **style,  # type: ignore[arg-type]
            )
        legend = axes.legend(
            title=label_name or None,
            loc="upper left",
            bbox_to_anchor=(1.0, 1.0),
            frameon=False,
            handletextpad=0.2,
            borderaxespad=0.2,
        )
        for text in (legend.get_title(), *legend.get_texts()):
            text.set_parse_math(False)
    axes.set_title(f"{len(x)} items, each in its place")
    if isinstance(result.model, LinearMap):
        first, second = 100.0 * result.model.explained
        axes.set_xlabel(f"component 1 ({first:.0f} % of the variance)")
        axes.set_ylabel(f"component 2 ({second:.0f} %)")
        axes.set_aspect("equal", adjustable="datalim")
    else:
        _crop(axes, places)


def _draw_panels(axes: Axes, result: Result, look: Look) -> None:
    """A thin frame around every layer of a map in space, and its number above it."""
    from matplotlib.patches import Rectangle

    every = panels(result.model.grid if isinstance(result.model, PrototypeMap) else None)
    if not every:
        return
    box = around_panels(every)
    across = every[0].frame.right - every[0].frame.left
    room = SQUARE * look.width_mm / MM_PER_INCH * POINTS_PER_INCH * across / box.longer_side
    size = look.font_size - 2.0
    # Letters are about half as wide as high.
    names = panel_names(every, lambda text: 0.5 * size * len(text) <= room)
    for panel, name in zip(every, names, strict=True):
        left, top, right, bottom = panel.frame
        frame = Rectangle((left, top), right - left, bottom - top, fill=False, zorder=0.5)
        frame.set(edgecolor=OTHERS, linewidth=0.4)
        axes.add_patch(frame)
        axes.text(left, top - 0.1 * panel.above, name, fontsize=size, va="bottom", color=MUTED)
    # One frame around all of them would be a frame too many.
    axes.set_frame_on(False)
    margin = 0.01 * box.longer_side
    axes.set_xlim(box.left - margin, box.right + margin)
    axes.set_ylim(box.bottom + margin, box.top - margin)


def _crop(axes: Axes, positions: Floats) -> None:
    """A square around the items: repelled nodes may leave much of a map without any."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    half = 0.55 * max(float((high - low).max()), 1.0)
    middle = (low + high) / 2.0
    axes.set_xlim(middle[0] - half, middle[0] + half)
    axes.set_ylim(middle[1] + half, middle[1] - half)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])


def _frame(axes: Axes, grid: Grid) -> None:
    """The whole map, row 0 at the top."""
    box = bounds(grid)
    axes.set_xlim(box.left, box.right)
    axes.set_ylim(box.bottom, box.top)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
