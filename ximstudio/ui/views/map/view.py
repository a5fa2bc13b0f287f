"""The map: a layer over its nodes, with items and names above it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from ximstudio.maps import LayerKind
from ximstudio.maps.box import enclosed
from ximstudio.maps.cells import walked
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.selection import Selection
from ximstudio.session.shown import RenderRequest
from ximstudio.train import method_named
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.views.common.canvas_view import CanvasView
from ximstudio.ui.views.common.chooser import Chooser
from ximstudio.ui.views.map.drawing import MapDrawing, PinsItem
from ximstudio.ui.views.map.words import (
    MARKS,
    layer_choices,
    mark_options,
    mark_tips,
    name_options,
    name_tips,
    node_lines,
    node_names,
    node_title,
    note_text,
)
from ximstudio.ui.widgets.boxes import hbox
from ximstudio.ui.widgets.menu_buttons import PickButton
from ximstudio.views.map import MAP
from ximstudio.views.map.picture import FIRST, NODES, POINTS, MapPicture, bar_name, first_marks
from ximstudio.views.map.state import MapState
from ximstudio.views.positions import POSITIONS

STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""Rows and columns that arrow keys move."""
WALKING = (
    "Arrow keys move from node to node, starting at the one with most members; Space selects "
    "its members, Escape leaves."
)
"""Help on the keys for screen readers."""


