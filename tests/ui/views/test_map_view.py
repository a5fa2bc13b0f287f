"""The map view: layers, names, marks, what hovering says, and tori that can be moved."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.twins import FLAT
from tests.ui.maps_to_show import shown_of, some_matrix
from tests.ui.opened_views import drawn, opened
from ximstudio.maps import LAYERS, Layer, LayerEvidence, layer_named
from ximstudio.maps.classes import classes_of
from ximstudio.maps.palettes import PaletteScheme as Palettes
from ximstudio.maps.palettes import palette_named
from ximstudio.model import Grid, Matrix, PrototypeMap
from ximstudio.model.grid import Lattice
from ximstudio.pictures.map_texts import class_texts, item_texts
from ximstudio.prepare.input import Input
from ximstudio.session.shown import Shown
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.views.area import ViewArea
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.views.map.picture import HITS, ITEMS, MOST_POINTS, NODES, NOTHING, POINTS, MapPicture

pytestmark = pytest.mark.usefixtures("dressed")


@pytest.fixture
def view(qtbot: QtBot) -> MapView:
    return opened(qtbot, MapView)


def choose(view: MapView, shown: Shown, key: str, option: str = "") -> MapPicture:
    view.layers.choose(key, option)
    return drawn(view, shown)


def colour_at(view: MapView, node: int) -> QColor:
    """The colour of a node's cell near its corner, where no mark is."""
    image: QImage = view.canvas.grab().toImage()
    place = view.drawing.place_of(node) + QPointF(-0.42, -0.42)
    return image.pixelColor(view.canvas.position_of(place).toPoint())


def rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def drag(view: MapView, way: QPointF, keys: Qt.KeyboardModifier) -> None:
    """Drag the map by so many grid units."""
    port, button = view.canvas.viewport(), Qt.MouseButton.LeftButton
    begin = view.canvas.position_of(QPointF(3.0, 3.0))
    end = view.canvas.position_of(QPointF(3.0, 3.0) + way)
    kinds = QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease
    for kind, spot in zip(kinds, (begin, end, end), strict=True):
        held = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseButtonRelease else button
        there = port.mapToGlobal(spot)
        QApplication.sendEvent(port, QMouseEvent(kind, spot, there, button, held, keys))


def test_that_cells_have_the_colours_of_the_layer(view: MapView) -> None:
    shown = shown_of("som")
    picture = drawn(view, shown)
    assert picture.layer is not None
    assert picture.layer.key == "u_matrix"
    values = picture.layer.of(LayerEvidence(result=shown.result, matrix=shown.matrix), "")
    table = palette_named("viridis").table
    for node, colour in ((int(values.argmin()), table[0]), (int(values.argmax()), table[-1])):
        assert rgb(colour_at(view, node)) == tuple(colour.tolist())
    assert view.bar.limits == (values.min(), values.max())


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.key)
def test_that_every_layer_can_be_chosen(view: MapView, layer: Layer) -> None:
    shown = shown_of("c-xim")
    drawn(view, shown)
    picture = choose(view, shown, layer.key)
    assert picture.layer == layer
    evidence = LayerEvidence(result=shown.result, matrix=shown.matrix)
    np.testing.assert_array_equal(picture.values, layer.of(evidence, picture.option))


def test_that_any_feature_can_be_found_by_typing(view: MapView, qtbot: QtBot) -> None:
    shown = shown_of("som")
    drawn(view, shown)
    view.layers.choose("plane")
    assert view.layers.option == "heat"
    field = view.layers.which.lineEdit()
    assert field is not None
    field.selectAll()
    with qtbot.waitSignal(view.wanted):
        QTest.keyClicks(field, "salt")
        QTest.keyClick(field, Qt.Key.Key_Return)
    picture = drawn(view, shown)
    assert picture.option == "salt"
    assert isinstance(shown.result.model, PrototypeMap)
    np.testing.assert_array_equal(picture.values, shown.result.model.prototypes[:, 2])


def test_that_a_choice_is_kept_until_it_is_not_there(view: MapView) -> None:
    shown = shown_of("som")
    drawn(view, shown)
    choose(view, shown, "plane", "acid")
    assert drawn(view, shown_of("c-xim")).option == "acid"
    other = replace(some_matrix(), feature_names=("a", "b", "c", "d", "e"), item_labels={})
    result = replace(shown.result, feature_names=other.feature_names)
    assert drawn(view, Shown(result=result, matrix=other)).option == "a"
    drawn(view, shown)
    choose(view, shown, "classes")
    picture = drawn(view, Shown(result=result, matrix=other))
    assert picture.layer is LAYERS[0]
    assert view.layers.key == LAYERS[0].key


