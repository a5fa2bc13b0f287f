"""What the views with a canvas share: a page around it, a key beside it, a card at the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QStackedWidget, QVBoxLayout, QWidget

from ximstudio.maps.classes import Classes
from ximstudio.maps.label_kinds import label_kinds
from ximstudio.ui.drawing.canvas import Canvas
from ximstudio.ui.drawing.hover_card import HoverCard
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label, tool_button
from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.views.canvas_picture import CanvasPicture
from ximstudio.ui.views.chooser import Chooser
from ximstudio.ui.views.class_colours import class_colours, legend_entries
from ximstudio.ui.views.empty import Empty
from ximstudio.ui.views.memory import Memory
from ximstudio.ui.views.overlay import Overlay
from ximstudio.ui.views.page import Key, page
from ximstudio.ui.views.palette_button import PaletteButton
from ximstudio.ui.views.sight import PADDING, Sight
from ximstudio.ui.views.torus_shift import TorusShift
from ximstudio.ui.views.view import View


class CanvasView(View):
    """A canvas to zoom and to move, and the meaning of its colours beside it.

    A view puts what it draws on the canvas, its own controls around it (`_lay_out`), and says how a
    picture is drawn (`_redraw`) and what is at a place of it (`_hover_at`, `hover`).
    """

    nothing: ClassVar[tuple[str, str]]
    """Title and text while there is no map."""
    whole: ClassVar[str]
    """What the button does that takes zooming and moving back."""
    padding: ClassVar[float] = PADDING
    """Room around the drawing, as a share of it."""

    def __init__(self) -> None:
        super().__init__()
        self._memory = Memory()
        self._picture: CanvasPicture | None = None
        self._classes: Classes | None = None
        self._spot: QPointF | None = None
        self.canvas = Canvas()
        self.canvas.setAccessibleName(self.name)
        self.sight = Sight(self.canvas, padding=self.padding)
        self.shift = TorusShift(self.canvas)
        self.card = HoverCard(self.canvas)
        self.overlay = Overlay(self.canvas, self.shift, self.card)
        self.note = label(kind="badge", tone="accent")
        self.note.setParent(self.canvas)
        self.note.move(spacing.MEDIUM, spacing.MEDIUM)
        self.palette_button = PaletteButton()
        self.reset = tool_button("reset", tip=self.whole)
        self._side = Key()
        self.bar, self.legend = self._side.bar, self._side.legend
        self.empty = Empty(self.icon)
        self._stack = QStackedWidget()
        self._follow_controls()

    def draw_nothing(self) -> None:
        """Say how to get a picture."""
        self._picture = None
        self._show_empty(*self.nothing)

    @property
    def is_blank(self) -> bool:
        return self._picture is None

    def hover(self, number: int) -> None:
        """Mark a node or item, and say what is known about it; −1 for none."""
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Give the key its share of the width."""
        super().resizeEvent(event)
        self._redraw()

    def _redraw(self, _: object = None) -> None:
        """Put everything into its place and colour, if there is a picture."""
        raise NotImplementedError

    def _hover_at(self, place: QPointF) -> None:
        """Hover what is at this place of the canvas."""
        raise NotImplementedError

    def _lay_out(self, chooser: Chooser, buttons: Sequence[QWidget], body: QLayout) -> None:
        """Make the page of these, with the buttons that all have around those of the view."""
        every = (self.shift.button, self.palette_button, *buttons, self.reset)
        self._stack.addWidget(page(chooser, every, body))
        self._stack.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _follow_controls(self) -> None:
        self.palette_button.chosen.connect(self.wanted)
        for signal in (self.shift.moved, self.legend.shown_changed, self.sight.resized):
            signal.connect(self._redraw)
        self.reset.clicked.connect(self.sight.reset)
        self.reset.setEnabled(False)
        self.sight.touched_changed.connect(lambda: self.reset.setEnabled(self.sight.touched))
        self.canvas.hovered.connect(self._move_to)
        for signal in (self.canvas.left, self.shift.moved):
            signal.connect(self._leave)
        the_theme().changed.connect(self._recolour)

    # What is seen

    def _show_picture(self) -> None:
        """Draw what there is, and say what is under the mouse now."""
        self._redraw()
        if self._picture is not None:
            self.overlay.show(self._picture.overlaid)
        self._stack.setCurrentIndex(0)
        self._hover_again()

    def _show_empty(self, title: str, text: str, *, action: str = "") -> None:
        """Show this instead of the canvas."""
        self.card.hide()
        self.empty.show_message(title, text, action=action)
        self._stack.setCurrentWidget(self.empty)

    def _show_note(self, text: str) -> None:
        """Say something in a corner of the canvas; '' for nothing."""
        self.note.setText(text)
        self.note.adjustSize()
        self.note.setVisible(bool(text))

    def _show_colours(self, picture: CanvasPicture, *, numbers: bool) -> None:
        """List the classes, and offer palettes where `numbers` are what is coloured."""
        self.palette_button.setVisible(numbers)
        if picture.scale is not None:
            self.palette_button.show_scheme(picture.scale.scheme)
        classes = picture.classes
        # The same classes as before keep what a person has hidden of them.
        if classes is not self._classes:
            self._classes = classes
            self.legend.show_classes([] if classes is None else legend_entries(classes))

    def _show_key(self, picture: CanvasPicture, *, legend: bool, name: str, blank: str) -> None:
        """Say what colours mean.

        `name` is what the numbers of the bar are, and `blank` what it calls those without.
        """
        scale, palette, values = picture.scale, picture.palette, picture.values
        self._side.show_parts(
            legend=legend and picture.classes is not None,
            bar=scale is not None,
            classes=bool(label_kinds(picture.matrix).classes),
            room=self.width(),
        )
        if scale is not None and palette is not None:
            blanks = values is not None and bool(np.isnan(values).any())
            self.bar.show_scale(
                palette.table,
                low=scale.low,
                high=scale.high,
                name=name,
                blank=blank if blanks else "",
            )

    def _recolour(self) -> None:
        if self._classes is not None:
            self.legend.show_colours(class_colours(self._classes))
        self._redraw()

    # What is under the mouse

    def _move_to(self, place: QPointF) -> None:
        self._spot = place
        if not self.overlay.hover(place):
            self._hover_at(place)

    def _hover_again(self) -> None:
        """What is under the mouse may have become another thing."""
        if self._spot is not None:
            self._move_to(self._spot)

    def _leave(self) -> None:
        self._spot = None
        self.hover(-1)
