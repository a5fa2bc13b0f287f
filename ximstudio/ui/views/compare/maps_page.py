"""Maps of several runs side by side, with shared colours, selection and hover."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSlider, QWidget

from ximstudio.maps.palettes import PaletteScheme, palette_named
from ximstudio.model.arrays import Ints
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.pictures.raster.frame import Bytes
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.views.common.canvas_view import TOOL_KEYS, TOOLS
from ximstudio.ui.views.common.chooser import Chooser
from ximstudio.ui.views.common.page import Key
from ximstudio.ui.views.compare.panel import ComparePanel, carried, torch_colours
from ximstudio.ui.views.positions.choices import choices, item_lines, note_text
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drawing.canvas import Tool
from ximstudio.ui.widgets.drop_area import let_drops_through
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import icon_segments, label, tool_button
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.menu_buttons import PaletteButton
from ximstudio.ui.widgets.slices import EventLoopSlices
from ximstudio.views.compare.picture import ComparePicture, PanelPicture, rows_in
from ximstudio.views.compare.true_distances import Light
from ximstudio.views.positions.picture import bar_name, wander_of

WAYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
"""Directions of the arrow keys, to the right and down."""
NEIGHBOURS = 10
"""Number of true neighbours that the torch rings."""
NAMED = 3
"""Number of them that the card names."""
HEAD = 34
"""Height of the line above a panel's canvas."""
LEAST_PANEL = 96
"""Minimum width of this line in pixels."""
ROOMY = 540
"""Width of a page with room for the slider, in pixels."""
NEARLY = 0.9
"""Share of the largest side that counts as equally good."""
MORPH_STEPS = 100
SLIDER = 110