def test_that_an_old_picture_does_not_take_a_choice_back(view: MapView) -> None:
    shown = shown_of("som")
    old = drawn(view, shown)
    view.layers.choose("hits")
    view.draw(old)
    assert view.layers.key == "hits"
    assert drawn(view, shown).layer is layer_named("hits")


def test_that_a_request_keeps_the_options_it_was_made_with(view: MapView) -> None:
    shown = shown_of("som")
    drawn(view, shown)
    before = view.request()
    choose(view, shown, "hits")
    assert before(shown).layer is LAYERS[0]


@pytest.mark.parametrize("state", ["live", "finished"])
@pytest.mark.parametrize("key", ["trust", "continuity"])
def test_that_what_takes_long_is_waited_for(view: MapView, key: str, state: str) -> None:
    drawn(view, shown_of("som", state))
    picture = choose(view, shown_of("som", state), key)
    assert picture.values is None
    assert view.note.isVisible()
    assert not view.bar.isVisible()
    assert drawn(view, shown_of("som", "measured")).values is not None
    assert not view.note.isVisible()
    assert view.bar.isVisible()


def test_that_other_colours_can_be_chosen(view: MapView, qtbot: QtBot) -> None:
    shown = shown_of("som")
    node = int(np.asarray(drawn(view, shown).values).argmax())
    with qtbot.waitSignal(view.wanted):
        view.palette_button.choose("cividis")
    drawn(view, shown)
    assert rgb(colour_at(view, node)) == tuple(palette_named("cividis").table[-1].tolist())


def test_that_numbers_on_both_sides_of_zero_get_two_sided_colours(view: MapView) -> None:
    shown = shown_of("som")
    drawn(view, shown)
    picture = choose(view, shown, "plane", "heat")
    assert isinstance(shown.result.model, PrototypeMap)
    plane = shown.result.model.prototypes[:, 0]
    assert plane.min() < 0.0 < plane.max()
    assert picture.palette is not None
    assert picture.palette.scheme is Palettes.DIVERGING
    low, high = view.bar.limits
    assert low == -high


def test_that_hovering_names_the_members(view: MapView) -> None:
    shown = shown_of("som")
    picture = drawn(view, shown)
    node = int(picture.hits.argmax())
    place = view.drawing.place_of(node)
    view.canvas.hovered.emit(place)
    assert view.card.isVisible()
    assert shown.result.winners is not None
    members = np.flatnonzero(shown.result.winners == node)
    kinds = [some_matrix().item_labels["kind"][item] for item in members]
    lines = {line.name: line.value for line in view.card.lines}
    assert lines["Genes"] == str(len(members))
    for kind in set(kinds):
        assert lines[kind or "no label"] == str(kinds.count(kind))
    view.canvas.left.emit()
    assert not view.card.isVisible()
    assert view.drawing.map.hovered == -1


def test_that_arrow_keys_walk_the_nodes(view: MapView) -> None:
    picture = drawn(view, shown_of("som"))
    QTest.keyClick(view.canvas, Qt.Key.Key_Right)
    assert view.drawing.map.hovered == picture.hits.argmax()
    view.hover(0)
    for key, node in (("Right", 1), ("Down", 9), ("Left", 8), ("Up", 0), ("Up", 0)):
        QTest.keyClick(view.canvas, getattr(Qt.Key, f"Key_{key}"))
        assert view.drawing.map.hovered == node
        assert view.card.isVisible()
    QTest.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert view.drawing.map.hovered == -1


def test_that_a_map_without_nodes_leads_to_its_positions(view: MapView, qtbot: QtBot) -> None:
    picture = drawn(view, shown_of("pca"))
    assert picture.grid is None
    assert view.empty.isVisible()
    assert not view.canvas.isVisible()
    with qtbot.waitSignal(view.asked) as asked:
        view.empty.chosen.emit()
    assert asked.args == ["positions"]
    drawn(view, shown_of("som"))
    assert view.canvas.isVisible()


