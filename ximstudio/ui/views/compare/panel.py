"""One panel of the compare view: a run's items over its nodes, with its name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame

from ximstudio.maps.orientation import UNTURNED
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.pictures.colouring import colour_rows, colours_of, node_shades
from ximstudio.pictures.point_looks import PANEL_OPACITY, panel_size
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.views.common.sight import Sight
from ximstudio.ui.views.positions.drawing import item_colours
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.hover_card import HoverCard
from ximstudio.ui.widgets.drawing.mesh import MapItem
from ximstudio.ui.widgets.drawing.points import PointsItem
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, combo_box, label, tool_button
from ximstudio.ui.widgets.look.fonts import Text, font
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.compare.picture import PanelPicture, figures_text
from ximstudio.views.compare.true_distances import Light

WALKING = (
    "Arrow keys move from point to point; Space selects, T switches the torch on, Escape leaves."
)
"""Help on the keys for screen readers."""
NAME = 180
"""Maximum width of a name in pixels."""
ROOMY = 270
"""Width of a panel with room for figures, in pixels."""


class ComparePanel(QFrame):
    """A canvas with a run's items; the run is chosen above it."""

    hovered = Signal(int)
    """The row of the item under the mouse; −1 for none."""
    chosen = Signal(object, object)
    """The user selects items: a Selection, and how to combine it with the present one."""
    run_wanted = Signal(str)
    """The user wants to see another run here; its key."""
    method_wanted = Signal(str)
    """The user wants a run of this method trained, and shown here."""
    removed = Signal()
    led = Signal()
    """The user wants the other maps aligned to this one."""
    pressed = Signal(QKeyEvent)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.picture: PanelPicture | None = None
        self._morph = 0.0
        self._selection = NOTHING
        self._lit = self._leads = False
        self._entries: tuple[tuple[str, str], ...] = ()
        self.which = combo_box(name="Run in this panel")
        self.which.setMaximumWidth(NAME)
        self.figures = label(kind="muted")
        self.figures.setFont(font(Text.SMALL, tabular=True))
        self.lead = tool_button("pin", tip="", size=Size.SMALL, checkable=True)
        self.remove = tool_button("close", tip="Remove this panel", size=Size.SMALL)
        self.canvas = Canvas()
        self.sight = Sight(self.canvas, padding=0.05)
        self.nodes, self.points = MapItem(), PointsItem()
        self.canvas.add(self.nodes)
        self.canvas.add(self.points)
        self.card = HoverCard(self.canvas)
        self._lay_out()
        self.which.activated.connect(self._choose_entry)
        self.lead.clicked.connect(self._lead)
        self.remove.clicked.connect(self.removed)
        self.canvas.hovered.connect(self._hover_at)
        self.canvas.left.connect(lambda: self.hovered.emit(-1))
        self.canvas.clicked.connect(self._click_at)
        self.canvas.enclosed.connect(self._enclose)
        self.canvas.installEventFilter(self)
        self.sight.resized.connect(self._resize_points)
        the_theme().follow(self._redraw)

    def _lay_out(self) -> None:
        head = hbox(
            (self.which, 1),
            (self.figures, 1),
            self.lead,
            self.remove,
            gap=spacing.HAIR,
            margins=(spacing.SMALL, spacing.HAIR, spacing.HAIR, spacing.HAIR),
        )
        vbox(head, (self.canvas, 1), into=self, gap=0, margins=1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Hide the figures if the name would have no room beside them."""
        super().resizeEvent(event)
        self.figures.setVisible(self.width() >= ROOMY)

    @property
    def key(self) -> str:
        """Key of the run on display."""
        return "" if self.picture is None else self.picture.run.key

    def show_entries(self, entries: Mapping[str, str], methods: Mapping[str, str]) -> None:
        """Offer these runs, name by key, and below them these methods to train."""
        listed = (*entries.items(), *((f"train {key}", name) for key, name in methods.items()))
        if listed != self._entries:
            self._entries = listed
            self.which.clear()
            for key, name in entries.items():
                self.which.addItem(name, key)
            self.which.insertSeparator(self.which.count())
            for key, name in methods.items():
                self.which.addItem(f"Train {name}", f"train {key}")
        self._show_name()

    def draw(self, picture: PanelPicture, *, leads: bool) -> None:
        """Show a run; `leads` if the others are aligned to it."""
        before, self.picture = self.picture, picture
        if before is None or before.run.result is not picture.run.result:
            self.sight.forget()
        self._show_name()
        self._leads = leads
        self.lead.setChecked(leads)
        tip = (
            "The other maps are aligned to this one"
            if leads
            else "Align the other maps to this one"
        )
        self.lead.setToolTip(tip)
        self.lead.setAccessibleName(f"{tip}: {picture.run.name}")
        self.remove.setAccessibleName(f"Remove the panel of {picture.run.name}")
        self.figures.setText(figures_text(picture.run))
        self.canvas.setAccessibleName(f"{picture.run.name}, compared")
        self.canvas.setAccessibleDescription(WALKING)
        self._redraw()

    def show_classes(self, names: frozenset[str] | None) -> None:
        """Show only the items of these classes; None for all."""
        classes = None if self.picture is None else self.picture.items.classes
        if classes is None or names is None:
            self.points.show_only(None)
            return
        seen = np.array([name in names for name in classes.names], dtype=np.bool_)
        self.points.show_only(seen[classes.codes])

    def show_selection(self, selection: Selection) -> None:
        """Bring the selected items to the front."""
        self._selection = selection
        if self.picture is not None:
            mask = selection.mask(self.picture.matrix.item_ids)
            self.points.select(mask)

    def show_morph(self, share: float) -> None:
        """Move the items by this share of the way to their positions in the reference."""
        self._morph = share
        if self.picture is not None:
            self._place()

    # Mouse, here or in another panel

    def light(self, light: Light | None, colours: Bytes | None = None) -> None:
        """Colour by true distances (N, 4) and ring the neighbours; None for the usual colours."""
        if self.picture is None or (light is None and not self._lit):
            return
        self._lit = light is not None
        if light is None:
            self.points.ring(np.empty(0, dtype=np.int64))
            self.points.show_colours(item_colours(self.picture.items))
            return
        assert colours is not None
        self.points.ring(light.neighbours)
        self.points.show_colours(colours)

    @property
    def selected_ids(self) -> frozenset[str]:
        """The items that are displayed as selected."""
        if self.picture is None or self.points.selected is None:
            return frozenset()
        return Selection.where(self.points.selected, self.picture.matrix.item_ids).ids

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        """Pass on keys, which apply to all panels."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self.canvas.let_go():
                return True
            event.ignore()
            self.pressed.emit(event)
            return event.isAccepted()
        return super().eventFilter(watched, event)

    def _show_name(self) -> None:
        if self.picture is not None:
            self.which.setCurrentIndex(self.which.findData(self.picture.run.key))

    def _choose_entry(self, number: int) -> None:
        key = str(self.which.itemData(number))
        self._show_name()
        if key.startswith("train "):
            self.method_wanted.emit(key.removeprefix("train "))
        elif self.picture is None or key != self.picture.run.key:
            self.run_wanted.emit(key)

    def _lead(self) -> None:
        # The button shows the state, not the click.
        self.lead.setChecked(self._leads)
        if not self._leads:
            self.led.emit()

    def _redraw(self) -> None:
        picture = self.picture
        if picture is None:
            return
        heights, grid, turn = picture.spacing, picture.grid, picture.turn or UNTURNED
        backed = grid is not None and heights is not None and not picture.items.panels
        self.nodes.setVisible(backed)
        if backed:
            assert grid is not None
            assert heights is not None
            self.nodes.show_grid(grid, rows=turn.rows, columns=turn.columns, turn=turn)
            self.nodes.show_colours(node_shades(heights, the_theme().colours))
        self._place()
        self.points.show_colours(item_colours(picture.items))
        self.points.show_opacity(PANEL_OPACITY)
        self._resize_points()
        self.show_selection(self._selection)
        self._follow(picture, backed=backed)

    def _place(self) -> None:
        picture = self.picture
        assert picture is not None
        self.points.show_positions(moved(picture, self._morph))

    def _follow(self, picture: PanelPicture, *, backed: bool) -> None:
        """Keep everything visible: all nodes, or all items without nodes."""
        if backed:
            self.sight.follow(self.nodes.tiles.bounds)
            return
        places = picture.places[~np.isnan(picture.places).any(axis=1)]
        if not len(places):
            return
        low, high = places.min(axis=0), places.max(axis=0)
        room = max(float((high - low).max()) * 1e-3, 1e-9)
        self.sight.follow((*(low - room).tolist(), *(high + room).tolist()))

    def _resize_points(self) -> None:
        if self.picture is not None:
            n_items = self.picture.matrix.n_items
            side: float = min(self.canvas.width(), self.canvas.height())
            self.points.show_size(panel_size(n_items, side))

    # Selection

    def _hover_at(self, place: QPointF) -> None:
        self.hovered.emit(self.points.point_at(place.x(), place.y()))

    def choose(self, item: int, how: Combine) -> None:
        """Select an item, like a click."""
        self._choose(np.arange(len(self.points)) == item, how)

    def _click_at(self, place: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        item, how = self.points.point_at(place.x(), place.y()), combine_of(modifiers)
        if item >= 0:
            self.choose(item, how)
        elif how is Combine.REPLACE:
            self.chosen.emit(NOTHING, how)

    def _enclose(self, polygon: Floats, modifiers: Qt.KeyboardModifier) -> None:
        self._choose(self.points.points_in(polygon), combine_of(modifiers))

    def _choose(self, mask: Bools, how: Combine) -> None:
        if self.picture is not None:
            self.chosen.emit(Selection.where(mask, self.picture.matrix.item_ids), how)


def moved(picture: PanelPicture, share: float) -> Floats:
    """Items this share of the way to their positions in the reference; those it lacks stay."""
    if not share:
        return picture.places
    return np.asarray(picture.places + share * picture.travel)


def carried(light: Light, rows: Ints, n_items: int) -> Light:
    """Transfer the torch to the items of another table; items it lacks have no distance."""
    known = rows >= 0
    distances = np.full(n_items, np.nan)
    distances[rows[known]] = light.distances[known]
    near = rows[light.neighbours]
    return Light(
        item=int(rows[light.item]),
        distances=distances,
        neighbours=near[near >= 0],
        low=light.low,
        high=light.high,
    )


def torch_colours(light: Light, table: Bytes) -> Bytes:
    """Colour of every true distance, (N, 4); grey where there is none."""
    colours = colours_of(light.distances, table, low=light.low, high=light.high)
    unknown = np.isnan(light.distances)
    if unknown.any():
        grey = colour_rows((the_theme().colours.border_strong,))[0]
        colours[unknown] = (*grey.tolist(), 255)
    return colours
