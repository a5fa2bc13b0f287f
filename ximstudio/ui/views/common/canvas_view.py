"""Base of views with a canvas: page, key of colours, and card at the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLayout, QWidget

from ximstudio.maps.label_kinds import label_kinds
from ximstudio.model.arrays import Bools, Floats
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.pictures.canvas import CanvasPicture
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.views.common.chooser import Chooser
from ximstudio.ui.views.common.overlay import Overlay
from ximstudio.ui.views.common.page import Key, page
from ximstudio.ui.views.common.sight import PADDING, Sight, TorusShift
from ximstudio.ui.views.common.view import View
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.drawing.canvas import Canvas, Tool
from ximstudio.ui.widgets.drawing.hover_card import HoverCard
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import icon_segments, label
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.menu_buttons import PaletteButton
from ximstudio.views.common.state import CanvasState

State = TypeVar("State", bound=CanvasState)
Picture = TypeVar("Picture", bound=CanvasPicture)

TOOLS: dict[str, tuple[str, str]] = {
    Tool.MOVE: ("move", "Drag to move (M)"),
    Tool.RECTANGLE: ("rectangle", "Drag a rectangle to select (R)"),
    Tool.LASSO: ("lasso", "Draw a lasso to select (L); Shift adds, Ctrl removes"),
}
TOOL_KEYS = {Qt.Key.Key_M: Tool.MOVE, Qt.Key.Key_R: Tool.RECTANGLE, Qt.Key.Key_L: Tool.LASSO}


class CanvasView(View[State, Picture]):
    """A canvas to zoom and pan, with the key of its colours.

    A subclass puts its items on the canvas and its controls around it (`_lay_out`), draws pictures
    (`_redraw`), and describes what is at a point (`_hover_at`, `hover`).
    """

    padding: ClassVar[float] = PADDING
    """Margin around the drawing, as a share of it."""

    def __init__(self) -> None:
        super().__init__()
        self._spot: QPointF | None = None
        self.canvas = Canvas()
        self.canvas.setAccessibleName(self.kind.name)
        self.sight = Sight(self.canvas, padding=self.padding)
        self.shift = TorusShift(self.canvas)
        self.card = HoverCard(self.canvas)
        self.overlay = Overlay(self.canvas, self.shift, self.card)
        self.note = label(kind="badge", tone="accent")
        self.note.setParent(self.canvas)
        self.note.move(spacing.MEDIUM, spacing.MEDIUM)
        self.palette_button = PaletteButton()
        self.reset = self.sight.reset_button()
        self.tools = icon_segments(TOOLS)
        self.tools.setAccessibleName("Mouse tool")
        # In no layout: on a narrow page there is no room above, only on the canvas.
        self.tools.setParent(self)
        self._side = Key()
        self.bar, self.legend = self._side.bar, self._side.legend
        self._follow_controls()

    def _restore_canvas(self, state: CanvasState) -> None:
        """Restore the state shared by all canvases."""
        self.palette_button.restore(state.palettes)
        self.legend.restore(state.hidden)
        self.shift.restore(state.rows, state.columns, repeated=state.repeated)
        self.sight.restore(state.sight)

    def _canvas_state(self) -> CanvasState:
        """State shared by all canvases."""
        return CanvasState(
            palettes=self.palette_button.keys,
            hidden=self.legend.hidden,
            rows=self.shift.rows,
            columns=self.shift.columns,
            repeated=self.shift.repeated,
            sight=self.sight.part,
        )

    def hover(self, number: int) -> None:
        """Mark a node or item, and show its card; −1 for none."""
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Give the key its share of the width."""
        super().resizeEvent(event)
        self._redraw()

    def _redraw(self, _: object = None) -> None:
        """Place and colour everything, if there is a picture."""
        raise NotImplementedError

    def _hover_at(self, place: QPointF) -> None:
        """Hover what is at this point of the canvas."""
        raise NotImplementedError

    def _lay_out(self, chooser: Chooser, buttons: Sequence[QWidget], body: QLayout) -> None:
        """Build the page, with the common buttons around those of the view."""
        self._chooser = chooser
        self._buttons = (self.shift.button, self.palette_button, *buttons, self.reset)
        self._page = page(chooser, self._buttons, body)
        self._stack.addWidget(self._page)
        self._stack.addWidget(self.empty)
        vbox(self._stack, into=self, margins=0)

    def _follow_controls(self) -> None:
        self.palette_button.chosen.connect(self.wanted)
        for signal in (self.shift.moved, self.legend.shown_changed, self.sight.resized):
            signal.connect(self._redraw)
        self.sight.resized.connect(self._place_tools)
        self.canvas.hovered.connect(self._move_to)
        self.tools.chosen.connect(lambda key: self.canvas.take(Tool(key)))
        self.canvas.clicked.connect(self._click_at)
        self.canvas.enclosed.connect(self._enclose)
        self.legend.select_wanted.connect(self._select_class)
        self.canvas.installEventFilter(self)
        for signal in (self.canvas.left, self.shift.moved):
            signal.connect(self._leave)
        the_theme().follow(self._recolour)

    def _place_tools(self) -> None:
        """Put the tools beside the buttons above, or on the canvas without room."""
        self.tools.setVisible(self._stack.currentWidget() is not self.empty)
        self.tools.stand(upright=False)
        self._chooser.keep_free(0)
        seen = [each for each in self._buttons if not each.isHidden()]
        first = seen[0].mapTo(self, QPoint(0, 0))
        left = first.x() - self.tools.width() - spacing.MEDIUM
        chooser = self._chooser.mapTo(self, QPoint(0, 0)).x() + self._chooser.sizeHint().width()
        top = first.y() + (seen[0].height() - self.tools.height()) // 2
        if left < chooser + spacing.MEDIUM:
            # Vertical, because most maps leave some room at their sides.
            self.tools.stand(upright=True)
            corner = self.canvas.mapTo(self, QPoint(0, self.canvas.height()))
            left = corner.x() + spacing.SMALL
            top = corner.y() - self.tools.height() - spacing.SMALL
        else:
            self._chooser.keep_free(self.tools.width() + 2 * spacing.MEDIUM)
        self.tools.move(left, top)
        self.tools.raise_()

    # Selection

    def _items_at(self, place: QPointF) -> Bools | None:
        """Mask of the items at a point of the canvas, (N,); None where nothing is."""
        raise NotImplementedError

    def _items_in(self, polygon: Floats) -> Bools:
        """Mask of the items inside a polygon, (N,)."""
        raise NotImplementedError

    def _mask(self) -> Bools:
        """Mask of the selected items of the picture, (N,)."""
        assert self._picture is not None
        return self.selection.mask(self._picture.matrix.item_ids)

    def paint_now(self) -> None:
        self.canvas.viewport().repaint()

    def take_tool(self, tool: Tool) -> None:
        """Switch the tool for dragging."""
        self.tools.choose(tool)
        self.canvas.take(tool)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Handle keys on the canvas."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._press(event)
        return super().eventFilter(watched, event)

    def _press(self, event: QKeyEvent) -> bool:
        """Handle keys for tools, and Escape to drop a line; return whether the key was used."""
        key = Qt.Key(event.key())
        if key is Qt.Key.Key_Escape:
            return self.canvas.let_go()
        if key in TOOL_KEYS and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.take_tool(TOOL_KEYS[key])
            return True
        return False

    def _click_at(self, place: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._picture is None:
            return
        found, how = self._items_at(place), combine_of(modifiers)
        # Only a plain click on empty space clears the selection.
        if found is not None or how is Combine.REPLACE:
            self._choose(found, how)

    def _enclose(self, polygon: Floats, modifiers: Qt.KeyboardModifier) -> None:
        if self._picture is not None:
            self._choose(self._items_in(polygon), combine_of(modifiers))

    def _select_class(self, number: int, how: Combine) -> None:
        classes = self._side.classes
        if self._picture is not None and classes is not None:
            self._choose(classes.codes == number, how)

    def _choose(self, mask: Bools | None, how: Combine) -> None:
        assert self._picture is not None
        ids = self._picture.matrix.item_ids
        self.chosen.emit(NOTHING if mask is None else Selection.where(mask, ids), how)

    # Display

    def _show_picture(self) -> None:
        """Draw the picture, and update what is under the mouse."""
        self._redraw()
        if self._picture is not None:
            self.overlay.show(self._picture.overlaid)
        self._stack.setCurrentIndex(0)
        layout = self._page.layout()
        if layout is not None:
            # Buttons may have just been shown or hidden, and are not laid out yet.
            layout.activate()
        self._place_tools()
        self._hover_again()

    def _show_empty(self, title: str, text: str, *, action: str = "") -> None:
        self.card.hide()
        self.tools.hide()
        super()._show_empty(title, text, action=action)

    def _show_note(self, text: str) -> None:
        """Show a note in a corner of the canvas; '' for none."""
        self.note.setText(text)
        self.note.adjustSize()
        self.note.setVisible(bool(text))

    def _show_colours(self, picture: CanvasPicture, *, numbers: bool) -> None:
        """List the classes, and offer palettes if `numbers` are coloured."""
        self.palette_button.setVisible(numbers)
        if picture.scale is not None:
            self.palette_button.show_scheme(picture.scale.scheme)
        self._side.show_classes(picture.classes)

    def _show_key(self, picture: CanvasPicture, *, legend: bool, name: str, blank: str) -> None:
        """Show the key of colours.

        `name` names the numbers of the bar, and `blank` those without a value.
        """
        scale, palette, values = picture.scale, picture.palette, picture.values
        self._side.show_parts(
            legend=legend and picture.classes is not None,
            bar=scale is not None,
            classes=bool(label_kinds(picture.matrix).classes or picture.shown.sets),
            room=self.width(),
        )
        if scale is not None and palette is not None:
            blank = blank if values is not None and bool(np.isnan(values).any()) else ""
            low, high = scale.low, scale.high
            self.bar.show_scale(palette.table, low=low, high=high, name=name, blank=blank)

    def _recolour(self) -> None:
        self._side.recolour()
        self._redraw()

    # Mouse

    def _move_to(self, place: QPointF) -> None:
        self._spot = place
        if not self.overlay.hover(place):
            self._hover_at(place)

    def _hover_again(self) -> None:
        """Update the hover after a change under the mouse."""
        if self._spot is not None:
            self._move_to(self._spot)

    def _leave(self) -> None:
        self._spot = None
        self.hover(-1)