def test_that_hidden_classes_lose_their_pies_and_points(view: MapView) -> None:
    shown = shown_of("som")
    drawn(view, shown)
    with_points = view.canvas.grab().toImage()
    view.legend.toggle(0)
    assert view.canvas.grab().toImage() != with_points
    choose(view, shown, "classes")
    classes = classes_of(some_matrix().item_labels["kind"])
    nodes = np.asarray(shown.result.winners)[classes.codes == 0]
    empty = QColor(the_theme().colours.empty)
    others = set(np.asarray(shown.result.winners)[classes.codes != 0].tolist())
    node = next(int(node) for node in nodes if int(node) not in others)
    assert rgb(colour_at(view, node)) == rgb(empty)
    view.legend.toggle(0)
    assert rgb(colour_at(view, node)) != rgb(empty)


def test_that_marks_can_be_chosen(view: MapView) -> None:
    drawn(view, shown_of("som"))
    pictures = []
    for marks in (POINTS, NODES, HITS, NOTHING):
        view.marks.choose(marks)
        pictures.append(view.canvas.grab().toImage())
    for one, other in combinations(pictures, 2):
        assert one != other


def test_that_names_are_written(view: MapView, qtbot: QtBot) -> None:
    shown = shown_of("som")
    drawn(view, shown)
    classes = classes_of(some_matrix().item_labels["kind"])
    assert set(view.drawing.names.written) == set(classes.names[: classes.n_own])
    with qtbot.waitSignal(view.wanted):
        view.names.choose(ITEMS)
    drawn(view, shown)
    assert view.drawing.names.written
    assert all(text.split(" +")[0] in shown.matrix.item_ids for text in view.drawing.names.written)
    view.names.choose("")
    drawn(view, shown)
    assert view.drawing.names.written == ()


def test_that_a_group_across_the_seam_is_named_once() -> None:
    torus = Grid(rows=20, columns=20, toroidal=True)
    rng = np.random.default_rng(0)
    near_seam = np.mod(rng.normal(scale=0.5, size=(50, 2)), 20.0)
    classes = classes_of(("a",) * 50)
    once = class_texts(classes, near_seam, torus)
    assert once.texts == ("a",)
    assert once.priority.tolist() == [50.0]
    flat = class_texts(classes, near_seam, Grid(rows=20, columns=20))
    assert len(flat.texts) == 4


def test_that_a_class_in_two_places_is_named_twice() -> None:
    grid = Grid(rows=20, columns=20)
    places = np.concatenate([np.full((30, 2), 2.0), np.full((10, 2), 17.0), np.full((2, 2), 9.0)])
    texts = class_texts(classes_of(("a",) * 42), places, grid)
    assert texts.anchors.tolist() == [[2.0, 2.0], [17.0, 17.0]]
    assert texts.priority.tolist() == [30.0, 10.0]


def test_that_nodes_are_named_after_their_first_item() -> None:
    grid = Grid(rows=1, columns=4)
    positions = np.arange(10.0).reshape(5, 2)
    texts = item_texts("abcde", np.array([3, 1, 3, 3, 1]), positions, grid)
    assert texts.texts == ("a +2", "b +1")
    assert texts.anchors.tolist() == [[0.0, 1.0], [2.0, 3.0]]


@pytest.mark.parametrize("lattice", FLAT)
def test_that_a_torus_is_moved_by_dragging_with_shift(view: MapView, lattice: Lattice) -> None:
    shown = shown_of("som", toroidal=True, lattice=lattice.value)
    drawn(view, shown)
    assert view.shift.button.isVisible()
    node = view.drawing.map.node_at(2.0, 2.0 * (shown.result.model.grid.row_height))  # type: ignore[union-attr]
    before = view.drawing.place_of(node)
    seen = view.canvas.view.viewRange()
    drag(view, QPointF(3.2, 2.1), Qt.KeyboardModifier.ShiftModifier)
    assert (view.shift.rows, view.shift.columns) == (2, 3)
    moved = view.drawing.place_of(node) - before
    assert moved.x() == pytest.approx(3.0)
    assert view.canvas.view.viewRange() == seen
    # The shift stays while the map goes on training.
    drawn(view, shown_of("som", "live", toroidal=True, lattice=lattice.value))
    assert (view.shift.rows, view.shift.columns) == (2, 3)
    drawn(view, shown_of("som"))
    assert (view.shift.rows, view.shift.columns) == (0, 0)
    assert not view.shift.button.isVisible()


def test_that_hexagons_are_moved_by_pairs_of_rows(view: MapView) -> None:
    drawn(view, shown_of("som", toroidal=True, lattice="hexagonal"))
    view.shift.move(3, 1)
    assert view.shift.rows % 2 == 0


