"""Positions: every item as a point, in the colours of a label, a feature or of its trust."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QStackedWidget, QVBoxLayout

from ximstudio.maps.cells import bounds
from ximstudio.maps.classes import Classes
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.session.shown import Wish
from ximstudio.ui.drawing.canvas import Canvas
from ximstudio.ui.drawing.hover_card import HoverCard
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label, tool_button
from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.views.chooser import Chooser
from ximstudio.ui.views.class_colours import class_colours, legend_entries
from ximstudio.ui.views.empty import Empty
from ximstudio.ui.views.memory import Memory
from ximstudio.ui.views.page import Key, page
from ximstudio.ui.views.palette_button import PaletteButton
from ximstudio.ui.views.positions_axis import Axis
from ximstudio.ui.views.positions_card import item_lines
from ximstudio.ui.views.positions_choices import bar_name, choices
from ximstudio.ui.views.positions_drawing import PositionsDrawing
from ximstudio.ui.views.positions_look import LookButton
from ximstudio.ui.views.positions_picture import PositionsPicture, PositionsWish
from ximstudio.ui.views.sight import Sight
from ximstudio.ui.views.torus_shift import TorusShift
from ximstudio.ui.views.view import View

PADDING = 0.06
"""Room around the items, as a share of what they take: points have a size."""


class PositionsView(View):
    """Every item as a point; hovering names it."""

    key = "positions"
    name = "Positions"
    icon = "positions"
    about = "Where every one lies: those near together are alike, as far as they are to be trusted."

    def __init__(self) -> None:
        super().__init__()
        self._memory = Memory()
        self._picture: PositionsPicture | None = None
        self._classes: Classes | None = None
        self._spot: QPointF | None = None
        self.canvas = Canvas()
        self.drawing = PositionsDrawing(self.canvas)
        self.points = self.drawing.points
        self.sight = Sight(self.canvas, padding=PADDING)
        self.shift = TorusShift(self.canvas)
        self.card = HoverCard(self.canvas)
        self.note = label(kind="badge", tone="accent")
        self.note.setParent(self.canvas)
        self.note.move(spacing.MEDIUM, spacing.MEDIUM)
        self.axes = Axis(self.canvas, upright=False), Axis(self.canvas, upright=True)
        self.colouring = Chooser("Colour by")
        self.palette_button = PaletteButton()
        self.look = LookButton()
        self.reset = tool_button("reset", tip="Show everything")
        self._side = Key()
        self.bar, self.legend = self._side.bar, self._side.legend
        self.empty = Empty("positions")
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.draw_nothing()

    def wish(self) -> Wish:
        """The positions, and colours for what is chosen."""
        return PositionsWish(
            memory=self._memory,
            by=self.colouring.key,
            option=self.colouring.option,
            palettes=self.palette_button.keys,
        )

    def draw(self, picture: Any) -> None:
        """Show a PositionsPicture."""
        assert isinstance(picture, PositionsPicture)
        before, self._picture = self._picture, picture
        if before is None or _other_map(before, picture):
            self.sight.forget()
        self._show_controls(picture)
        self._redraw()
        self._stack.setCurrentIndex(0)
        if self._spot is not None:
            self._hover_at(self._spot)

    def draw_nothing(self) -> None:
        """Say how to get positions."""
        self._picture = None
        self.card.hide()
        self.empty.show_message(
            "No positions yet", "Train a map, and everything in the table finds its place here."
        )
        self._stack.setCurrentIndex(1)

    @property
    def is_blank(self) -> bool:
        return self._picture is None

    def hover(self, item: int) -> None:
        """Ring an item and say what is known about it; −1 for none."""
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

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Give the key its share of the width."""
        super().resizeEvent(event)
        self._redraw()

    def _lay_out(self) -> None:
        body = QGridLayout()
        body.setSpacing(0)
        below, beside = self.axes
        body.addWidget(beside, 0, 0)
        body.addWidget(self.canvas, 0, 1)
        body.addWidget(below, 1, 1)
        body.addWidget(self._side, 0, 2, 2, 1)
        buttons = (self.shift.button, self.palette_button, self.look, self.reset)
        self._stack.addWidget(page(self.colouring, buttons, body))
        self._stack.addWidget(self.empty)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def _connect(self) -> None:
        for control in (self.colouring, self.palette_button):
            control.chosen.connect(self.wanted)
        for signal in (self.look.chosen, self.shift.moved, self.legend.shown_changed):
            signal.connect(self._redraw)
        self.reset.clicked.connect(self.sight.reset)
        self.reset.setEnabled(False)
        self.sight.resized.connect(self._redraw)
        self.sight.touched_changed.connect(lambda: self.reset.setEnabled(self.sight.touched))
        self.canvas.hovered.connect(self._hover_at)
        self.canvas.left.connect(self._leave)
        self.shift.moved.connect(self._leave)
        the_theme().changed.connect(self._recolour)

    def _show_controls(self, picture: PositionsPicture) -> None:
        self.colouring.show_choices(choices(picture.matrix, picture.words), picture.by)
        self.look.show_items(picture.matrix.n_items)
        if picture.grid is not None:
            self.shift.show_grid(picture.grid)
        self.shift.button.setVisible(picture.grid is not None and picture.grid.toroidal)
        self.palette_button.setVisible(picture.scale is not None or picture.waiting)
        if picture.scale is not None:
            self.palette_button.show_scheme(picture.scale.scheme)
        if picture.classes is not self._classes:
            self._classes = picture.classes
            entries = [] if picture.classes is None else legend_entries(picture.classes)
            self.legend.show_classes(entries)
        live = picture.shown.live
        name = picture.by.capitalize()
        self.note.setText(
            f"{name} is measured when training has ended" if live else "Not measured yet"
        )
        self.note.adjustSize()
        self.note.setVisible(picture.waiting)
        self._show_axes(picture)

    def _show_axes(self, picture: PositionsPicture) -> None:
        """Axes mean something for projections only, and there y points up."""
        explained = picture.explained
        self.canvas.view.invertY(explained is None)
        for number, axis in enumerate(self.axes):
            axis.setVisible(explained is not None)
            if explained is not None:
                axis.show_name(
                    f"component {number + 1} ({100.0 * explained[number]:.0f} % of the variance)"
                )

    def _redraw(self, _: object = None) -> None:
        """Put everything into its place and colour."""
        picture = self._picture
        if picture is None:
            return
        self.drawing.fill(picture, self.look, self.shift, self.legend.shown, scale=self.sight.scale)
        self._show_side(picture)
        self._follow(picture)

    def _follow(self, picture: PositionsPicture) -> None:
        """Keep all items in sight; the whole of a torus, as it has no edges."""
        grid = picture.grid
        if grid is not None and grid.toroidal:
            beyond = self.shift.beyond
            left, top, right, bottom = bounds(grid)
            high = beyond * grid.row_height
            corners = QPointF(left - beyond, top - high), QPointF(right + beyond, bottom + high)
            self.sight.follow(QRectF(*corners))
            return
        if picture.bounds is None:
            return
        left, top, right, bottom = picture.bounds
        box = QRectF(QPointF(left, top), QPointF(right, bottom))
        # Items on one spot or line need room, too.
        least = 1.0 if grid is not None else 1e-9
        wider, higher = max(least - box.width(), 0.0), max(least - box.height(), 0.0)
        box.adjust(-wider / 2.0, -higher / 2.0, wider / 2.0, higher / 2.0)
        self.sight.follow(box, steady=picture.shown.live)

    def _show_side(self, picture: PositionsPicture) -> None:
        scale, palette = picture.scale, picture.palette
        self._side.show_parts(
            legend=picture.classes is not None,
            bar=scale is not None,
            classes=bool(label_kinds(picture.matrix).classes),
            room=self.width(),
        )
        if scale is not None and palette is not None:
            blank = picture.values is not None and bool(np.isnan(picture.values).any())
            self.bar.show_scale(
                palette.table,
                low=scale.low,
                high=scale.high,
                name=bar_name(picture),
                blank="blank" if blank else "",
            )

    def _hover_at(self, place: QPointF) -> None:
        self._spot = place
        self.hover(-1 if self.look.dense else self.points.point_at(place.x(), place.y()))

    def _leave(self) -> None:
        self._spot = None
        self.hover(-1)

    def _recolour(self) -> None:
        if self._classes is not None:
            self.legend.show_colours(class_colours(self._classes))
        self._redraw()


def _other_map(before: PositionsPicture, now: PositionsPicture) -> bool:
    """Whether positions are in other coordinates than before."""
    return before.grid != now.grid or before.matrix is not now.matrix
