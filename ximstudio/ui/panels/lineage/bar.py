"""Bar above the views: parent maps of the current one, and actions for the selection."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QPushButton, QToolButton, QWidget

from ximstudio.model.words import counted
from ximstudio.session import Run
from ximstudio.session.run_words import chain_of, step_text
from ximstudio.session.words import Words
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.views.area import ViewArea
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.widgets.boxes import STRETCH, hbox
from ximstudio.ui.widgets.focus import stops
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, label, tool_button
from ximstudio.ui.widgets.shortcuts import UP, ZOOM

HEIGHT = 34
MOST_STEPS = 4
"""Number of maps shown by name; those in the middle become dots."""
LEAST_STEP = 56
"""Minimum width of a name in pixels."""
SIZE = "Size of the finer map"
SIZES = {"Coarser": 0.7, "Finer": 1.4}
"""Alternative sizes of a finer map, as factors of the suggested side length."""

LEAST_SIDE, MOST_SIDE = 4, 100


class LineageBar(QFrame):
    """Bar of constant height, so that the map below does not move."""

    def __init__(self, actions: Actions, views: ViewArea) -> None:
        super().__init__()
        self._actions, self._views = actions, views
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName("Origin of this map")
        self.setWhatsThis(
            "The maps that this one was derived from: click a name to go back to it; the "
            "selection stays. The buttons on the right act on the selection."
        )
        self._shown: tuple[object, ...] = ()
        self.steps: list[QPushButton | QLabel] = []
        self._crumbs = hbox(gap=spacing.HAIR)
        self.zoom = tool_button("zoom-in", tip="", text="Zoom in", size=Size.SMALL)
        self.size_button = tool_button("chevron-down", tip=SIZE, size=Size.SMALL)
        self.pin = tool_button("pin", tip="", text="Pin", size=Size.SMALL)
        self.asking = label(kind="muted")
        self.cancel = button("Cancel", kind=ButtonKind.LINK, size=Size.SMALL)
        self.sizes, self.pin_menu = QMenu(self), QMenu(self)
        for made, menu in ((self.size_button, self.sizes), (self.pin, self.pin_menu)):
            made.setMenu(menu)
            made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            made.setProperty("menu", "quiet")
            menu.setToolTipsVisible(True)
        self.asking.hide()
        self.cancel.hide()
        self.picker = NodePicker(self)
        self._lay_out()
        self._connect()
        self.show_session()

    def _lay_out(self) -> None:
        hbox(
            self._crumbs,
            STRETCH,
            self.asking,
            self.cancel,
            self.zoom,
            self.size_button,
            self.pin,
            into=self,
            gap=spacing.HAIR,
            margins=(spacing.MEDIUM, 0, spacing.SMALL, 0),
        )

    def _connect(self) -> None:
        actions = self._actions
        self.zoom.clicked.connect(actions.derived_maps.zoom_in)
        self.sizes.aboutToShow.connect(self._offer_sizes)
        self.pin_menu.aboutToShow.connect(self._offer_pins)
        self.cancel.clicked.connect(actions.pinning.end_picking)
        self.picker.picked.connect(actions.pinning.pick)
        self.picker.cancelled.connect(actions.pinning.end_picking)
        actions.store.changed.connect(self.show_session)
        actions.phase_changed.connect(self.show_session)
        actions.pinning.picking_changed.connect(self._show_picking)
        actions.drawn.connect(self._follow_views)

    def stops(self) -> Iterator[QWidget]:
        """Return the tab stops in visual order."""
        return (widget for widget in stops(self) if not widget.isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._fit()

    # Display

    def show_session(self) -> None:
        """Show the parent maps and enable the available actions."""
        actions = self._actions
        words = Words.of(actions.session.data)
        chain, last = self._chain()
        shown = (*((run.key, run.name) for run in chain), last, words)
        if shown != self._shown:
            self._shown = shown
            self._fill(chain, last, words)
        chosen = bool(actions.derived_maps.chosen)
        self._enable(self.zoom, actions.derived_maps.why_not_zoom, f"{ZOOM.does} ({ZOOM.keys})")
        self._enable(self.pin, "", f"Pin the selected {words.items} to nodes of the next map")
        why_no_size = actions.derived_maps.why_not_zoom or actions.derived_maps.why_no_size
        self._enable(self.size_button, why_no_size, SIZE)
        for widget in (self.zoom, self.size_button, self.pin):
            widget.setVisible(chosen and not actions.pinning.picking)
        self._show_pins()

    def _chain(self) -> tuple[tuple[Run, ...], str]:
        """Return the ancestors of the current run, and the training derived from it."""
        session, trainer = self._actions.session, self._actions.trainer
        if trainer.phase is not Phase.IDLE and trainer.training is not None:
            descent = trainer.descent
            above = next((run for run in session.runs if descent and run.key == descent.run), None)
            if descent is None or above is None:
                return (), "New map"
            return chain_of(session, above), f"{descent.what}…"
        return (() if session.run is None else chain_of(session, session.run)), ""

    def _fill(self, chain: tuple[Run, ...], last: str, words: Words) -> None:
        while (item := self._crumbs.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self.steps = []
        texts = [step_text(run, words) for run in chain]
        dots = range(1, len(chain) - MOST_STEPS + 1)
        for place, (run, text) in enumerate(zip(chain, texts, strict=True)):
            if place in dots:
                if place == dots[0]:
                    self._add_dots([(chain[number], texts[number]) for number in dots])
                continue
            current = not last and run is chain[-1]
            self._add_step(label(kind="strong") if current else self._way_to(run), text)
        if last:
            self._add_step(label(kind="strong"), last)
        self._fit()

    def _way_to(self, run: Run) -> QPushButton:
        made = button("", kind=ButtonKind.LINK, size=Size.SMALL)
        made.clicked.connect(lambda: self._actions.show_run(run.key))
        return made

    def _add_step(self, step: QPushButton | QLabel, text: str) -> None:
        self._part()
        step.setAccessibleName(text)
        if isinstance(step, QPushButton):
            step.setToolTip(f"Show {text} ({UP.keys} goes up by one)")
        self.steps.append(step)
        self._crumbs.addWidget(step)

    def _add_dots(self, hidden: list[tuple[Run, str]]) -> None:
        self._part()
        dots = tool_button("more", tip="Maps between", size=Size.SMALL)
        menu = QMenu(dots)
        for run, text in hidden:
            menu.addAction(text).triggered.connect(
                lambda _=False, key=run.key: self._actions.show_run(key)
            )
        dots.setMenu(menu)
        dots.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._crumbs.addWidget(dots)

    def _part(self) -> None:
        if self._crumbs.count():
            self._crumbs.addWidget(label("›", kind="muted"))

    def _fit(self) -> None:
        """Shorten names to fit."""
        if not self.steps:
            return
        taken = sum(
            widget.sizeHint().width() + spacing.HAIR
            for widget in (self.zoom, self.size_button, self.pin)
        )
        room = (self.width() - taken - spacing.WIDE) / len(self.steps) - spacing.LARGE
        for step in self.steps:
            full = step.accessibleName()
            middle = Qt.TextElideMode.ElideMiddle
            step.setText(step.fontMetrics().elidedText(full, middle, max(int(room), LEAST_STEP)))

    @staticmethod
    def _enable(made: QToolButton, why_not: str, does: str) -> None:
        made.setEnabled(not why_not)
        made.setToolTip(why_not or does)

    # Sizes

    def _offer_sizes(self) -> None:
        self.sizes.clear()
        suits = self._actions.derived_maps.suggested_shape()
        offered = {"Suggested": suits} | {
            name: tuple(_side(side, factor) for side in suits) for name, factor in SIZES.items()
        }
        for name, (rows, columns) in offered.items():
            action = self.sizes.addAction(f"{name}: {rows} × {columns} nodes")
            shape = None if name == "Suggested" else (rows, columns)
            action.triggered.connect(
                lambda _=False, shape=shape: self._actions.derived_maps.zoom_in(shape=shape)
            )

    # Pins

    def _offer_pins(self) -> None:
        self.pin_menu.clear()
        pinning, n_chosen = self._actions.pinning, len(self._actions.derived_maps.chosen)
        words, why_not = Words.of(self._actions.session.data), pinning.why_not
        one = self.pin_menu.addAction("Pin to a node…")
        one.triggered.connect(pinning.begin_picking)
        single = f"Select a single {words.item} to pin it to a node"
        one.setEnabled(not why_not and n_chosen == 1)
        one.setToolTip(why_not or ("Then click the node" if n_chosen == 1 else single))
        each = self.pin_menu.addAction(
            "Pin to its current node" if n_chosen == 1 else "Pin each to its current node"
        )
        each.triggered.connect(pinning.pin_winners)
        each.setEnabled(not why_not)
        each.setToolTip(why_not or f"A node with several {words.items} gets the most similar one")
        if why_not:
            self.pin_menu.addAction(why_not).setEnabled(False)
        self.pin_menu.addSeparator()
        n_pins = len(pinning.pins)
        remove = self.pin_menu.addAction(
            f"Remove all {counted(n_pins, 'pin')}" if n_pins > 1 else "Remove the pin"
        )
        remove.triggered.connect(pinning.remove_all)
        remove.setEnabled(bool(n_pins))

    def _show_picking(self) -> None:
        """Show or hide the request to click a node."""
        item = self._actions.pinning.picking
        self.asking.setText(f"Click the node for {item}" if item else "")
        for widget in (self.asking, self.cancel):
            widget.setVisible(bool(item))
        if item and not self._maps():
            self._views.pane.show_view(MapView.kind.key)
        self.picker.ask(self._maps() if item else ())
        self.show_session()

    def _follow_views(self) -> None:
        """Show pins and the node request in newly shown map views."""
        self._show_pins()
        if self._actions.pinning.picking:
            self.picker.ask(self._maps())

    def _maps(self) -> tuple[MapView, ...]:
        seen = (pane.view for pane in self._views.panes if not pane.isHidden())
        return tuple(view for view in seen if isinstance(view, MapView))

    def _show_pins(self) -> None:
        held, planned = self._actions.pinning.pins_on(self._actions.shown)
        for view in self._maps():
            view.pins.show_pins(held, planned)


def _side(side: int, factor: float) -> int:
    """Return an even side length, so that a hexagonal map can be a torus."""
    return min(max(2 * round(side * factor / 2.0), LEAST_SIDE), MOST_SIDE)


class NodePicker(QObject):
    """Event filter that takes clicks and keys of map views while a node is picked."""

    picked = Signal(int)
    cancelled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._views: tuple[MapView, ...] = ()

    def ask(self, views: tuple[MapView, ...]) -> None:
        """Ask for a node in one of these views; with none, stop asking."""
        before, self._views = self._views, views
        for view in before:
            if view not in views:
                view.canvas.removeEventFilter(self)
                view.canvas.viewport().removeEventFilter(self)
                # The tool restores its cursor.
                view.canvas.take(view.canvas.tool)
        for view in views:
            if view not in before:
                view.canvas.installEventFilter(self)
                view.canvas.viewport().installEventFilter(self)
                view.canvas.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        if views and not before:
            views[0].canvas.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Take presses and releases of the left button, Enter, and Escape."""
        canvases = {view: (view.canvas, view.canvas.viewport()) for view in self._views}
        view = next((view for view, parts in canvases.items() if watched in parts), None)
        if view is None:
            return super().eventFilter(watched, event)
        if isinstance(event, QMouseEvent) and event.button() is Qt.MouseButton.LeftButton:
            if event.type() == QEvent.Type.MouseButtonRelease:
                place = view.canvas.place_of(event.position())
                self._take(view.drawing.map.node_at(place.x(), place.y()))
            return True
        if isinstance(event, QKeyEvent):
            return self._press(view, event)
        return super().eventFilter(watched, event)

    def _press(self, view: MapView, event: QKeyEvent) -> bool:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            # Otherwise the window's Escape shortcut would apply, too.
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self.cancelled.emit()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.type() == QEvent.Type.KeyPress:
            self._take(view.drawing.map.hovered)
            return True
        return False

    def _take(self, node: int) -> None:
        if node >= 0:
            self.picked.emit(node)