def test_that_a_flat_map_cannot_be_moved(view: MapView) -> None:
    drawn(view, shown_of("som"))
    view.shift.move(2, 2)
    drag(view, QPointF(2.0, 2.0), Qt.KeyboardModifier.ShiftModifier)
    assert (view.shift.rows, view.shift.columns) == (0, 0)


def test_that_a_torus_goes_on_beyond_its_borders(view: MapView) -> None:
    drawn(view, shown_of("som", toroidal=True))
    assert view.drawing.map.node_at(-1.0, 0.0) == -1
    view.shift.show_repeated(repeated=True)
    assert view.drawing.map.node_at(-1.0, 0.0) == 7


def test_that_a_zoom_is_kept_while_a_map_trains(view: MapView) -> None:
    drawn(view, shown_of("som", "live"))
    assert not view.reset.isEnabled()
    whole = view.canvas.view.viewRange()
    spot = view.canvas.position_of(QPointF(3.0, 3.0))
    view.canvas.view.scaleBy((0.5, 0.5))
    view.canvas.view.sigRangeChangedManually.emit([True, True])
    zoomed = view.canvas.view.viewRange()
    assert zoomed != whole
    drawn(view, shown_of("som"))
    assert view.canvas.view.viewRange() == zoomed
    assert view.reset.isEnabled()
    view.reset.click()
    assert view.canvas.view.viewRange() == whole
    assert view.canvas.position_of(QPointF(3.0, 3.0)) == spot


def test_that_another_map_is_seen_as_a_whole(view: MapView) -> None:
    drawn(view, shown_of("som"))
    view.canvas.view.scaleBy((0.2, 0.2))
    view.canvas.view.sigRangeChangedManually.emit([True, True])
    drawn(view, shown_of("som", shape=(4, 9)))
    (left, right), (top, bottom) = view.canvas.view.viewRange()
    assert left <= -0.5
    assert right >= 8.5
    assert top <= -0.5
    assert bottom >= 3.5


def test_that_the_sight_follows_the_size_of_the_pane(view: MapView) -> None:
    drawn(view, shown_of("som"))
    view.resize(500, 300)
    QApplication.processEvents()
    (left, right), (top, bottom) = view.canvas.view.viewRange()
    assert left <= -0.5
    assert right >= 7.5
    assert top <= -0.5
    assert bottom >= 5.5
    assert view.legend.isVisible()


def test_that_many_items_do_not_hide_the_map(view: MapView) -> None:
    shown = shown_of("som")
    many = MOST_POINTS + 1
    values = np.zeros((many, 5))
    matrix = Matrix.from_array(values)
    matrix = replace(matrix, feature_names=some_matrix().feature_names)
    result = replace(
        shown.result,
        item_ids=matrix.item_ids,
        winners=np.zeros(many, dtype=np.int64),
        positions=np.zeros((many, 2)),
    )
    drawn(view, Shown(result=result, matrix=matrix))
    assert not view.drawing.points.isVisible()
    view.marks.choose(POINTS)
    assert view.drawing.points.isVisible()


def test_that_a_person_can_train_and_look_at_layers(qtbot: QtBot) -> None:
    actions = Actions()
    area = ViewArea(actions)
    qtbot.addWidget(area)
    area.resize(900, 600)
    with qtbot.waitExposed(area):
        area.show()
    pane = area.panes[0]
    view = pane.view
    assert isinstance(view, MapView)

    def ends() -> None:
        qtbot.waitUntil(lambda: actions.jobs.idle, timeout=120_000)

    actions.open(Input(name="sample:yeast"))
    ends()
    assert view.empty.isVisible()
    actions.choose_method("som")
    actions.set_params(actions.session.plan.params.replace(shape=(6, 8), n_steps=2000))
    actions.train()
    ends()
    assert view.canvas.isVisible()
    # Pictures for a view that is not seen any more are on their way all the time.
    for _ in range(3):
        for key in ("positions", "quality", "map"):
            pane.show_view(key)
            QApplication.processEvents()
    view.layers.choose("trust")
    ends()
    assert not view.note.isVisible()
    actions.choose_method("pca")
    actions.train()
    ends()
    assert view.empty.isVisible()
    view.empty.chosen.emit()
    ends()
    assert isinstance(pane.view, PositionsView)
    assert pane.view.axes[0].isVisible()
    actions.delete_run(actions.session.runs[-1].key)
    actions.delete_run(actions.session.runs[-1].key)
    ends()
    assert pane.view.empty.isVisible()
    assert actions.jobs.close()