class MapsPage(QWidget):
    """Panels in the grid that gives each the most room."""

    wanted = Signal()
    """The user chose other colours: the request has to be fetched again."""
    chosen = Signal(object, object)
    """The user selects items: a Selection, and how to combine it with the present one."""
    run_wanted = Signal(str, str)
    """A run replaces another in its panel; keys of the old and the new one."""
    method_wanted = Signal(str, str)
    """A method is trained and replaces a run; key of the run, and of the method."""
    removed = Signal(str)
    """A run, by its key, is removed."""
    led = Signal(str)
    """The other maps are aligned to this run; its key."""

    def __init__(self) -> None:
        super().__init__()
        self.panels: list[ComparePanel] = []
        self._picture: ComparePicture | None = None
        self._selection = NOTHING
        self.lit: tuple[int, int] | None = None
        """The panel and item at the mouse."""
        self._carried: dict[tuple[int, int], Ints | None] = {}
        self._entries: tuple[Mapping[str, str], Mapping[str, str]] = {}, {}
        """Runs and methods offered in every panel, name by key."""
        self._arranged = 0, 0
        """Columns of the grid, and number of panels."""
        self._slices = EventLoopSlices(self)
        self._key_text: Light | None = None
        """The text of the key, if it describes the torch."""
        self.colouring = Chooser("Colour by")
        self.palette_button = PaletteButton()
        self.tools = icon_segments(TOOLS, name="Mouse tool")
        self.torch = tool_button(
            "torch", tip="Torch: colour by the true distance to the point under the mouse (T)"
        )
        self.torch.setCheckable(True)
        self.morph = QSlider(Qt.Orientation.Horizontal)
        self.morph.setRange(0, MORPH_STEPS)
        self.morph.setFixedWidth(SLIDER)
        self.morph.setAccessibleName("Move to the positions of the first panel")
        self.morph.setToolTip(
            "Moves everything to its position in the first panel; long ways mean that the "
            "maps disagree"
        )
        self.morph_label = label("Morph", kind="muted")
        self.key = Key()
        self.bar, self.legend = self.key.bar, self.key.legend
        self.note = label(kind="badge", tone="accent")
        self._lay_out()
        self.colouring.chosen.connect(self.wanted)
        self.palette_button.chosen.connect(self.wanted)
        self.tools.chosen.connect(lambda key: self.take_tool(Tool(key)))
        self.torch.toggled.connect(lambda _: self._relight())
        self.morph.valueChanged.connect(self._show_morph)
        self.legend.shown_changed.connect(self._show_classes)
        self.legend.select_wanted.connect(self._select_class)
        the_theme().follow(self._recolour)

    def _lay_out(self) -> None:
        head = hbox(
            (self.colouring, 1),
            self.note,
            self.tools,
            self.torch,
            self.morph_label,
            self.morph,
            self.palette_button,
            gap=spacing.SMALL,
            margins=(spacing.MEDIUM, 0, spacing.SMALL, spacing.SMALL),
        )
        self._grid = QGridLayout()
        self._grid.setSpacing(spacing.HAIR)
        self._grid.setContentsMargins(spacing.SMALL, 0, 0, spacing.SMALL)
        body = hbox((self._grid, 1), self.key, gap=0)
        vbox(head, (body, 1), into=self, gap=0, margins=0)

    # Display

    def draw(self, picture: ComparePicture) -> None:
        """Show these runs."""
        before, self._picture = self._picture, picture
        if before is None or [one.run.result for one in before.panels] != [
            one.run.result for one in picture.panels
        ]:
            # Whatever is at the mouse is another item now.
            self.lit = None
        self._carried.clear()
        self._set_panels(len(picture.panels))
        for number in range(len(self.panels)):
            self._draw_panel(number)
        self._show_controls(picture)
        self._show_key()
        self._arrange()
        self._show_classes()
        self._show_morph()
        self._relight()

    @property
    def is_drawn(self) -> bool:
        """True if all panels are drawn, and none follows in a moment."""
        return self._slices.idle

    def clear(self) -> None:
        """Show nothing, and release everything."""
        self._picture = self.key.classes = self._key_text = None
        self._carried.clear()
        self._set_panels(0)

    def show_entries(self, runs: Mapping[str, str], methods: Mapping[str, str]) -> None:
        """Offer these runs and methods in every panel, name by key."""
        self._entries = runs, methods
        for panel in self.panels:
            panel.show_entries(runs, methods)

    def show_selection(self, selection: Selection) -> None:
        """Mark the selection in every panel."""
        self._selection = selection
        for panel in self.panels:
            panel.show_selection(selection)

    def paint_now(self) -> None:
        """Paint marks before anything else is done."""
        for panel in self.panels:
            panel.canvas.viewport().repaint()

    def take_tool(self, tool: Tool) -> None:
        """Switch the tool for dragging, in all panels."""
        self.tools.choose(tool)
        for panel in self.panels:
            panel.canvas.take(tool)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Rearrange the panels."""
        super().resizeEvent(event)
        self._show_slider()
        self._show_key()
        self._arrange()

    def _set_panels(self, count: int) -> None:
        """Set the number of panels; the first missing one is built now, the others one by one."""
        missing = count - len(self.panels)
        self._slices.schedule(*[self._add_panel] * (missing - 1))
        if missing == 0:
            return
        while len(self.panels) > count:
            panel = self.panels.pop()
            self._grid.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        if missing > 0:
            self.panels.append(self._made(len(self.panels)))
        self.lit = None

    def _add_panel(self) -> None:
        number = len(self.panels)
        self.panels.append(self._made(number))
        self._show_slider()
        self._arrange()
        self._draw_panel(number)
        self._show_classes()
        self._show_morph()
        self._relight()

    def _draw_panel(self, number: int) -> None:
        assert self._picture is not None
        panel = self.panels[number]
        panel.draw(self._picture.panels[number], leads=number == 0)
        panel.show_selection(self._selection)

    def _made(self, number: int) -> ComparePanel:
        panel = ComparePanel()
        let_drops_through(panel)
        panel.canvas.take(Tool(self.tools.value))
        panel.show_entries(*self._entries)
        panel.hovered.connect(lambda item: self.hover(number, item))
        panel.chosen.connect(self.chosen)
        panel.run_wanted.connect(lambda key: self.run_wanted.emit(panel.key, key))
        panel.method_wanted.connect(lambda key: self.method_wanted.emit(panel.key, key))
        panel.removed.connect(lambda: self.removed.emit(panel.key))
        panel.led.connect(lambda: self.led.emit(panel.key))
        panel.pressed.connect(lambda event: self._press(number, event))
        return panel

    def _arrange(self) -> None:
        """Put the panels into the grid that leaves each canvas the most room."""
        if not self.panels or self._picture is None:
            return
        n = len(self._picture.panels)
        # The planned width, which it only has after being laid out.
        beside = self.key.minimumWidth()
        columns = columns_for(n, self.width() - beside, self.height() - HEAD)
        if (columns, len(self.panels)) == self._arranged:
            return
        self._arranged = columns, len(self.panels)
        for panel in self.panels:
            self._grid.removeWidget(panel)
        for number, panel in enumerate(self.panels):
            self._grid.addWidget(panel, number // columns, number % columns)
        for line in range(max(self._grid.rowCount(), self._grid.columnCount(), n)):
            self._grid.setRowStretch(line, 1 if line < ceil(n / columns) else 0)
            self._grid.setColumnStretch(line, 1 if line < columns else 0)

    def _show_controls(self, picture: ComparePicture) -> None:
        first = picture.reference
        items, shown = first.items, picture.shown
        offered = choices(
            first.matrix,
            items.words,
            shown.sets,
            class_label=items.shown.class_label,
            clustered=first.run.clustering is not None,
            repeated=any(wander_of(one.items.shown) is not None for one in picture.panels),
        )
        self.colouring.show_choices(offered, items.by, items.option)
        self.palette_button.setVisible(items.scale is not None or items.waiting)
        if items.scale is not None:
            self.palette_button.show_scheme(items.scale.scheme)
        self._show_slider()
        note = _note(picture)
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _show_slider(self) -> None:
        """Offer to morph if there are several maps, and room for it."""
        seen = len(self.panels) > 1 and self.width() >= ROOMY
        self.morph.setVisible(seen)
        self.morph_label.setVisible(seen)

    def _show_key(self, light: Light | None = None, name: str = "") -> None:
        """Show the key of all panels, or that of the torch on this item."""
        picture = self._picture
        if picture is None or not picture.panels:
            return
        self._key_text = light
        items = picture.reference.items
        classes = items.classes
        self.key.show_classes(classes)
        scale = next((one.items.scale for one in picture.panels if one.items.scale), None)
        self.key.show_parts(
            legend=classes is not None and light is None,
            bar=scale is not None or light is not None,
            classes=classes is not None,
            room=self.width(),
        )
        if light is not None:
            text = f"true distance to {name}"
            self.bar.show_scale(self.torch_table(), low=light.low, high=light.high, name=text)
        elif scale is not None and items.palette is not None:
            values = [one.items.values for one in picture.panels if one.items.values is not None]
            blank = "blank" if any(bool(np.isnan(each).any()) for each in values) else ""
            low, high, name = scale.low, scale.high, bar_name(items)
            self.bar.show_scale(items.palette.table, low=low, high=high, name=name, blank=blank)

    def _show_classes(self, _: object = None) -> None:
        """Leave out the classes that are hidden in the legend."""
        classes, shown = self.key.classes, self.legend.shown
        names = None
        if classes is not None and not shown.all():
            names = frozenset(
                name for name, seen in zip(classes.names, shown.tolist(), strict=True) if seen
            )
        for panel in self.panels:
            panel.show_classes(names)

    def _show_morph(self, _: int = 0) -> None:
        for number, panel in enumerate(self.panels):
            panel.show_morph(self.morph.value() / MORPH_STEPS if number else 0.0)

    def _recolour(self) -> None:
        self.key.recolour()
        self._relight()

    # User actions

    def hover(self, number: int, item: int) -> None:
        """Ring an item in all panels, and colour by its true distances if the torch is on."""
        before, self.lit = self.lit, None if item < 0 else (number, item)
        if self.lit != before:
            self._relight()

    def _relight(self) -> None:
        picture = self._picture
        if picture is None or not picture.panels:
            return
        lit = self.lit
        if lit is None:
            for panel in self.panels:
                panel.points.hover(-1)
                panel.light(None)
                panel.card.hide()
            if self._key_text is not None:
                self._show_key()
            self.bar.mark(None)
            return
        number, item = lit
        here = picture.panels[number]
        light = here.torch.light(item, NEIGHBOURS) if self.torch.isChecked() else None
        # Once for all panels of the same table.
        colours = None if light is None else torch_colours(light, self.torch_table())
        for place, (panel, one) in enumerate(zip(self.panels, picture.panels, strict=False)):
            rows = self._rows(number, place)
            panel.points.hover(item if rows is None else int(rows[item]))
            if light is None or rows is None:
                panel.light(light, colours)
                continue
            there = carried(light, rows, one.matrix.n_items)
            panel.light(there, torch_colours(there, self.torch_table()))
        if light is not None or self._key_text is not None:
            self._show_key(light, here.matrix.item_ids[item])
        self._show_card(here, item, light)

    def _rows(self, here: int, there: int) -> Ints | None:
        """Rows of one panel's items in the table of another; None if both are the same."""
        if (here, there) not in self._carried:
            assert self._picture is not None
            panels = self._picture.panels
            self._carried[here, there] = rows_in(
                panels[here].matrix.item_ids, panels[there].matrix.item_ids
            )
        return self._carried[here, there]

    def _show_card(self, here: PanelPicture, item: int, light: Light | None) -> None:
        assert self.lit is not None
        panel, ids = self.panels[self.lit[0]], here.matrix.item_ids
        for other in self.panels:
            if other is not panel:
                other.card.hide()
        near = "" if light is None else ", ".join(ids[row] for row in light.neighbours[:NAMED])
        panel.card.show_at(
            panel.canvas.position_of(panel.points.place_of(item)),
            ids[item],
            item_lines(here.items, item),
            more=f"nearest: {near}" if near else "",
        )
        if light is None and here.items.values is not None:
            self.bar.mark(float(here.items.values[item]))

    def torch_table(self) -> Bytes:
        """Colours from near to far, so that near items stand out from the background."""
        table = palette_named(dict(self.palette_button.keys)[PaletteScheme.SEQUENTIAL]).table
        return table[::-1] if the_theme().dark else table

    def _select_class(self, number: int, how: Combine) -> None:
        picture, classes = self._picture, self.key.classes
        if picture is not None and classes is not None:
            ids = picture.reference.matrix.item_ids
            self.chosen.emit(Selection.where(classes.codes == number, ids), how)

    def _press(self, number: int, event: QKeyEvent) -> None:
        """Handle keys: tools, the torch, arrows to move between items, Space to select."""
        key, lit = Qt.Key(event.key()), self.lit
        if key is Qt.Key.Key_Space and lit is not None and lit[0] == number:
            self.panels[number].choose(lit[1], combine_of(event.modifiers()))
        elif event.modifiers() != Qt.KeyboardModifier.NoModifier:
            return
        elif key in TOOL_KEYS:
            self.take_tool(TOOL_KEYS[key])
        elif key is Qt.Key.Key_T:
            self.torch.toggle()
        elif key is Qt.Key.Key_Escape and lit is not None:
            self.hover(number, -1)
        elif key in WAYS:
            self.hover(number, self._next(number, WAYS[key]))
        else:
            return
        event.accept()

    def _next(self, number: int, way: tuple[int, int]) -> int:
        """Nearest item in a direction from the hovered one; the middle one at first."""
        assert self._picture is not None
        places = self._picture.panels[number].places
        lit = self.lit
        if lit is None or lit[0] != number:
            return int(np.nanargmin(np.square(places - np.nanmean(places, axis=0)).sum(axis=1)))
        steps = places - places[lit[1]]
        along = steps @ np.array(way, dtype=np.float64)
        aside = np.abs(steps @ np.array(way[::-1], dtype=np.float64))
        ahead = np.flatnonzero((along > 0.0) & (aside <= along))
        if not len(ahead):
            return lit[1]
        return int(ahead[np.hypot(along, aside)[ahead].argmin()])


def _note(picture: ComparePicture) -> str:
    """Note on what is still computed, or on panels without such colours; '' for none."""
    waits = next((one.items for one in picture.panels if one.items.waiting), None)
    if waits is not None:
        return note_text(waits)
    first = picture.reference.items
    without = [one.run.name for one in picture.panels if one.items.by != first.by]
    return f"Not in {', '.join(without)}" if without else ""


def columns_for(n: int, width: int, height: int) -> int:
    """Number of columns that leaves n panels the most room, each as a square.

    Fewer are preferred: a panel that is hardly smaller but wider has room for its name and figures.
    Never so many that its buttons would be cut.
    """
    sides = {
        columns: min(width / columns, height / ceil(n / columns) - HEAD)
        for columns in range(1, n + 1)
        if columns == 1 or width / columns >= LEAST_PANEL
    }
    enough = NEARLY * max(sides.values())
    return next((columns for columns, side in sides.items() if side >= enough), n)
