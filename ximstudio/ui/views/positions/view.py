"""Positions: every item as a point, in the colours of a label, a feature or its trust."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from ximstudio.maps.cells import bounds, repeated
from ximstudio.maps.drawn import around_panels
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.selection import Selection
from ximstudio.pictures.ticks import tick_texts, ticks
from ximstudio.session.shown import RenderRequest
from ximstudio.ui.views.common.canvas_view import CanvasView
from ximstudio.ui.views.common.chooser import Chooser
from ximstudio.ui.views.positions.choices import choices, item_lines, note_text
from ximstudio.ui.views.positions.drawing import LookButton, PositionsDrawing
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.guard import CENTRE, guarded, painting, saved, write
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.positions import POSITIONS
from ximstudio.views.positions.picture import PositionsPicture, bar_name, wander_of
from ximstudio.views.positions.state import PositionsState

TICK = 4.0
LINE = 18.0
APART = 80.0
"""Minimum distance of two ticks, in pixels."""


class PositionAxis(QWidget):
    """The x axis below, or the y axis to the left of a canvas; follows its zoom."""

    def __init__(self, canvas: Canvas, *, upright: bool) -> None:
        super().__init__()
        self._canvas = canvas
        self._upright = upright
        self.name = ""
        fixed, wide = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        self.setSizePolicy(*((fixed, wide) if upright else (wide, fixed)))
        canvas.view.sigRangeChanged.connect(self._follow)

    def show_name(self, name: str) -> None:
        """Set the name of the axis."""
        self.name = name
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802  (Qt's name)
        return QSize(60, 100) if self._upright else QSize(100, 44)

    def _follow(self, *_: object) -> None:
        self.update()

    @guarded
    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        with painting(self) as painter:
            painter.setFont(font(Text.CAPTION, tabular=True))
            self._paint_ticks(painter)
            self._paint_name(painter)

    def _paint_ticks(self, painter: QPainter) -> None:
        colours = the_theme().colours
        low, high = self._canvas.view.viewRange()[1 if self._upright else 0]
        length = self.height() if self._upright else self.width()
        values = ticks(low, high, most=max(2, int(length / APART)))
        for value, text in zip(values, tick_texts(values), strict=True):
            place = QPointF(0.0, value) if self._upright else QPointF(value, 0.0)
            spot = self._canvas.position_of(place)
            painter.setPen(QPen(QColor(colours.axis), 1.0))
            if self._upright:
                edge = float(self.width())
                painter.drawLine(QPointF(edge - TICK, spot.y()), QPointF(edge, spot.y()))
                box = QRectF(0.0, spot.y() - LINE / 2.0, edge - TICK - spacing.HAIR, LINE)
                side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            else:
                painter.drawLine(QPointF(spot.x(), 0.0), QPointF(spot.x(), TICK))
                box = QRectF(spot.x() - APART / 2.0, TICK, APART, LINE)
                side = Qt.AlignmentFlag.AlignCenter
            painter.setPen(QColor(colours.muted))
            painter.drawText(box, side, text)

    def _paint_name(self, painter: QPainter) -> None:
        length = float(self.height() if self._upright else self.width())
        box = QRectF(-length / 2.0, -LINE / 2.0, length, LINE)
        with saved(painter):
            if self._upright:
                painter.translate(LINE / 2.0, length / 2.0)
                painter.rotate(-90.0)
            else:
                painter.translate(length / 2.0, self.height() - LINE / 2.0)
            muted = the_theme().colours.muted
            write(painter, box, self.name, font(Text.CAPTION), muted, CENTRE)


class PositionsView(CanvasView[PositionsState, PositionsPicture]):
    """Every item as a point; hovering names it."""

    kind = POSITIONS
    nothing = ("No positions yet", "Train a map to see the positions of everything in the table.")
    # Points have a size.
    padding = 0.06

    def __init__(self) -> None:
        super().__init__()
        self.drawing = PositionsDrawing(self.canvas)
        self.points = self.drawing.points
        self.axes = (
            PositionAxis(self.canvas, upright=False),
            PositionAxis(self.canvas, upright=True),
        )
        self.colouring = Chooser("Colour by")
        self.look = LookButton()
        body = QGridLayout()
        body.setSpacing(0)
        below, beside = self.axes
        body.addWidget(beside, 0, 0)
        body.addWidget(self.canvas, 0, 1)
        body.addWidget(below, 1, 1)
        body.addWidget(self._side, 0, 2, 2, 1)
        self._lay_out(self.colouring, (self.look,), body)
        self.colouring.chosen.connect(self.wanted)
        self.look.chosen.connect(self._redraw)
        self.draw_nothing()

    @property
    def state(self) -> PositionsState:
        by, option = self.colouring.wanted
        return PositionsState(
            **vars(self._canvas_state()),
            by=by,
            option=option,
            mode=self.look.mode.value,
            size=self.look.diameter or 0.0,
            opacity=self.look.opacity,
        )

    def restore(self, state: PositionsState) -> None:
        self._restore_canvas(state)
        self.colouring.restore(state.by, state.option)
        self.look.restore(state.mode, size=state.size, opacity=state.opacity)

    def request(self) -> RenderRequest[PositionsPicture]:
        """Request the positions and the chosen colours."""
        return self.state.request(self._memory)

    def draw(self, picture: PositionsPicture) -> None:
        before, self._picture = self._picture, picture
        if before is None or _other_map(before, picture):
            self.sight.forget()
        self._show_controls(picture)
        self._show_picture()

    def hover(self, item: int) -> None:
        """Ring an item and show its card; −1 for none."""
        picture = self._picture
        self.points.hover(item)
        if picture is None or item < 0:
            self.card.hide()
            self.bar.mark(None)
            return
        self.card.show_at(
            self.canvas.position_of(self.points.place_of(item)),
            picture.matrix.item_ids[item],
            item_lines(picture, item),
        )
        if picture.values is not None:
            self.bar.mark(float(picture.values[item]))

    def _show_controls(self, picture: PositionsPicture) -> None:
        shown, run = picture.shown, picture.shown.run
        offered = choices(
            picture.matrix,
            picture.words,
            shown.sets,
            class_label=shown.class_label,
            clustered=run is not None and run.clustering is not None,
            repeated=wander_of(shown) is not None,
        )
        self.colouring.show_choices(offered, picture.by, picture.option)
        self.look.show_items(picture.matrix.n_items)
        if picture.grid is not None:
            self.shift.show_grid(picture.grid)
        self.shift.button.setVisible(picture.grid is not None and picture.grid.repeats)
        self._show_colours(picture, numbers=picture.scale is not None or picture.waiting)
        self._show_note(note_text(picture))
        self._show_axes(picture)

    def _show_axes(self, picture: PositionsPicture) -> None:
        """Show axes for projections only, where they have a meaning and y points up."""
        explained = picture.explained
        self.canvas.view.invertY(explained is None)
        for number, axis in enumerate(self.axes):
            axis.setVisible(explained is not None)
            if explained is not None:
                axis.show_name(
                    f"component {number + 1} ({100.0 * explained[number]:.0f} % of the variance)"
                )

    def _redraw(self, _: object = None) -> None:
        picture = self._picture
        if picture is None:
            return
        self.drawing.fill(picture, self.look, self.shift, self.legend.shown, scale=self.sight.scale)
        self._mark_selection()
        self._show_key(picture, legend=True, name=bar_name(picture), blank="blank")
        self._follow(picture)

    def _follow(self, picture: PositionsPicture) -> None:
        """Keep all items visible, or the whole of a map that repeats or has layers."""
        grid = picture.grid
        if grid is not None and grid.repeats:
            wide, rows = repeated(grid, self.shift.beyond)
            left, top, right, bottom = bounds(grid)
            high = rows * grid.row_height
            self.sight.follow((left - wide, top - high, right + wide, bottom + high))
        elif picture.panels:
            self.sight.follow(around_panels(picture.panels))
        elif picture.bounds is not None:
            left, top, right, bottom = picture.bounds
            # Items on one spot or line need room, too.
            least = 1.0 if grid is not None else 1e-9
            more_x, more_y = (max(least - size, 0.0) / 2.0 for size in (right - left, bottom - top))
            box = left - more_x, top - more_y, right + more_x, bottom + more_y
            self.sight.follow(box, steady=picture.shown.live)

    def _items_at(self, place: QPointF) -> Bools | None:
        item = -1 if self.look.dense else self.points.point_at(place.x(), place.y())
        return None if item < 0 else np.arange(len(self.points)) == item

    def _items_in(self, polygon: Floats) -> Bools:
        return self.points.points_in(polygon)

    @property
    def selected_ids(self) -> frozenset[str]:
        if self._picture is None or self.points.selected is None:
            return frozenset()
        return Selection.where(self.points.selected, self._picture.matrix.item_ids).ids

    def _mark_selection(self) -> None:
        if self._picture is not None:
            self.drawing.select(self._mask())

    def _hover_at(self, place: QPointF) -> None:
        self.hover(-1 if self.look.dense else self.points.point_at(place.x(), place.y()))


def _other_map(before: PositionsPicture, now: PositionsPicture) -> bool:
    """Return whether the coordinates of positions differ from before."""
    if before.grid != now.grid or before.matrix is not now.matrix:
        return True
    # Without nodes every run has its own coordinates; a trained map continues as a run.
    earlier, later = before.shown.run, now.shown.run
    if now.grid is not None or earlier is None or later is None:
        return False
    return earlier.key != later.key
