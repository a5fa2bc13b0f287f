"""Marks and names on a map: where they are, whether they can be read, and what is left out."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.pictures.contrast import TEXT_CONTRAST, contrast
from tests.ui.maps_to_show import shown_of
from tests.ui.opened_views import drawn, opened
from ximstudio.model import Grid
from ximstudio.pictures.colouring import INKS, luminances
from ximstudio.ui.views.common.names import CountsItem
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.map.words import mark_options, mark_tips, name_tips
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.views.map.picture import HITS, ITEMS, NODES, POINTS, MapPicture

pytestmark = pytest.mark.usefixtures("dressed")


@pytest.fixture
def view(qtbot: QtBot) -> MapView:
    return opened(qtbot, MapView)


def marked(view: MapView, marks: str = "") -> MapPicture:
    """A map with these marks, or with those it has by itself."""
    picture = drawn(view, shown_of("som"))
    if marks:
        view.marks.choose(marks)
    view.canvas.grab()
    QApplication.processEvents()
    return picture


def map_on_canvas(view: MapView) -> QRectF:
    left, top, right, bottom = view.drawing.map.tiles.bounds
    corners = (view.canvas.position_of(QPointF(*spot)) for spot in ((left, top), (right, bottom)))
    return QRectF(*corners).adjusted(-1.0, -1.0, 1.0, 1.0)


def test_that_items_can_be_drawn_in_their_nodes(view: MapView) -> None:
    picture = marked(view, NODES)
    for item, winner in enumerate(picture.winners.tolist()):
        place = view.drawing.points.place_of(item)
        assert view.drawing.map.node_at(place.x(), place.y()) == winner
    marked(view, POINTS)
    places = [view.drawing.points.place_of(item) for item in range(len(picture.winners))]
    assert [(place.x(), place.y()) for place in places] == [
        tuple(position) for position in picture.shown.result.positions.tolist()
    ]


def test_that_every_kind_of_mark_says_what_it_is(view: MapView) -> None:
    picture = marked(view)
    tips = {action.data(): action.toolTip() for action in view.marks._menu.actions()}
    assert set(mark_options(picture)) == set(tips)
    assert mark_tips(picture).items() <= tips.items()
    names = {action.data(): action.toolTip() for action in view.names._menu.actions()}
    assert names[ITEMS] == name_tips(picture)[ITEMS]


def test_that_numbers_of_items_are_written_in_their_cells(view: MapView) -> None:
    picture = marked(view, HITS)
    some = picture.hits[picture.hits > 0]
    assert sorted(view.drawing.counts.written) == sorted(str(count) for count in some.tolist())
    assert not view.drawing.counts.left_out
    assert not view.note.isVisible()


def test_that_numbers_become_smaller_then_fewer_then_none(qtbot: QtBot) -> None:
    canvas, counts = Canvas(), CountsItem()
    qtbot.addWidget(canvas)
    canvas.add(counts)
    grid = Grid(rows=20, columns=20)
    numbers = np.arange(grid.n_nodes)
    colours = np.full((grid.n_nodes, 3), 255, dtype=np.uint8)
    written = []
    for size in (900, 300, 60):
        canvas.resize(size, size)
        canvas.view.setRange(QRectF(-0.5, -0.5, 20.0, 20.0))
        counts.show_counts(numbers, grid.nodes, colours)
        canvas.grab()
        written.append(counts.written)
        assert counts.left_out == (size < 900)
    everyone, fewer, none = written
    assert sorted(everyone, key=int) == [str(number) for number in range(1, 400)]
    assert set(fewer) < set(everyone)
    assert "399" in fewer
    assert none == ()


def test_that_a_note_tells_of_numbers_without_room(view: MapView) -> None:
    marked(view, HITS)
    counts = view.drawing.counts
    counts.left_out = True
    counts.left_out_changed.emit()
    QApplication.processEvents()
    assert view.note.isVisible()
    view.marks.choose(POINTS)
    assert not view.note.isVisible()


@pytest.mark.parametrize("palette", ["viridis", "greys", "magma"])
def test_that_numbers_can_be_read_on_every_colour(view: MapView, palette: str) -> None:
    view.palette_button.choose(palette)
    picture = marked(view, HITS)
    assert picture.colours is not None
    light = luminances(picture.colours)
    worst = min(
        max((level + 0.05) / 0.05, 1.05 / (level + 0.05)) for level in np.unique(light).tolist()
    )
    assert worst >= TEXT_CONTRAST
    cells = {
        int(number): "#{:02X}{:02X}{:02X}".format(*picture.colours[number, :3].tolist())
        for number in np.flatnonzero(picture.hits)
    }
    chosen = [max(INKS, key=lambda ink: contrast(ink, cell)) for cell in cells.values()]
    assert sorted(chosen) == sorted(view.drawing.counts.inks)


@pytest.mark.parametrize("names", ["kind", ITEMS])
@pytest.mark.parametrize("size", [(900, 560), (420, 300)])
def test_that_names_stay_on_the_map(view: MapView, names: str, size: tuple[int, int]) -> None:
    view.resize(*size)
    marked(view)
    view.names.choose(names)
    marked(view)
    assert view.drawing.names.written
    edges = map_on_canvas(view)
    for box in view.drawing.names.boxes:
        assert edges.contains(box)


@pytest.mark.parametrize("marks", [POINTS, NODES, HITS])
def test_that_names_of_items_do_not_cover_their_marks(view: MapView, marks: str) -> None:
    marked(view)
    view.names.choose(ITEMS)
    picture = marked(view, marks)
    ids = {name: item for item, name in enumerate(picture.matrix.item_ids)}
    grid = picture.grid
    assert grid is not None
    assert view.drawing.names.written
    for text, box in zip(view.drawing.names.written, view.drawing.names.boxes, strict=True):
        item = ids[text.split(" +")[0]]
        place = picture.shown.result.positions[item]
        if marks != POINTS:
            place = grid.nodes[int(picture.winners[item])]
        assert not box.contains(view.canvas.position_of(QPointF(*place.tolist())))


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_that_names_have_a_halo_of_full_contrast(view: MapView, scheme: Scheme) -> None:
    the_theme().choose(scheme)
    marked(view)
    colours = the_theme().colours
    assert contrast(colours.text, colours.surface) >= TEXT_CONTRAST
    image = view.canvas.grab().toImage()
    for box in view.drawing.names.boxes:
        inside = [
            image.pixelColor(x, y).name()
            for x in range(int(box.left()), int(box.right()))
            for y in range(int(box.top()), int(box.bottom()))
        ]
        assert colours.text.lower() in inside
        assert inside.count(colours.surface.lower()) > 0.2 * len(inside)
