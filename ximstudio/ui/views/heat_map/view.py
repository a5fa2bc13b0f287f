"""Heat map: the values of selected items as colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent

from ximstudio.model.selection import Combine, Selection
from ximstudio.pictures.colouring import colour_rows
from ximstudio.pictures.ticks import number_text
from ximstudio.session.shown import RenderRequest
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.views.common.chooser import Chooser, ChooserEntry
from ximstudio.ui.views.common.class_colours import class_colours, class_table, legend_entries
from ximstudio.ui.views.common.page import Key, page
from ximstudio.ui.views.common.view import View
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drawing.heat_layout import ClassStrip, HeatSide
from ximstudio.ui.widgets.drawing.heat_map import HeatMap
from ximstudio.ui.widgets.drawing.hover_card import HoverCard, Line
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label, tool_button
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.menu_buttons import PaletteButton, PickButton
from ximstudio.views.heat_map import HEAT_MAP
from ximstudio.views.heat_map.picture import (
    ALL,
    CHOSEN,
    CLUSTERED,
    LABEL,
    MAP,
    TABLE,
    Clustered,
    Coloured,
    HeatMapPicture,
    value_name,
)
from ximstudio.views.heat_map.state import HeatMapState


class HeatMapView(View[HeatMapState, HeatMapPicture]):
    """Items × features in colours; dragging over rows selects them."""

    kind = HEAT_MAP
    nothing = (
        "No heat map yet",
        "Train a map and select something on it to see its values as colours.",
    )

    def __init__(self) -> None:
        super().__init__()
        self._clustered, self._coloured = Clustered(), Coloured()
        self.order = Chooser("Order of rows")
        self.which = PickButton(icon_name="lasso", tip="Which rows are shown")
        self.columns = PickButton(icon_name="data", tip="Order of columns")
        self.palette_button = PaletteButton()
        self.reset = tool_button("reset", tip="Fit to the window")
        self.heat = HeatMap()
        self.heat.setAccessibleName(self.kind.name)
        self.card = HoverCard(self.heat)
        self.note = label(kind="caption", wrap=True)
        self.note.setContentsMargins(spacing.MEDIUM, 0, spacing.MEDIUM, 0)
        self._side = Key()
        self.bar, self.legend = self._side.bar, self._side.legend
        self._lay_out()
        self._connect()
        self.draw_nothing()

    @property
    def state(self) -> HeatMapState:
        by, label = self.order.wanted
        return HeatMapState(
            palettes=self.palette_button.keys,
            which=self.which.value or CHOSEN,
            by=by,
            label=label,
            columns_by=TABLE if self.columns.value is None else self.columns.value,
            hidden=self.legend.hidden,
        )

    def restore(self, state: HeatMapState) -> None:
        self.palette_button.restore(state.palettes)
        self.which.restore(None if state.which == CHOSEN else state.which)
        self.order.restore(state.by, state.label)
        self.columns.restore(None if state.columns_by == TABLE else state.columns_by)
        self.legend.restore(state.hidden)

    def request(self) -> RenderRequest[HeatMapPicture]:
        """Request the values of the selection, in order."""
        return self.state.request(self._memory, self._clustered, self._coloured, self.selection)

    def draw(self, picture: HeatMapPicture) -> None:
        self._picture = picture
        self._show_controls(picture)
        self._show_classes(picture)
        self.heat.show_table(
            picture.table,
            picture.palette.table,
            rows=HeatSide(
                names=[picture.rows.names[row] for row in picture.row_order.order.tolist()],
                strips=self._row_strips(picture),
                tree=picture.row_order.tree,
            ),
            columns=self._columns_side(picture),
        )
        self._show_note(picture.note)
        self._mark(picture)
        self._stack.setCurrentIndex(0)

    def _show_empty(self, title: str, text: str, *, action: str = "") -> None:
        self.card.hide()
        super()._show_empty(title, text, action=action)

    def draw_failed(self) -> None:
        """Replace the message that something is being computed."""
        super().draw_failed()
        self._show_note("" if self._picture is None else self._picture.note)

    @property
    def selected_ids(self) -> frozenset[str]:
        picture = self._picture
        if picture is None:
            return frozenset()
        chosen = self.selection.mask(picture.matrix.item_ids)
        if picture.selection == self.selection:
            chosen = chosen & (picture.rows.row_of >= 0)
        return Selection.where(chosen, picture.matrix.item_ids).ids

    def hover(self, row: int, column: int) -> None:
        """Show the card of a value; −1 for none."""
        picture = self._picture
        if picture is None or row < 0:
            self.card.hide()
            self.bar.mark(None)
            return
        value = picture.value(row, column)
        feature = picture.matrix.feature_names[int(picture.column_order.order[column])]
        self.card.show_at(
            self.heat.place_of(row, column),
            self.heat.rows.names[row],
            (
                Line(name=feature, value=number_text(value)),
                *self._label_lines(picture, row, column),
            ),
        )
        self.bar.mark(value)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        if self._picture is not None:
            self._show_key(self._picture)

    # Internal

    def _lay_out(self) -> None:
        drawing = vbox(self.note, (self.heat, 1), gap=0)
        body = hbox((drawing, 1), self._side, gap=0)
        buttons = (self.palette_button, self.which, self.columns, self.reset)
        self._stack.addWidget(page(self.order, buttons, body))
        self._stack.addWidget(self.empty)
        vbox(self._stack, into=self, margins=0)

    def _connect(self) -> None:
        for control in (self.order, self.which, self.columns):
            control.chosen.connect(self._ask)
        self.palette_button.chosen.connect(self.wanted)
        self.reset.clicked.connect(self.heat.reset)
        self.reset.setEnabled(False)
        self.heat.zoomed_changed.connect(lambda: self.reset.setEnabled(self.heat.zoomed))
        self.heat.hovered.connect(self.hover)
        self.heat.taken.connect(self._take)
        self.legend.shown_changed.connect(self._recolour)
        the_theme().follow(self._recolour)

    def _ask(self) -> None:
        """Request another picture, with a message if it takes long."""
        if CLUSTERED in (self.order.key, self.columns.value):
            self._show_note("Clustering…")
        self.wanted.emit()

    def _show_note(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _show_controls(self, picture: HeatMapPicture) -> None:
        words = picture.words
        items = words.items.capitalize()
        orders = {
            MAP: ("Map order", f"{items} next to their neighbours on the map."),
            CLUSTERED: ("Clustered", "Hierarchical clustering, with its tree."),
            TABLE: ("As in the table", f"{items} in the order of the table."),
        }
        choices = [
            ChooserEntry(key=key, name=name, about=about) for key, (name, about) in orders.items()
        ]
        if picture.row_labels:
            about = f"{items} of one class together."
            options = picture.row_labels
            choices.append(ChooserEntry(key=LABEL, name="By label", about=about, options=options))
        self.order.show_choices(choices, picture.by, picture.label)
        which = {CHOSEN: f"Selected {words.items} (all if none)", ALL: f"All {words.items}"}
        self.which.show_options(which, CHOSEN)
        columns = {TABLE: "As in the table", CLUSTERED: "Clustered"}
        columns |= {name: f"By label: {name}" for name in picture.column_classes}
        self.columns.show_options(columns, TABLE)
        self.palette_button.show_scheme(picture.scale.scheme)

    def _show_classes(self, picture: HeatMapPicture) -> None:
        self._side.show_classes(next(iter(picture.row_classes.values()), None))
        self._show_strips_key(picture)
        self._show_key(picture)

    def _show_strips_key(self, picture: HeatMapPicture) -> None:
        """Name the strips, and list the classes of all of them."""
        first, *others = picture.row_classes or ("",)
        further = {name: picture.row_classes[name] for name in others} | {
            name if name not in picture.row_classes else f"{name} ({picture.words.features})": each
            for name, each in picture.column_classes.items()
        }
        self._side.show_title(first)
        self._side.show_more({name: legend_entries(each) for name, each in further.items()})

    def _show_key(self, picture: HeatMapPicture) -> None:
        self._side.show_parts(
            legend=bool(picture.row_classes),
            bar=True,
            classes=bool(picture.row_classes or picture.column_classes),
            room=self.width(),
        )
        low, high = picture.scale.low, picture.scale.high
        name, blank = value_name(picture), "blank" if picture.table.has_blanks else ""
        self.bar.show_scale(picture.palette.table, low=low, high=high, name=name, blank=blank)

    def _row_strips(self, picture: HeatMapPicture) -> tuple[ClassStrip, ...]:
        """Classes of the rows, in order; those hidden in the legend are blank."""
        shown = self.legend.shown
        blank = colour_rows((the_theme().colours.empty,))[0]
        items = np.flatnonzero(picture.rows.row_of >= 0)
        strips = []
        for number, (name, classes) in enumerate(picture.row_classes.items()):
            codes = np.empty(len(picture.rows.names), dtype=np.int64)
            codes[picture.rows.row_of[items]] = classes.codes[items]
            colours = class_table(classes)
            if number == 0:
                colours = np.where(shown[:, None], colours, blank)
            strips.append(
                ClassStrip(name=name, codes=codes[picture.row_order.order], colours=colours)
            )
        return tuple(strips)

    def _columns_side(self, picture: HeatMapPicture) -> HeatSide:
        order = picture.column_order.order
        return HeatSide(
            names=[picture.matrix.feature_names[column] for column in order.tolist()],
            strips=tuple(
                ClassStrip(name=name, codes=classes.codes[order], colours=class_table(classes))
                for name, classes in picture.column_classes.items()
            ),
            tree=picture.column_order.tree,
        )

    def _recolour(self, _: object = None) -> None:
        picture = self._picture
        if picture is None:
            return
        self._side.recolour()
        self._show_strips_key(picture)
        self.heat.show_strips(self._row_strips(picture))
        self.heat.columns = self._columns_side(picture)

    def _label_lines(self, picture: HeatMapPicture, row: int, column: int) -> tuple[Line, ...]:
        lines, matrix = [], picture.matrix
        for number, every, labels in (
            (picture.item(row), picture.row_classes, matrix.item_labels),
            (picture.column_order.order[column], picture.column_classes, matrix.feature_labels),
        ):
            for name, classes in every.items():
                code = int(classes.codes[number])
                text = labels[name][number] or classes.names[code]
                lines.append(Line(name=name, value=text, colour=class_colours(classes)[code]))
        return tuple(lines)

    def _take(self, first: int, last: int, modifiers: Qt.KeyboardModifier) -> None:
        picture = self._picture
        if picture is not None:
            places = picture.place_of
            taken = (places >= first) & (places < last)
            how: Combine = combine_of(modifiers)
            self.chosen.emit(Selection.where(taken, picture.matrix.item_ids), how)

    def _mark_selection(self) -> None:
        if self._picture is not None:
            self._mark(self._picture)
        if self.which.value != ALL:
            self._ask()

    def _mark(self, picture: HeatMapPicture) -> None:
        """Mark rows with selected items, if there are others, too."""
        chosen = self.selection.mask(picture.matrix.item_ids)
        places = picture.place_of
        marked = np.zeros(len(picture.rows.names), dtype=np.bool_)
        marked[places[chosen & (places >= 0)]] = True
        self.heat.mark_rows(None if marked.all() else marked)