class MapView(CanvasView[MapState, MapPicture]):
    """Every node as a cell in the colours of a layer; hovering names its members."""

    kind = MAP
    nothing = "No map yet", "Train a map to watch it unfold here."

    def __init__(self) -> None:
        super().__init__()
        self.drawing = MapDrawing(self.canvas)
        self.pins = PinsItem(self.drawing.map)
        self.canvas.add(self.pins)
        self.layers = Chooser("Layer")
        self.marks = PickButton(icon_name="positions", tip=MARKS)
        self.names = PickButton(text="Aa", tip="Names on the map")
        body = hbox((self.canvas, 1), self._side, gap=0)
        self._lay_out(self.layers, (self.marks, self.names), body)
        self._connect()
        self.draw_nothing()

    @property
    def state(self) -> MapState:
        layer, option = self.layers.wanted
        return MapState(
            **vars(self._canvas_state()),
            layer=layer,
            option=option,
            names=FIRST if self.names.value is None else self.names.value,
            marks=self.marks.value or "",
        )

    def restore(self, state: MapState) -> None:
        self._restore_canvas(state)
        self.layers.restore(state.layer, state.option)
        self.names.restore(None if state.names == FIRST else state.names)
        self.marks.restore(state.marks or None)

    def request(self) -> RenderRequest[MapPicture]:
        """Request the chosen layer, with its colours and names."""
        return self.state.request(self._memory)

    def draw(self, picture: MapPicture) -> None:
        before, self._picture = self._picture, picture
        if picture.grid is None:
            self._show_none(picture)
            return
        if before is None or before.grid != picture.grid:
            self.sight.forget()
        self.shift.show_grid(picture.grid)
        self._show_controls(picture)
        self._show_picture()

    def hover(self, node: int, spot: QPointF | None = None) -> None:
        """Outline a node and show its card; −1 for none."""
        picture = self._picture
        self.drawing.map.hover(node)
        if picture is None or picture.grid is None or node < 0:
            self.card.hide()
            self.bar.mark(None)
            return
        place = self.drawing.place_of(node) if spot is None else spot
        self.card.show_at(
            self.canvas.position_of(place),
            node_title(picture, node),
            node_lines(picture, node),
            more=node_names(picture, node),
        )
        if picture.values is not None and picture.values.ndim == 1:
            self.bar.mark(float(picture.values[node]))

    def _press(self, event: QKeyEvent) -> bool:
        """Handle arrow keys to move between nodes, Space to select, Escape to leave."""
        return super()._press(event) or self._walk(event)

    def _connect(self) -> None:
        for control in (self.layers, self.names):
            control.chosen.connect(self.wanted)
        self.marks.chosen.connect(self._redraw)
        # Numbers are fitted while they are painted, and nothing may change the page then.
        self.drawing.counts.left_out_changed.connect(
            self._note_missing, Qt.ConnectionType.QueuedConnection
        )
        self.canvas.setAccessibleDescription(WALKING)
        self.empty.chosen.connect(lambda: self.asked.emit(POSITIONS.key))

    def _show_none(self, picture: MapPicture) -> None:
        self._show_empty(
            "This map has no nodes",
            f"{method_named(picture.shown.result.method).name} gives every one of the"
            f" {picture.matrix.n_items} {picture.words.items} a position, but there are no nodes to"
            " colour.",
            action="Show positions",
        )

    def _show_controls(self, picture: MapPicture) -> None:
        assert picture.layer is not None
        self.layers.show_choices(layer_choices(picture), picture.layer.key, picture.option)
        self.marks.show_options(mark_options(picture), self._marks(picture), mark_tips(picture))
        self.names.show_options(
            name_options(picture), picture.shown.class_label, name_tips(picture)
        )
        numbers = picture.layer is None or picture.layer.kind is LayerKind.NUMBERS
        self._show_colours(picture, numbers=numbers)

    def _note_missing(self) -> None:
        """Show what is still computed, or does not fit."""
        picture = self._picture
        if picture is None or picture.layer is None:
            return
        counts = self.drawing.counts
        left_out = counts.isVisible() and counts.left_out
        chosen = self.marks.value or ""
        self._show_note(note_text(picture, left_out=left_out, chosen=chosen))

    def _marks(self, picture: MapPicture) -> str:
        return self.marks.value or first_marks(picture)

    def _redraw(self, _: object = None) -> None:
        picture = self._picture
        if picture is None or picture.grid is None:
            return
        assert picture.layer is not None
        marks = self._marks(picture)
        self.drawing.lay_out(picture, marks, self.shift)
        self.drawing.fill(picture, marks, self.legend.shown, scale=self.sight.scale)
        self.drawing.write(picture, marks, self.shift)
        self._mark_selection()
        self._note_missing()
        classes_seen = picture.layer.kind is LayerKind.SHARES or marks in (POINTS, NODES)
        self._show_key(picture, legend=classes_seen, name=bar_name(picture), blank="none")
        self.sight.follow(self.drawing.map.tiles.bounds)

    def _hover_at(self, place: QPointF) -> None:
        self.hover(self.drawing.map.node_at(place.x(), place.y()), place)

    def _hover_again(self) -> None:
        super()._hover_again()
        if self._spot is None and self.card.isVisible():
            # A node reached by the keyboard.
            self.hover(self.drawing.map.hovered)

    def _walk(self, event: QKeyEvent) -> bool:
        picture, key, node = self._picture, Qt.Key(event.key()), self.drawing.map.hovered
        if picture is None or picture.grid is None:
            return False
        if key is Qt.Key.Key_Escape and node >= 0:
            self._leave()
            return True
        if key is Qt.Key.Key_Space and node >= 0:
            self._choose(picture.winners == node, combine_of(event.modifiers()))
            return True
        if key not in STEPS:
            return False
        if node < 0:
            node = int(picture.hits.argmax())
        else:
            rows, columns = STEPS[key]
            node = walked(picture.grid, node, rows=rows, columns=columns)
        self._spot = None
        self.hover(node)
        return True

    # Selection

    def _items_at(self, place: QPointF) -> Bools | None:
        picture = self._picture
        node = self.drawing.map.node_at(place.x(), place.y())
        if picture is None or picture.grid is None or node < 0:
            return None
        return np.asarray(picture.winners == node)

    def _items_in(self, polygon: Floats) -> Bools:
        """Mask of the points inside, or of the items of nodes whose middle is inside."""
        picture = self._picture
        assert picture is not None
        if self._marks(picture) in (POINTS, NODES):
            return self.drawing.points.points_in(polygon)
        tiles = self.drawing.map.tiles
        nodes = np.zeros(len(picture.hits), dtype=np.bool_)
        nodes[tiles.nodes[enclosed(tiles.places, polygon)]] = True
        return nodes[picture.winners]

    @property
    def selected_ids(self) -> frozenset[str]:
        picture = self._picture
        if picture is None or picture.grid is None:
            return frozenset()
        return Selection.where(self.drawing.chosen, picture.matrix.item_ids).ids

    def _mark_selection(self) -> None:
        picture = self._picture
        if picture is not None and picture.grid is not None:
            self.drawing.select(picture, self._mask())
