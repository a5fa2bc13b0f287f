"""The map: a layer over its nodes, items and names above it."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout

from ximstudio.maps import Kind
from ximstudio.maps.cells import walked
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.session.shown import Wish
from ximstudio.train import method_named
from ximstudio.ui.drawing.canvas import Canvas
from ximstudio.ui.drawing.hover_card import HoverCard
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label, tool_button
from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.views.chooser import Chooser
from ximstudio.ui.views.class_colours import class_colours, legend_entries
from ximstudio.ui.views.empty import Empty
from ximstudio.ui.views.map_card import node_lines, node_names, node_title
from ximstudio.ui.views.map_drawing import MapDrawing
from ximstudio.ui.views.map_picture import FIRST, MapPicture, MapWish
from ximstudio.ui.views.map_words import (
    NODES,
    POINTS,
    bar_name,
    first_marks,
    layer_choices,
    mark_options,
    mark_tips,
    name_options,
    name_tips,
    note_text,
)
from ximstudio.ui.views.memory import Memory
from ximstudio.ui.views.page import Key, page
from ximstudio.ui.views.palette_button import PaletteButton
from ximstudio.ui.views.pick_button import PickButton
from ximstudio.ui.views.sight import Sight
from ximstudio.ui.views.torus_shift import TorusShift
from ximstudio.ui.views.view import View

STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""Rows and columns that arrow keys go."""


