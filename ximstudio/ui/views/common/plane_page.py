"""One enlarged plane: hovering shows its values, clicking selects."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame

from ximstudio.maps.cells import bounds
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.pictures.colouring import colour_rows, colours_of
from ximstudio.pictures.map_texts import node_name
from ximstudio.pictures.point_looks import default_size
from ximstudio.pictures.ticks import number_text
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.views.common.page import Key
from ximstudio.ui.views.common.sight import Sight
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.hover_card import HoverCard, Line
from ximstudio.ui.widgets.drawing.mesh import MapItem
from ximstudio.ui.widgets.drawing.points import PointsItem
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, tool_button
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.common.planes_picture import PlanesPicture, drawn_positions

MOST_NAMES = 3


class PlanePage(QFrame):
    """A plane of a picture on a canvas, with its colour bar and a button to go back."""

    left = Signal()
    """The user goes back to all planes."""
    compared = Signal(str)
    """The user wants all planes compared with this one; its name."""
    chosen = Signal(object, object)
    """The user selects items: a Selection, and how to combine it with the present one."""

    def __init__(self, *, compares: bool) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self._picture: PlanesPicture | None = None
        self._plane = -1
        self._selection = NOTHING
        self.back = tool_button("chevron-left", tip="Back to all (Esc)")
        self.name = Elided(kind="strong", mode=Qt.TextElideMode.ElideMiddle)
        self.compare = button("Compare all with this", kind=ButtonKind.PLAIN, size=Size.SMALL)
        self.canvas = Canvas()
        self.canvas.setAccessibleName("Enlarged map")
        self.sight = Sight(self.canvas)
        self.reset = self.sight.reset_button()
        self.map, self.points = MapItem(), PointsItem()
        for item in (self.map, self.points):
            self.canvas.add(item)
        self.card = HoverCard(self.canvas)
        self._side = Key()
        self.bar = self._side.bar
        self._lay_out()
        # Only once it is in the page: before, it would be a window of its own.
        self.compare.setVisible(compares)
        self._connect()

    @property
    def plane(self) -> str:
        """Name of the plane on display; '' for none."""
        return "" if self._picture is None else self._picture.names[self._plane]

    def show_plane(self, picture: PlanesPicture, plane: int, scaling: str) -> None:
        """Show a plane of a picture."""
        before, self._picture, self._plane = self._picture, picture, plane
        if before is None or before.grid != picture.grid or before.matrix is not picture.matrix:
            self.sight.forget()
        self.name.show_text(picture.names[plane])
        values, inks = np.ascontiguousarray(picture.values[plane]), picture.inks(plane, scaling)
        colours = colours_of(values, inks.table, low=inks.low, high=inks.high)
        nodes = picture.grid is not None
        self.map.setVisible(nodes)
        self.points.setVisible(not nodes)
        if picture.grid is not None:
            self.map.show_grid(picture.grid)
            self.map.show_colours(colours)
        else:
            blank = colours[:, 3] == 0
            colours[blank] = (*colour_rows((the_theme().colours.border_strong,))[0].tolist(), 255)
            positions = drawn_positions(picture.shown)
            self.points.show_positions(positions)
            self.points.show_colours(colours)
            self.points.show_size(self.sight.scale * default_size(len(positions)))
        self._side.show_parts(legend=False, bar=True, classes=False, room=self.width())
        blank = "blank" if bool(np.isnan(values).any()) else ""
        self.bar.show_scale(
            inks.table, low=inks.low, high=inks.high, name=picture.quantity, blank=blank
        )
        self.show_selection(self._selection)
        self._follow(picture)

    def show_selection(self, selection: Selection) -> None:
        """Mark the selected items, or their nodes."""
        self._selection = selection
        picture = self._picture
        if picture is None:
            return
        if picture.grid is not None:
            self.map.select(np.flatnonzero(picture.chosen_nodes(selection)))
        else:
            self.points.select(picture.chosen(selection))

    def forget(self) -> None:
        """Show nothing."""
        self._picture, self._plane = None, -1
        self.hover(-1)

    def hover(self, number: int, spot: QPointF | None = None) -> None:
        """Mark a node or item, and show its card; −1 for none."""
        picture = self._picture
        for item in (self.map, self.points):
            item.hover(number if item.isVisible() else -1)
        if picture is None or number < 0:
            self.card.hide()
            self.bar.mark(None)
            return
        value = float(picture.values[self._plane, number])
        lines, more = [Line(name=picture.names[self._plane], value=number_text(value))], ""
        if picture.grid is None:
            title = picture.matrix.item_ids[number]
            spot = self.points.place_of(number)
        else:
            title = node_name(picture.grid, number).capitalize()
            members = picture.members(number).tolist()
            lines.append(Line(name=picture.words.items.capitalize(), value=str(len(members))))
            names = [picture.matrix.item_ids[item] for item in members[:MOST_NAMES]]
            rest = len(members) - MOST_NAMES
            more = ", ".join(names) + (f" and {rest} more" if rest > 0 else "")
        self.card.show_at(self.canvas.position_of(spot or QPointF()), title, lines, more=more)
        self.bar.mark(value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Go back on Escape."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            self.left.emit()
            return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        head = hbox(
            self.back,
            (self.name, 1),
            self.compare,
            self.reset,
            gap=spacing.HAIR,
            margins=spacing.SMALL,
        )
        body = hbox((self.canvas, 1), self._side, gap=0)
        vbox(head, (body, 1), into=self, gap=0, margins=0)

    def _connect(self) -> None:
        self.back.clicked.connect(self.left)
        self.compare.clicked.connect(lambda: self.compared.emit(self.plane))
        self.canvas.hovered.connect(lambda place: self.hover(self._number_at(place), place))
        self.canvas.left.connect(lambda: self.hover(-1))
        self.canvas.clicked.connect(self._choose)
        for part in (self.canvas, self.back, self.compare, self.reset):
            part.installEventFilter(self)

    def _number_at(self, place: QPointF) -> int:
        """Node at a point, or item on a map without nodes; −1 for none."""
        picture = self._picture
        if picture is None:
            return -1
        item = self.points if picture.grid is None else self.map
        if isinstance(item, PointsItem):
            return item.point_at(place.x(), place.y())
        return item.node_at(place.x(), place.y())

    def _choose(self, place: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        picture, number, how = self._picture, self._number_at(place), combine_of(modifiers)
        if picture is None or (number < 0 and how is not Combine.REPLACE):
            return
        items = np.array([number]) if picture.grid is None else picture.members(number)
        if number < 0:
            items = items[:0]
        ids = picture.matrix.item_ids
        self.chosen.emit(Selection.of(ids[item] for item in items.tolist()), how)

    def _follow(self, picture: PlanesPicture) -> None:
        if picture.grid is not None:
            self.sight.follow(bounds(picture.grid))
            return
        (left, right), (top, bottom) = (self.points.dataBounds(axis) for axis in (0, 1))
        if left is not None:
            box = left, top, right, bottom
            self.sight.follow(box, steady=picture.shown.live)  # type: ignore[arg-type]
