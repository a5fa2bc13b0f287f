"""The items of the positions view's canvas, and the look of points: size, opacity or a density."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTransform
from PySide6.QtWidgets import QFormLayout, QMenu, QSlider, QToolButton, QWidget, QWidgetAction

from ximstudio.maps.drawn import LayerPanel, panel_names
from ximstudio.maps.palettes import PaletteScheme
from ximstudio.model.arrays import Bools
from ximstudio.pictures.colouring import colour_rows
from ximstudio.pictures.point_looks import EDGE, MOST_EDGES, default_size
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.ui.views.common.names import WindowItem
from ximstudio.ui.views.common.sight import TorusShift
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.drawing.canvas import Canvas, rectangle
from ximstudio.ui.widgets.drawing.guard import guarded
from ximstudio.ui.widgets.drawing.points import PointsItem
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import form, segments
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.positions import picture as colours_in
from ximstudio.views.positions.picture import PositionsPicture
from ximstudio.views.positions.state import AUTOMATIC, DENSITY, POINTS, PositionsState

SLIDER = 150
LARGEST = 20
OPACITY = 85


class LookButton(QToolButton):
    """A button with a small panel of sliders."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._n_items = 0
        self._touched = False
        self.size_slider = _slider(1, 2 * LARGEST)
        self.opacity_slider = _slider(5, 100)
        self.opacity_slider.setValue(OPACITY)
        self.mode = segments({AUTOMATIC: "Automatic", POINTS: "Points", DENSITY: "Density"})
        self.setIcon(icon("settings"))
        self.setIconSize(QSize(spacing.ICON, spacing.ICON))
        self.setToolTip("Size and opacity of points")
        self.setAccessibleName(self.toolTip())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        action = QWidgetAction(menu)
        action.setDefaultWidget(self._panel())
        menu.addAction(action)
        self.setMenu(menu)
        self.mode.chosen.connect(self._choose)
        self.opacity_slider.valueChanged.connect(self._choose)
        self.size_slider.valueChanged.connect(self._resize)

    @property
    def diameter(self) -> float | None:
        """In pixels; None for what suits the number of items."""
        return self.size_slider.value() / 2.0 if self._touched else None

    @property
    def opacity(self) -> float:
        return self.opacity_slider.value() / 100.0

    @property
    def dense(self) -> bool:
        """True if a density is drawn."""
        return PositionsState(mode=self.mode.value).is_dense(self._n_items)

    def restore(self, mode: str, *, size: float, opacity: float) -> None:
        """Restore the look. Emits no signal."""
        self.mode.choose(mode if mode in (POINTS, DENSITY) else AUTOMATIC)
        self._touched = size > 0.0
        for slider, value in (
            (self.opacity_slider, 100.0 * opacity),
            (self.size_slider, 2.0 * (size or default_size(self._n_items))),
        ):
            with QSignalBlocker(slider):
                slider.setValue(round(value))
        self._allow()

    def show_items(self, n_items: int) -> None:
        """Set the number of items."""
        if n_items != self._n_items:
            self._n_items = n_items
            if not self._touched:
                with QSignalBlocker(self.size_slider):
                    self.size_slider.setValue(round(2.0 * default_size(n_items)))

    def _panel(self) -> QWidget:
        panel = QWidget()
        rows: QFormLayout = form()
        rows.addRow("Size", self.size_slider)
        rows.addRow("Opacity", self.opacity_slider)
        vbox(self.mode, rows, into=panel, gap=spacing.MEDIUM, margins=spacing.MEDIUM)
        return panel

    def _resize(self, _: int) -> None:
        self._touched = True
        self._choose()

    def _choose(self, _: object = None) -> None:
        self._allow()
        self.chosen.emit()

    def _allow(self) -> None:
        for slider in (self.size_slider, self.opacity_slider):
            slider.setEnabled(not self.dense)


def _slider(least: int, most: int) -> QSlider:
    made = QSlider(Qt.Orientation.Horizontal)
    made.setRange(least, most)
    made.setMinimumWidth(SLIDER)
    return made


