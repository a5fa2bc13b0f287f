"""Frames of the window's drawings, in a real window: `xvfb-run -a python -m benchmarks.drawing`.

A frame is everything from the change to the painted window, in the one thread of the window. Wall
time counts; processor time stands beside it, for on a shared machine a frame waits for others.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from benchmarks.timing import duration, show_table
from ximstudio.maps.palettes import palette_named
from ximstudio.model.arrays import Floats
from ximstudio.model.grid import Grid, Lattice
from ximstudio.pictures.colouring import colours_of
from ximstudio.pictures.raster.dots import warm_up
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.mesh import MapItem
from ximstudio.ui.widgets.drawing.points import PointsItem
from ximstudio.ui.widgets.look.theme import the_theme

SIZE = 900, 700
FRAMES = 40
HEADINGS = ("what", "frame", "processor", "slowest", "per second", "target", "")


@dataclass(frozen=True, kw_only=True)
class Frames:
    """Seconds per frame by the clock and by the processor."""

    wall: Floats
    cpu: Floats

    def row(self, what: str, *, at_most: float) -> tuple[str, ...]:
        """A line of the table; `at_most` are the seconds that a frame may take, 0 for any."""
        median = float(np.median(self.wall))
        cpu = float(np.median(self.cpu))
        verdict = "" if not at_most else "holds" if median <= at_most else "MISSED"
        return (
            what,
            duration(median),
            duration(cpu),
            duration(float(self.wall.max())),
            f"{1.0 / median:.0f}",
            f"≤ {duration(at_most)}" if at_most else "",
            verdict,
        )


def frames(canvas: Canvas, change: Callable[[int], object], *, n_frames: int = FRAMES) -> Frames:
    """Change something, paint it, and again; the first two frames are thrown away."""
    wall, cpu = np.empty((2, n_frames + 2))
    for number in range(n_frames + 2):
        began, began_cpu = time.perf_counter(), time.thread_time()
        change(number)
        canvas.viewport().repaint()
        wall[number] = time.perf_counter() - began
        cpu[number] = time.thread_time() - began_cpu
        QApplication.processEvents()
    return Frames(wall=wall[2:], cpu=cpu[2:])


def shown_with(item: MapItem | PointsItem) -> Canvas:
    """A window that shows one item."""
    canvas = Canvas()
    canvas.resize(*SIZE)
    canvas.add(item)
    canvas.show()
    QApplication.processEvents()
    canvas.fit()
    QApplication.processEvents()
    return canvas


def pan_and_zoom(canvas: Canvas, bounds: QRectF) -> Callable[[int], object]:
    """Moves the view in a circle and breathes: no two frames are the same."""

    def move(number: int) -> None:
        turn = 0.35 * number
        size = 0.75 + 0.2 * np.sin(turn)
        width, height = bounds.width() * size, bounds.height() * size
        left = bounds.left() + (bounds.width() - width) * (0.5 + 0.4 * np.cos(turn))
        top = bounds.top() + (bounds.height() - height) * (0.5 + 0.4 * np.sin(turn))
        canvas.view.setRange(QRectF(left, top, width, height), padding=0.0)

    return move


def map_rows(grid: Grid) -> list[tuple[str, ...]]:
    """Frames of one map."""
    rng = np.random.default_rng(0)
    table = palette_named("viridis").table
    colours = [colours_of(rng.random(grid.n_nodes), table, low=0.0, high=1.0) for _ in range(4)]
    item = MapItem(grid)
    item.show_colours(colours[0])
    canvas = shown_with(item)
    name = f"{grid.rows}×{grid.columns} {grid.lattice.value}"
    rows = [
        frames(canvas, lambda number: item.hover(number % grid.n_nodes)).row(
            f"{name}: hover", at_most=0.010
        ),
        frames(canvas, lambda number: item.show_colours(colours[number % 4])).row(
            f"{name}: new colours", at_most=0.010
        ),
        frames(canvas, pan_and_zoom(canvas, item.boundingRect())).row(
            f"{name}: pan and zoom", at_most=0.033
        ),
    ]
    if grid.n_nodes <= 3600:
        canvas.fit()
        shares = rng.dirichlet([0.3] * 5, grid.n_nodes)
        item.show_pies(shares, rng.integers(0, 256, (5, 3)).astype(np.uint8))
        canvas.show_bounds(QRectF(0.0, 0.0, 30.0, 25.0))
        rows.append(
            frames(canvas, lambda number: item.show_colours(colours[number % 4])).row(
                f"{name}: new colours below 1000 pies", at_most=0.033
            )
        )
        rows.append(
            frames(canvas, pan_and_zoom(canvas, QRectF(0.0, 0.0, 30.0, 25.0))).row(
                f"{name}: pan and zoom, 1000 pies of 4 slices", at_most=0.0
            )
        )
    canvas.close()
    return rows


def point_rows(n_points: int) -> list[tuple[str, ...]]:
    """Frames of so many positions."""
    rng = np.random.default_rng(1)
    classes = rng.integers(0, 8, n_points)
    positions = rng.random((8, 2))[classes] * 30.0 + rng.normal(size=(n_points, 2)) * 2.0
    item = PointsItem()
    item.show_positions(positions)
    item.show_colours(rng.integers(0, 256, (8, 3)).astype(np.uint8)[classes])
    canvas = shown_with(item)
    name = f"{n_points:,} points"
    few = 12 if n_points > 200_000 else FRAMES
    limit = 0.033 if n_points <= 50_000 else 0.0
    move = pan_and_zoom(canvas, item.boundingRect())
    rows = [frames(canvas, move, n_frames=few).row(f"{name}: pan and zoom", at_most=limit)]
    canvas.fit()
    rows.append(
        frames(canvas, lambda _: item.show_positions(positions), n_frames=few).row(
            f"{name}: new positions", at_most=limit
        )
    )
    item.select(classes == 3)
    rows.append(
        frames(canvas, move, n_frames=few).row(f"{name}: pan, an eighth selected", at_most=limit)
    )
    item.show_density(dense=True)
    item.select(None)
    rows.append(frames(canvas, move, n_frames=few).row(f"{name}: pan, density", at_most=0.0))
    places = rng.random((few + 2, 2)) * 30.0
    rows.append(
        frames(canvas, lambda number: item.point_at(*places[number]), n_frames=few).row(
            f"{name}: nearest point, and the frame", at_most=0.010
        )
    )
    canvas.close()
    return rows


def main() -> None:
    """Print the tables."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    the_theme().dress(application)
    began = time.perf_counter()
    warm_up()
    warm = duration(time.perf_counter() - began)
    scale = os.environ.get("QT_SCALE_FACTOR", "1")
    where = f"{application.platformName()}, {SIZE[0]}×{SIZE[1]} at scale {scale}"
    rows: list[tuple[str, ...]] = []
    for size in (60, 200):
        for lattice in Lattice:
            rows += map_rows(Grid(rows=size, columns=size, lattice=lattice))
    show_table(f"Maps ({where})", HEADINGS, rows)
    rows = []
    for n_points in (10_000, 50_000, 100_000, 1_000_000):
        rows += point_rows(n_points)
    show_table(f"Positions ({where}; loop warm after {warm})", HEADINGS, rows)


if __name__ == "__main__":
    main()