class MapView(View):
    """Every node as a cell in the colours of a layer; hovering names its members."""

    key = "map"
    name = "Map"
    icon = "map"
    about = "The map's nodes: where groups are, what they have in common, and who is in them."

    def __init__(self) -> None:
        super().__init__()
        self._memory = Memory()
        self._picture: MapPicture | None = None
        self._spot: QPointF | None = None
        self.canvas = Canvas()
        self.drawing = MapDrawing(self.canvas)
        self.sight = Sight(self.canvas)
        self.shift = TorusShift(self.canvas)
        self.card = HoverCard(self.canvas)
        self.note = label(kind="badge", tone="accent")
        self.note.setParent(self.canvas)
        self.note.move(spacing.MEDIUM, spacing.MEDIUM)
        self.layers = Chooser("Layer")
        self.marks = PickButton(icon_name="positions", tip="Marks on the map")
        self.names = PickButton(text="Aa", tip="Names on the map")
        self.palette_button = PaletteButton()
        self.reset = tool_button("reset", tip="Show the whole map")
        self._side = Key()
        self.bar, self.legend = self._side.bar, self._side.legend
        self.empty = Empty("map")
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.draw_nothing()

    def wish(self) -> Wish:
        """The layer that is chosen, with its colours and names."""
        return MapWish(
            memory=self._memory,
            layer=self.layers.key,
            option=self.layers.option,
            names=FIRST if self.names.value is None else self.names.value,
            palettes=self.palette_button.keys,
        )

    def draw(self, picture: Any) -> None:
        """Show a MapPicture."""
        assert isinstance(picture, MapPicture)
        before, self._picture = self._picture, picture
        if picture.grid is None:
            self._show_none(picture)
            return
        if before is None or before.grid != picture.grid:
            self.sight.forget()
        self.shift.show_grid(picture.grid)
        self._show_controls(picture)
        self._redraw()
        self._stack.setCurrentIndex(0)
        self._hover_again()

    def draw_nothing(self) -> None:
        """Say how to get a map."""
        self._picture = None
        self.card.hide()
        self.empty.show_message("No map yet", "Train one, and watch it unfold here.")
        self._stack.setCurrentIndex(1)

    @property
    def is_blank(self) -> bool:
        return self._picture is None

    def hover(self, node: int, spot: QPointF | None = None) -> None:
        """Outline a node and say what is known about it; −1 for none."""
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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Arrow keys walk from node to node, Escape lets go of it."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._walk(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Give the key its share of the width."""
        super().resizeEvent(event)
        self._redraw()

    def _lay_out(self) -> None:
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.canvas, 1)
        body.addWidget(self._side)
        buttons = (self.shift.button, self.palette_button, self.marks, self.names, self.reset)
        self._stack.addWidget(page(self.layers, buttons, body))
        self._stack.addWidget(self.empty)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def _connect(self) -> None:
        for control in (self.layers, self.names, self.palette_button):
            control.chosen.connect(self.wanted)
        for signal in (self.marks.chosen, self.shift.moved, self.legend.shown_changed):
            signal.connect(self._redraw)
        self.reset.clicked.connect(self.sight.reset)
        self.reset.setEnabled(False)
        self.sight.resized.connect(self._redraw)
        self.sight.touched_changed.connect(lambda: self.reset.setEnabled(self.sight.touched))
        self.canvas.hovered.connect(self._hover_at)
        self.canvas.left.connect(self._leave)
        self.shift.moved.connect(self._leave)
        # Numbers are fitted while they are painted, and nothing may change the page then.
        self.drawing.counts.left_out_changed.connect(
            self._show_note, Qt.ConnectionType.QueuedConnection
        )
        self.canvas.installEventFilter(self)
        self.empty.chosen.connect(lambda: self.asked.emit("positions"))
        the_theme().changed.connect(self._recolour)

    def _show_none(self, picture: MapPicture) -> None:
        self.card.hide()
        self.empty.show_message(
            "This map has no nodes",
            f"{method_named(picture.shown.result.method).name} gives every one of the"
            f" {picture.matrix.n_items} {picture.words.items} a position, but there are no nodes to"
            " colour.",
            action="Show positions",
        )
        self._stack.setCurrentIndex(1)

    def _show_controls(self, picture: MapPicture) -> None:
        self.layers.show_choices(layer_choices(picture), picture.layers[0].key)
        self.marks.show_options(mark_options(picture), self._marks(picture), mark_tips(picture))
        telling = label_kinds(picture.matrix).telling
        self.names.show_options(name_options(picture), telling, name_tips(picture))
        if picture.scale is not None:
            self.palette_button.show_scheme(picture.scale.scheme)
        self.palette_button.setVisible(picture.layer is None or picture.layer.kind is Kind.NUMBERS)
        classes = picture.classes
        if classes is not self.drawing.classes:
            self.drawing.classes = classes
            self.legend.show_classes([] if classes is None else legend_entries(classes))

    def _show_note(self) -> None:
        """Say what has to be waited for, or does not fit."""
        picture = self._picture
        if picture is None or picture.layer is None:
            return
        counts = self.drawing.counts
        text = note_text(picture, left_out=counts.isVisible() and counts.left_out)
        self.note.setText(text)
        self.note.adjustSize()
        self.note.setVisible(bool(text))

    def _marks(self, picture: MapPicture) -> str:
        return self.marks.value or first_marks(picture)

    def _redraw(self, _: object = None) -> None:
        """Put everything into its place and colour."""
        picture = self._picture
        if picture is None or picture.grid is None:
            return
        marks = self._marks(picture)
        self.drawing.lay_out(picture, marks, self.shift)
        self.drawing.fill(picture, marks, self.legend.shown, scale=self.sight.scale)
        self.drawing.write(picture, marks, self.shift)
        self._show_note()
        self._show_side(picture)
        box = self.drawing.map.tiles.bounds
        self.sight.follow(QRectF(QPointF(box.left, box.top), QPointF(box.right, box.bottom)))

    def _show_side(self, picture: MapPicture) -> None:
        layer, scale, palette = picture.layer, picture.scale, picture.palette
        assert layer is not None
        coloured = layer.kind is Kind.SHARES or self._marks(picture) in (POINTS, NODES)
        self._side.show_parts(
            legend=picture.classes is not None and coloured,
            bar=scale is not None,
            classes=bool(label_kinds(picture.matrix).classes),
            room=self.width(),
        )
        if scale is not None and palette is not None:
            empty = picture.values is not None and bool(np.isnan(picture.values).any())
            self.bar.show_scale(
                palette.table,
                low=scale.low,
                high=scale.high,
                name=bar_name(picture),
                blank="none" if empty else "",
            )

    def _hover_at(self, place: QPointF) -> None:
        self._spot = place
        self.hover(self.drawing.map.node_at(place.x(), place.y()), place)

    def _hover_again(self) -> None:
        """The node under the mouse may have become another one."""
        if self._spot is not None:
            self._hover_at(self._spot)
        elif self.card.isVisible():
            self.hover(self.drawing.map.hovered)

    def _leave(self) -> None:
        self._spot = None
        self.hover(-1)

    def _walk(self, key: Qt.Key) -> bool:
        picture = self._picture
        if picture is None or picture.grid is None:
            return False
        if key is Qt.Key.Key_Escape and self.drawing.map.hovered >= 0:
            self._leave()
            return True
        if key not in STEPS:
            return False
        node = self.drawing.map.hovered
        if node < 0:
            node = int(picture.hits.argmax())
        else:
            rows, columns = STEPS[key]
            node = walked(picture.grid, node, rows=rows, columns=columns)
        self._spot = None
        self.hover(node)
        return True

    def _recolour(self) -> None:
        if self.drawing.classes is not None:
            self.legend.show_colours(class_colours(self.drawing.classes))
        self._redraw()
