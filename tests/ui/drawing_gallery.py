"""Everything that draws in one window, to look at: `python -m tests.ui.drawing_gallery`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QMainWindow, QWidget

from ximstudio.maps.palettes import palette_named
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.grid import Grid, Lattice
from ximstudio.pictures.colouring import colours_of
from ximstudio.pictures.colours import channels
from ximstudio.pictures.raster.dots import warm_up
from ximstudio.pictures.ticks import number_text
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.colour_bar import ColourBar
from ximstudio.ui.widgets.drawing.curves import Curves
from ximstudio.ui.widgets.drawing.hover_card import HoverCard, Line
from ximstudio.ui.widgets.drawing.legend import Legend, LegendEntry
from ximstudio.ui.widgets.drawing.mesh import MapItem
from ximstudio.ui.widgets.drawing.points import PointsItem
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

CLASSES = ("Ribo", "Proteas", "Resp", "Histone", "HTH", "Glycolysis and gluconeogenesis")


class Gallery(QMainWindow):
    """A map, a torus, positions and curves, with what explains them."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("XIM Studio: drawing")
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(1)
        self.map = MapPanel(Grid(rows=24, columns=30, lattice=Lattice.HEXAGONAL), beyond=0)
        torus = Grid(rows=16, columns=20, lattice=Lattice.HEXAGONAL, toroidal=True)
        self.torus = MapPanel(torus, beyond=3)
        self.positions = PositionsPanel(4000)
        self.curves = _curves()
        parts: tuple[QWidget, ...] = (self.map, self.torus, self.positions, self.curves)
        for number, part in enumerate(parts):
            grid.addWidget(part, number // 2, number % 2)
        self.setCentralWidget(page)
        self.resize(1280, 900)


class MapPanel(QWidget):
    """A map with its colour bar; hovering names the node, clicking selects it."""

    def __init__(self, grid: Grid, *, beyond: int) -> None:
        super().__init__()
        self.canvas, self.bar = Canvas(), ColourBar()
        self.item = MapItem()
        self.item.show_grid(grid, beyond=beyond)
        self.values = _hills(grid)
        table = palette_named("viridis").table
        low, high = float(np.nanmin(self.values)), float(np.nanmax(self.values))
        self.item.show_colours(colours_of(self.values, table, low=low, high=high))
        if beyond:
            self._add_pies(grid)
        self.bar.show_scale(
            table, low=low, high=high, name="distance to neighbouring nodes", blank="none"
        )
        self.canvas.add(self.item)
        self.card = HoverCard(self.canvas)
        self.canvas.hovered.connect(self.hover)
        self.canvas.left.connect(self.card.hide)
        self.canvas.clicked.connect(lambda place, _: self._select(place))
        _row(self, self.canvas, self.bar)

    def hover(self, place: QPointF) -> None:
        """Outline the node at a place, and say what it is."""
        node = self.item.node_at(place.x(), place.y())
        self.item.hover(node)
        if node < 0:
            self.card.hide()
            return
        self.bar.mark(float(self.values[node]))
        row, column = divmod(node, self.item.tiles.grid.columns)
        colours = the_theme().colours.classes
        lines = [Line(name="U-matrix", value=number_text(float(self.values[node])))]
        lines += [
            Line(name=name, colour=colours[i], value="3") for i, name in enumerate(CLASSES[:3])
        ]
        self.card.show_at(
            self.canvas.position_of(place),
            f"Row {row + 1}, column {column + 1}",
            lines,
            more="YBR118W, YDL055C and 7 more",
        )

    def _select(self, place: QPointF) -> None:
        node = self.item.node_at(place.x(), place.y())
        self.item.select(np.array([node] if node >= 0 else [], dtype=np.int64))

    def _add_pies(self, grid: Grid) -> None:
        rng = np.random.default_rng(3)
        shares = rng.dirichlet([0.25] * len(CLASSES), grid.n_nodes)
        shares[rng.random(grid.n_nodes) < 0.35] = 0.0
        self.item.show_pies(shares, _class_colours(), sizes=rng.uniform(0.3, 1.0, grid.n_nodes))


class PositionsPanel(QWidget):
    """Positions with their legend."""

    def __init__(self, n_items: int) -> None:
        super().__init__()
        rng = np.random.default_rng(2)
        middles = rng.random((len(CLASSES), 2)) * 30.0
        self.classes: Ints = rng.choice(
            len(CLASSES), n_items, p=np.array([8, 5, 4, 3, 2, 1]) / 23.0
        )
        self.item = PointsItem()
        spread = (
            rng.normal(size=(n_items, 2)) * rng.uniform(0.8, 2.4, len(CLASSES))[self.classes, None]
        )
        self.item.show_positions(middles[self.classes] + spread)
        self.item.show_colours(_class_colours()[self.classes])
        self.canvas, self.legend = Canvas(), Legend()
        self.canvas.add(self.item)
        counts = np.bincount(self.classes, minlength=len(CLASSES)).tolist()
        self.legend.show_classes(
            [
                LegendEntry(name=name, colour=the_theme().colours.classes[number], count=count)
                for number, (name, count) in enumerate(zip(CLASSES, counts, strict=True))
            ]
        )
        self.legend.setFixedWidth(200)
        self.legend.shown_changed.connect(self._show)
        self.card = HoverCard(self.canvas)
        self.canvas.hovered.connect(self.hover)
        self.canvas.left.connect(self.card.hide)
        _row(self, self.canvas, self.legend)

    def hover(self, place: QPointF) -> None:
        """Ring the point at a place, and name it."""
        item = self.item.point_at(place.x(), place.y())
        self.item.hover(item)
        if item < 0:
            self.card.hide()
            return
        name = CLASSES[self.classes[item]]
        colour = the_theme().colours.classes[self.classes[item]]
        self.card.show_at(
            self.canvas.position_of(place), f"YBR{item:04d}W", [Line(name=name, colour=colour)]
        )

    def _show(self, shown: Bools) -> None:
        self.item.show_only(shown[self.classes])


def _row(widget: QWidget, *parts: QWidget) -> None:
    row = QHBoxLayout(widget)
    row.setContentsMargins(0, spacing.SMALL, spacing.SMALL, spacing.SMALL)
    row.setSpacing(spacing.SMALL)
    for number, part in enumerate(parts):
        row.addWidget(part, 1 if number == 0 else 0)


def _hills(grid: Grid) -> Floats:
    x, y = (grid.nodes / grid.nodes.max(axis=0)).T
    heights = np.sin(5.0 * x) * np.cos(4.0 * y) + 0.25 * np.random.default_rng(0).random(len(x))
    heights = heights - heights.min()
    heights[::41] = np.nan
    return np.asarray(heights)


def _class_colours() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    named = the_theme().colours.classes
    return np.array([channels(colour) for colour in named[: len(CLASSES)]], dtype=np.uint8)


def _curves() -> Curves:
    curves = Curves()
    x = np.linspace(0.0, 60.0, 400)
    noise = np.random.default_rng(1).normal(size=(4, 400)) * 0.006
    for number, name in enumerate(("Trust", "Continuity", "c-XIM", "SOM")):
        y = 1.0 - 0.7 * np.exp(-x / (6.0 + 4.0 * number)) - 0.06 * number + noise[number]
        curves.show_curve(name, x, y, name=name, dashed=number == 3)
    curves.name_axes("epochs", "share of neighbours kept")
    return curves


def main(arguments: Sequence[str] | None = None) -> int:
    """Show the gallery, or save a picture of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scheme", choices=[each.value for each in Scheme], default="auto")
    parser.add_argument("--save", help="write a picture to this file and end")
    chosen = parser.parse_args(arguments)
    application = QApplication(sys.argv[:1])
    the_theme().dress(application)
    the_theme().choose(Scheme(chosen.scheme))
    warm_up()
    window = Gallery()
    window.show()
    if chosen.save:
        application.processEvents()
        window.map.hover(QPointF(17.0, 7.0))
        window.torus.item.select(np.arange(40, 52))
        window.torus.hover(QPointF(18.0, 13.0))
        window.positions.hover(window.positions.item.place_of(5))
        window.positions.legend.toggle(3)
        application.processEvents()
        window.grab().save(chosen.save)
        return 0
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