class LayersItem(WindowItem):
    """Frames one pixel wide, and names where there is room."""

    def __init__(self) -> None:
        super().__init__()
        self._panels: tuple[LayerPanel, ...] = ()
        self.written: tuple[str, ...] = ()
        """Texts written when last painted, one per layer."""

    def show_panels(self, panels: tuple[LayerPanel, ...]) -> None:
        """Draw these layers; none for a map in a plane."""
        self._panels = panels
        self.update()

    @guarded
    def paint(self, painter: QPainter, *_: Any) -> None:
        if not self._panels:
            self.written = ()
            return
        to_window, colours = painter.transform(), the_theme().colours
        painter.resetTransform()
        face = font(Text.CAPTION)
        painter.setFont(face)
        self.written = _names(self._panels, to_window, QFontMetricsF(face))
        for panel, name in zip(self._panels, self.written, strict=True):
            frame = to_window.mapRect(rectangle(panel.frame))
            painter.setPen(QPen(QColor(colours.border_strong), 1.0))
            # At the middle of pixels, where lines are sharp.
            painter.drawRect(QRectF(frame.toAlignedRect()).adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(QColor(colours.muted))
            painter.drawText(QPointF(frame.left(), frame.top() - spacing.HAIR), name)


def _names(
    panels: tuple[LayerPanel, ...], to_window: QTransform, metrics: QFontMetricsF
) -> tuple[str, ...]:
    """Name of every layer, as long as fits; '' without room."""
    frame, above = panels[0].frame, panels[0].above
    room = to_window.mapRect(QRectF(0.0, 0.0, frame.right - frame.left, above))
    if room.height() < metrics.capHeight() + spacing.HAIR:
        return ("",) * len(panels)
    return panel_names(panels, lambda text: metrics.horizontalAdvance(text) <= room.width())


class PositionsDrawing:
    """The points of one map."""

    def __init__(self, canvas: Canvas) -> None:
        self.layers, self.edges, self.points = LayersItem(), PointsItem(), PointsItem()
        for item in (self.layers, self.edges, self.points):
            canvas.add(item)

    def fill(
        self,
        picture: PositionsPicture,
        look: LookButton,
        shift: TorusShift,
        shown: Bools,
        *,
        scale: float,
    ) -> None:
        """Place and colour all points; `shown` masks the classes, `scale` is the size."""
        points, classes = self.points, picture.classes
        self.layers.show_panels(picture.panels)
        points.show_positions(picture.positions, grid=picture.grid, **shift.place)
        points.show_colours(item_colours(picture))
        hidden = classes is not None and not shown.all()
        points.show_only(shown[classes.codes] if classes is not None and hidden else None)
        points.show_size(look.diameter or scale * default_size(picture.matrix.n_items))
        points.show_opacity(look.opacity)
        points.show_density(dense=look.dense)
        self._show_edges(picture, look, shift)

    def select(self, chosen: Bools) -> None:
        """Bring selected points to the front; the others fade."""
        self.points.select(chosen)
        if self.edges.isVisible():
            self.edges.show_only(chosen if chosen.any() else None)

    def _show_edges(self, picture: PositionsPicture, look: LookButton, shift: TorusShift) -> None:
        """Give points an edge if the middle of their colours is that of the background."""
        two_sided = picture.scale is not None and picture.scale.scheme is PaletteScheme.DIVERGING
        n_items = picture.matrix.n_items
        edged = two_sided and n_items <= MOST_EDGES and not look.dense
        self.edges.setVisible(edged)
        if edged:
            self.edges.show_positions(picture.positions, grid=picture.grid, **shift.place)
            edge = colour_rows((the_theme().colours.axis,))
            self.edges.show_colours(np.tile(edge, (n_items, 1)))
            self.edges.show_opacity(look.opacity)
            self.edges.show_size(self.points.size + EDGE)


def item_colours(picture: PositionsPicture) -> Bytes:
    """Colour per item in the present theme; grey without a value."""
    return colours_in.item_colours(picture, the_theme().colours)
