"""Base of Features and Portraits: a gallery of planes, one of which can be enlarged."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QToolButton

from ximstudio.explore.planes import names_with
from ximstudio.model.arrays import Bools, Floats, Ints
from ximstudio.model.selection import Selection
from ximstudio.pictures.raster.frame import Pixels
from ximstudio.ui.views.common.chooser import Chooser
from ximstudio.ui.views.common.page import Key, page
from ximstudio.ui.views.common.plane_page import PlanePage
from ximstudio.ui.views.common.view import View
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drawing.tile_gallery import Tile, TileGallery
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.menu_buttons import PaletteButton, PickButton
from ximstudio.views.common.planes_picture import PlanesPicture
from ximstudio.views.common.state import COMMON, OWN, PlanesState

State = TypeVar("State", bound=PlanesState)

GALLERY, PLANE = range(2)
SEARCH = 72, 170
"""Minimum and maximum width of the search field."""


class PlanesView(View[State, PlanesPicture]):
    """Small maps side by side, each in the colours of one feature."""

    choice: ClassVar[str]
    """Accessible name of the drop-down."""
    action: ClassVar[str] = ""
    """Text of the button shown without planes, and the key of the view that it opens."""
    leads_to: ClassVar[str] = ""
    scalings: ClassVar[tuple[str, ...]] = PlanesState.scalings
    compares: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self._found: Ints = np.empty(0, dtype=np.int64)
        self._marked: Bools | None = None
        self._outline: Floats = np.empty((0, 2, 2))
        self._awaited = ""
        self.order = Chooser(self.choice)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search")
        self.search.setAccessibleName("Search by name")
        self.search.setClearButtonEnabled(True)
        self.search.addAction(
            icon("search", role="muted"), QLineEdit.ActionPosition.LeadingPosition
        )
        for part in self.search.findChildren(QToolButton):
            # Qt gives the icon and the clear button no names.
            part.setAccessibleName("Search")
            part.setToolTip("Search by name, or clear the search")
        self.search.setMinimumWidth(SEARCH[0])
        self.search.setMaximumWidth(SEARCH[1])
        self.palette_button = PaletteButton()
        self.scaling = PickButton(icon_name="settings", tip="Colour scale")
        self.gallery = TileGallery()
        self.gallery.setAccessibleName(self.kind.name)
        self.note = label(kind="badge", tone="accent")
        self.note.setParent(self.gallery)
        self.page = PlanePage(compares=self.compares)
        self._side = Key()
        self.bar = self._side.bar
        self._lay_out()
        self._connect()
        self.draw_nothing()

    def restore(self, state: State) -> None:
        self.palette_button.restore(state.palettes)
        self.order.restore(state.by, state.option)
        self.scaling.restore(state.scaling or None)
        with QSignalBlocker(self.search):
            self.search.setText(state.search)
        if self.enlarged and not state.enlarged:
            self.go_back()
        self._awaited = state.enlarged

    def _chosen(self) -> dict[str, Any]:
        """The user's choices, by the names of a state's fields."""
        by, option = self.order.wanted
        return {
            "palettes": self.palette_button.keys,
            "by": by,
            "option": option,
            "scaling": self.scaling.value or "",
            "search": self.search.text(),
            "enlarged": self._awaited or self.enlarged,
        }

    # Display

    def draw(self, picture: PlanesPicture) -> None:
        self._picture = picture
        if picture.refused is not None:
            self._show_empty(*picture.refused, action=self.action)
            return
        self._show_controls(picture)
        self._mark(picture)
        self._redraw()
        self._go_on_with_plane(picture)
        if self._awaited:
            self.enlarge(self._awaited)
            self._awaited = ""

    def _show_empty(self, title: str, text: str, *, action: str = "") -> None:
        self.page.forget()
        super()._show_empty(title, text, action=action)

    @property
    def is_drawn(self) -> bool:
        seen = self._stack.currentIndex() == GALLERY and self.gallery.isVisible()
        return not seen or self.gallery.is_drawn

    @property
    def selected_ids(self) -> frozenset[str]:
        picture = self._picture
        if picture is None or picture.refused is not None:
            return frozenset()
        return Selection.where(picture.chosen(self.selection), picture.matrix.item_ids).ids

    @property
    def enlarged(self) -> str:
        """Name of the enlarged plane; '' if all are shown."""
        return self.page.plane if self._stack.currentIndex() == PLANE else ""

    def enlarge(self, name: str) -> None:
        """Show one plane alone."""
        picture = self._picture
        if picture is not None and name in picture.names:
            self.page.show_plane(picture, picture.names.index(name), self._scaling)
            self._stack.setCurrentIndex(PLANE)
            self.page.canvas.setFocus()

    def go_back(self) -> None:
        """Show all planes again."""
        seen = self.page.plane
        self.page.forget()
        self._stack.setCurrentIndex(GALLERY)
        names = [tile.name for tile in self.gallery.tiles]
        if seen in names:
            self.gallery.go_to(names.index(seen))
        self.gallery.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self.note.move(spacing.MEDIUM, self.gallery.height() - self.note.height() - spacing.SMALL)

    # For subclasses

    def _offer(self, picture: PlanesPicture) -> None:
        """Fill the drop-down."""
        raise NotImplementedError

    # Internal

    @property
    def _scaling(self) -> str:
        if self.scaling.value is not None or len(self.scalings) == 1 or self._picture is None:
            return self.scaling.value or self.scalings[0]
        return COMMON if self._picture.scales is None else self._picture.scales.first

    def _lay_out(self) -> None:
        body = hbox((self.gallery, 1), self._side, gap=0)
        buttons = (self.search, self.palette_button, self.scaling)
        self._stack.addWidget(page(self.order, buttons, body))
        self._stack.addWidget(self.page)
        self._stack.addWidget(self.empty)
        self.scaling.setVisible(len(self.scalings) > 1)
        vbox(self._stack, into=self, margins=0)

    def _connect(self) -> None:
        self.order.chosen.connect(self.wanted)
        self.palette_button.chosen.connect(self.wanted)
        self.scaling.chosen.connect(self._rescale)
        self.search.textChanged.connect(self._redraw)
        self.gallery.opened.connect(lambda number: self.enlarge(self.gallery.tiles[number].name))
        self.page.left.connect(self.go_back)
        self.page.chosen.connect(self.chosen)
        self.empty.chosen.connect(lambda: self.asked.emit(self.leads_to))
        the_theme().follow(self._rescale)

    def _show_controls(self, picture: PlanesPicture) -> None:
        self._offer(picture)
        assert picture.scales is not None
        self.palette_button.show_scheme(picture.scales.common.scheme)
        options = {
            COMMON: "Same colour scale for all",
            OWN: f"Separate colour scale for every {picture.words.feature}",
        }
        self.scaling.show_options({key: options[key] for key in self.scalings}, self._scaling)
        self.note.setText(picture.note)
        self.note.adjustSize()
        self.note.setVisible(bool(picture.note))
        self.note.move(spacing.MEDIUM, self.gallery.height() - self.note.height() - spacing.SMALL)

    def _redraw(self, _: object = None) -> None:
        """Show the planes that match the search."""
        picture = self._picture
        if picture is None or picture.refused is not None:
            return
        names = picture.names
        self._found = np.array(names_with(names, self.search.text()), dtype=np.int64)
        captions = picture.captions or ("",) * len(names)
        self.gallery.show_tiles(
            [Tile(names[number], captions[number]) for number in self._found.tolist()],
            self._draw_tile,
            aspect=picture.tiles.aspect,
            cost=picture.tiles.n_points,
            overlay=self._draw_outline,
        )
        self._show_bar(picture)

    def _show_bar(self, picture: PlanesPicture) -> None:
        """Show the colour bar, if all planes share it."""
        common = self._scaling == COMMON
        self._side.show_parts(legend=False, bar=common, classes=False, room=self.width())
        self._side.setVisible(common)
        if common:
            inks = picture.inks(0, COMMON)
            blank = "blank" if picture.scales is not None and picture.scales.ends.blank else ""
            self.bar.show_scale(
                inks.table, low=inks.low, high=inks.high, name=picture.quantity, blank=blank
            )

    def _go_on_with_plane(self, picture: PlanesPicture) -> None:
        """Keep the enlarged plane, if it still exists."""
        seen = self.page.plane
        if seen and seen in picture.names:
            self.page.show_plane(picture, picture.names.index(seen), self._scaling)
            return
        self.page.forget()
        self._stack.setCurrentIndex(GALLERY)

    def _rescale(self) -> None:
        self._redraw()
        if self._picture is not None and self.enlarged:
            self._go_on_with_plane(self._picture)

    def _mark_selection(self) -> None:
        self.page.show_selection(self.selection)
        picture = self._picture
        if picture is not None and picture.refused is None:
            self._mark(picture)
            if picture.grid is None:
                self.gallery.repaint_all()
            else:
                self.gallery.repaint_overlay()

    def _mark(self, picture: PlanesPicture) -> None:
        """Compute the marks on every plane."""
        if picture.grid is None:
            self._marked = picture.chosen(self.selection) if self.selection else None
            self._outline = np.empty((0, 2, 2))
        else:
            self._marked = None
            self._outline = picture.tiles.outline(picture.chosen_nodes(self.selection))

    def _draw_tile(self, number: int, width: int, height: int, ratio: float) -> Pixels:
        picture = self._picture
        assert picture is not None
        plane = int(self._found[number])
        return picture.tiles.painted(
            np.ascontiguousarray(picture.values[plane]),
            picture.inks(plane, self._scaling),
            the_theme().colours,
            width=width,
            height=height,
            ratio=ratio,
            chosen=self._marked,
        )

    def _draw_outline(self, painter: QPainter, box: QRectF) -> None:
        """Draw lines around selected nodes, above a picture."""
        if not len(self._outline) or self._picture is None:
            return
        frame = self._picture.tiles.frame(round(box.width()), round(box.height()))
        scale = np.array([frame.scale_x, frame.scale_y])
        offset = np.array([frame.offset_x + box.left(), frame.offset_y + box.top()])
        ends = (self._outline * scale + offset).tolist()
        lines = [(QPointF(*one), QPointF(*two)) for one, two in ends]
        colours = the_theme().colours
        for colour, width in ((colours.surface, 3.0), (colours.text, 1.4)):
            pen = QPen(QColor(colour), width)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            for one, two in lines:
                painter.drawLine(one, two)
