"""The compare view: panels that agree in colours, selection, hover and place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.compared import compared, four_runs
from tests.ui.explored import clustered
from tests.ui.maps_to_show import run_of, some_matrix
from tests.ui.opened_views import opened
from ximstudio.explore.similar import distances_from
from ximstudio.maps.aligned import aligned
from ximstudio.maps.orientation import Orientation
from ximstudio.maps.palettes import coloured
from ximstudio.measure.neighbourhoods import item_continuity, item_trust
from ximstudio.model.matrix import Matrix
from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import Combine, Selection
from ximstudio.session import Run
from ximstudio.session.shown import Shown
from ximstudio.train import method_named, train
from ximstudio.ui.views.compare.maps_page import NEIGHBOURS, columns_for
from ximstudio.ui.views.compare.panel import ComparePanel
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.ui.widgets.drawing.canvas import Tool
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.views.compare.picture import ComparePicture
from ximstudio.views.compare.true_distances import Torch

pytestmark = pytest.mark.usefixtures("dressed")

SIZE = (900, 640)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[CompareView]:
    view = opened(qtbot, CompareView, SIZE)
    yield view
    the_theme().choose(Scheme.LIGHT)


def drawn(view: CompareView, shown: Shown) -> ComparePicture:
    picture = view.request()(shown)
    assert isinstance(picture, ComparePicture)
    view.draw(picture)
    while not view.is_drawn:
        QApplication.processEvents()
    QApplication.processEvents()
    view.grab()
    return picture


def part_of(run: Run, rows: np.ndarray, key: str) -> Run:
    """A run of some of the items only, in another order."""
    matrix = run.matrix.items(rows)
    params = run.result.params
    result = train(matrix, method_named(run.result.method), params)
    return replace(run, key=key, name=key, result=result, matrix=matrix, measures={}, evidence=None)


def test_that_nothing_to_compare_says_how_to_get_something(view: CompareView) -> None:
    assert view.empty.title == "Nothing to compare yet"
    drawn(view, replace(compared(run_of("som")), compared=()))
    assert view.empty.isVisible()
    view.pages.button("sweep").click()
    assert view.sweep.isVisible()


@pytest.mark.parametrize("count", range(1, 7))
def test_that_there_is_a_panel_for_every_run(view: CompareView, count: int) -> None:
    keys = ("som", "pca", "c-xim", "xom", "t-xim", "ne-xom")[:count]
    drawn(view, compared(*(run_of(key) for key in keys)))
    assert [panel.picture.run.name for panel in view.maps.panels if panel.picture] == list(keys)
    assert view.maps.morph.isVisible() == (count > 1)
    boxes = [panel.geometry() for panel in view.maps.panels]
    for number, box in enumerate(boxes):
        assert box.width() > 100
        assert box.height() > 100
        assert not any(box.intersects(other) for other in boxes[:number])


def test_that_panels_take_the_shape_of_the_room() -> None:
    assert columns_for(2, 900, 400) == 2
    assert columns_for(2, 400, 900) == 1
    assert columns_for(4, 800, 800) == 2
    assert columns_for(6, 1200, 700) == 3
    assert columns_for(4, 770, 440) == 2
    assert columns_for(4, 1600, 300) == 4
    assert columns_for(3, 10, 10) in (1, 2, 3)
    # Where a row would leave each more room, but none for its buttons.
    assert columns_for(4, 204, 149) == 2


def test_that_maps_are_turned_to_the_first(view: CompareView) -> None:
    picture = drawn(view, compared(*four_runs()))
    reference = picture.reference.places
    for panel in picture.panels[1:]:
        result = panel.run.result
        first = picture.reference.run.result
        found = aligned(result, first.item_ids, reference)
        np.testing.assert_array_equal(panel.places, found.positions)
        assert panel.turn == found.turn
    # What is drawn are these places, and cells lie below their items.
    for shown, panel in zip(view.maps.panels, picture.panels, strict=True):
        for item in (0, 17, 42):
            place = shown.points.place_of(item)
            np.testing.assert_allclose(place.toTuple(), panel.places[item])
            winners = panel.run.result.winners
            if winners is not None:
                node = int(winners[item])
                there = shown.nodes.tiles.places[shown.nodes.tiles.nodes == node][0]
                assert np.hypot(*(there - panel.places[item])) < 1.5


def test_that_a_map_that_is_turned_comes_back_to_itself(view: CompareView) -> None:
    run = run_of("som")
    model = run.result.model
    assert isinstance(model, PrototypeMap)
    turn = Orientation(flipped_x=True, swapped=True)
    moved = turn.moved(run.result.positions, model.grid)
    # The same items, a quarter turned, on a map without nodes: it leads.
    leading = replace(run_of("pca"), result=replace(run_of("pca").result, positions=moved))
    panel = drawn(view, compared(leading, run)).panels[1]
    assert panel.turn == turn
    np.testing.assert_allclose(panel.places, moved)


def test_that_another_panel_may_lead(view: CompareView) -> None:
    som, xim = run_of("som"), run_of("c-xim")
    there = drawn(view, compared(som, xim)).panels[1]
    back = drawn(view, compared(xim, som)).panels[0]
    assert back.turn is not None
    assert not back.turn.turns
    assert there.run is back.run


@pytest.mark.parametrize("key", ["label", "feature", "trust", "continuity", "plain"])
def test_that_one_key_of_colours_holds_for_all_panels(view: CompareView, key: str) -> None:
    shown = compared(*four_runs())
    drawn(view, shown)
    view.maps.colouring.choose(key)
    picture = drawn(view, shown)
    items = [panel.items for panel in picture.panels]
    assert {one.by for one in items} == {key}
    if items[0].scale is not None:
        assert len({(one.scale.low, one.scale.high) for one in items if one.scale}) == 1
        low, high = view.maps.bar.limits
        for one in items:
            assert one.scale is not None
            assert one.values is not None
            assert (one.scale.low, one.scale.high) == (low, high)
            assert one.palette is not None
            expected = coloured(one.values, one.palette.table, low=low, high=high, blank=(0, 0, 0))
            known = ~np.isnan(one.values)
            assert one.colours is not None
            np.testing.assert_array_equal(one.colours[known, :3], expected[known])


def test_that_colours_of_single_items_average_to_the_measure(view: CompareView) -> None:
    shown = compared(*four_runs())
    for key, name, measure in (
        ("trust", "trustworthiness", item_trust),
        ("continuity", "continuity", item_continuity),
    ):
        drawn(view, shown)
        view.maps.colouring.choose(key)
        for panel in drawn(view, shown).panels:
            assert panel.run.evidence is not None
            assert panel.items.values is not None
            np.testing.assert_array_equal(panel.items.values, measure(panel.run.evidence.ranks))
            told = panel.run.measures[name].value
            assert panel.items.values.mean() == pytest.approx(told, abs=1e-12)


def test_that_a_selection_is_the_same_in_all_panels(view: CompareView) -> None:
    other = part_of(run_of("som"), np.arange(59, 9, -1), "part")
    drawn(view, compared(*four_runs(), other))
    ids = some_matrix().item_ids
    rng = np.random.default_rng(0)
    for share in (0.05, 0.4, 1.0, 0.0):
        chosen = Selection.where(rng.random(len(ids)) < share, ids)
        view.show_selection(chosen)
        assert view.selected_ids == chosen.ids
        for panel in view.maps.panels:
            assert panel.picture is not None
            assert panel.selected_ids == chosen.ids & set(panel.picture.matrix.item_ids)


def lit_in(view: CompareView) -> tuple[int, int] | None:
    return view.maps.lit


def canvas_spot(panel: ComparePanel, item: int) -> QPoint:
    return panel.canvas.position_of(panel.points.place_of(item)).toPoint()


def test_that_clicks_and_lassos_in_any_panel_select(view: CompareView) -> None:
    drawn(view, compared(*four_runs()))
    heard: list[tuple[Selection, Combine]] = []
    view.chosen.connect(lambda chosen, how: heard.append((chosen, how)))
    ids = some_matrix().item_ids
    for panel in view.maps.panels:
        item = 42
        spot = canvas_spot(panel, item)
        at = panel.points.point_at(*panel.canvas.place_of(QPointF(spot)).toTuple())
        QTest.mouseClick(panel.canvas.viewport(), Qt.MouseButton.LeftButton, pos=spot, delay=10)
        QTest.qWait(10)
        assert heard[-1][0].ids == {ids[at]}

    view.maps.take_tool(Tool.LASSO)
    panel = view.maps.panels[1]
    assert panel.picture is not None
    (left, top), (right, bottom) = (
        panel.picture.places.min(axis=0) - 0.3,
        panel.picture.places.max(axis=0) + 0.3,
    )
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    spots = [panel.canvas.position_of(QPointF(*corner)).toPoint() for corner in corners]
    port = panel.canvas.viewport()
    button, held = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
    QTest.mousePress(port, button, held, spots[0])
    for spot in spots[1:]:
        QTest.mouseMove(port, spot)
    QTest.mouseRelease(
        port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, spots[-1]
    )
    chosen, how = heard[-1]
    assert how is Combine.ADD
    assert chosen.ids == set(ids)


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_that_the_torch_colours_by_true_distances(view: CompareView, scheme: Scheme) -> None:
    the_theme().choose(scheme)
    picture = drawn(view, compared(*four_runs()))
    view.maps.torch.setChecked(True)
    before = [panel.points.colours.copy() for panel in view.maps.panels]
    for item in (3, 40, 59):
        view.maps.hover(2, item)
        reference = picture.panels[2].run
        distances = distances_from(reference.matrix, reference.result.params, item)
        low, high = view.maps.bar.limits
        table = view.maps.torch_table()
        expected = coloured(distances, table, low=low, high=high, blank=(0, 0, 0))
        near = np.argsort(np.where(np.arange(60) == item, np.inf, distances), kind="stable")
        for panel in view.maps.panels:
            assert panel.points.hovered == item
            np.testing.assert_array_equal(panel.points.colours[:, :3], expected)
            np.testing.assert_array_equal(panel.points.ringed, near[:NEIGHBOURS])
        assert low == pytest.approx(distances[near[0]])
        cards = [panel.card.isVisible() for panel in view.maps.panels]
        assert cards == [False, False, True, False]
    view.maps.hover(2, -1)
    for panel, colours in zip(view.maps.panels, before, strict=True):
        np.testing.assert_array_equal(panel.points.colours, colours)
        assert not len(panel.points.ringed)
        assert panel.points.hovered == -1


def test_that_the_mouse_lights_the_torch_and_leaving_puts_it_out(view: CompareView) -> None:
    drawn(view, compared(run_of("som"), run_of("pca")))
    panel = view.maps.panels[1]
    QTest.keyClick(panel.canvas, Qt.Key.Key_T)
    assert view.maps.torch.isChecked()
    spot = canvas_spot(panel, 12)
    QTest.mouseMove(panel.canvas.viewport(), spot)
    QTest.mouseMove(panel.canvas.viewport(), spot + QPoint(1, 0))
    QApplication.processEvents()
    assert view.maps.lit is not None
    item = view.maps.lit[1]
    assert view.maps.panels[0].points.hovered == item
    assert len(view.maps.panels[0].points.ringed) == NEIGHBOURS
    panel.canvas.left.emit()
    assert lit_in(view) is None
    assert not len(view.maps.panels[0].points.ringed)


def test_that_the_keyboard_walks_and_chooses(view: CompareView) -> None:
    picture = drawn(view, compared(run_of("som"), run_of("pca")))
    heard: list[tuple[Selection, Combine]] = []
    view.chosen.connect(lambda chosen, how: heard.append((chosen, how)))
    canvas, places = view.maps.panels[1].canvas, picture.panels[1].places
    seen = []
    for key, axis, sign in (
        (Qt.Key.Key_Right, 0, 1.0),
        (Qt.Key.Key_Right, 0, 1.0),
        (Qt.Key.Key_Up, 1, -1.0),
        (Qt.Key.Key_Left, 0, -1.0),
        (Qt.Key.Key_Down, 1, 1.0),
    ):
        QTest.keyClick(canvas, key)
        lit = lit_in(view)
        assert lit is not None
        seen.append(lit[1])
        if len(seen) > 1:
            moved = places[seen[-1]] - places[seen[-2]]
            assert sign * moved[axis] > 0.0 or seen[-1] == seen[-2]
        assert view.maps.panels[0].points.hovered == lit[1]
    QTest.keyClick(canvas, Qt.Key.Key_Space)
    assert heard[-1][0].ids == {some_matrix().item_ids[seen[-1]]}
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert lit_in(view) is None


def test_that_far_values_keep_the_digits_of_the_torch() -> None:
    rng = np.random.default_rng(2)
    matrix = Matrix.from_array(1e8 + rng.normal(size=(50, 6)))
    params = method_named("som").params()
    torch = Torch.of(matrix, params)
    for item in range(50):
        np.testing.assert_allclose(
            torch.distances(item), distances_from(matrix, params, item), rtol=1e-5, atol=1e-6
        )


def test_that_the_torch_carries_over_to_another_table(view: CompareView) -> None:
    rows = np.arange(59, 19, -1)
    whole, part = run_of("som"), part_of(run_of("som"), rows, "part")
    drawn(view, compared(whole, part))
    view.maps.torch.setChecked(True)
    item = 30
    view.maps.hover(0, item)
    there = view.maps.panels[1]
    place = int(np.flatnonzero(rows == item)[0])
    assert there.points.hovered == place
    here = view.maps.panels[0].points.colours
    np.testing.assert_array_equal(there.points.colours, here[rows])
    view.maps.hover(0, 5)
    assert there.points.hovered == -1
    # Whoever leads: the key names what is under the mouse.
    drawn(view, compared(part, whole))
    for item in (5, 55):
        view.maps.hover(1, item)
        assert view.maps.bar.toolTip().endswith(some_matrix().item_ids[item])
    drawn(view, compared(whole, part))
    # From the part's side, items it lacks have no distance.
    view.maps.hover(1, place)
    greys = view.maps.panels[0].points.colours[:20]
    assert len(np.unique(greys, axis=0)) == 1


@pytest.mark.parametrize("metric", ["euclidean", "correlation", "cosine"])
@pytest.mark.parametrize("blanks", [0.0, 0.1, 0.9])
def test_that_the_torch_knows_the_metric_and_blanks(metric: str, blanks: float) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(40, 12)) + 3.0
    lost = rng.random(values.shape) < blanks
    # Every item keeps something that varies.
    lost[:, :2] = False
    lost[0], lost[1] = np.arange(12) >= 6, np.arange(12) < 6
    values[lost] = np.nan
    matrix = Matrix.from_array(values)
    params = method_named("c-xim").params().replace(metric=metric)
    torch = Torch.of(matrix, params)
    for item in range(40):
        expected = distances_from(matrix, params, item)
        found = torch.distances(item)
        np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
        # Roots of what rounding leaves of squares.
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-7)
    assert np.isnan(torch.distances(0)[1])


def test_that_the_slider_moves_items_to_where_the_first_panel_has_them(view: CompareView) -> None:
    part = part_of(run_of("xom"), np.arange(10, 60), "part")
    whole = run_of("som")
    picture = drawn(view, compared(part, whole))
    own = picture.panels[1].places
    there = picture.panels[1].elsewhere
    moved = view.maps.panels[1].points
    view.maps.morph.setValue(100)
    for item in range(60):
        place = np.array(moved.place_of(item).toTuple())
        # The first panel lacks the first ten: they stay.
        np.testing.assert_allclose(place, own[item] if item < 10 else there[item], atol=1e-9)
    first = view.maps.panels[0].points
    np.testing.assert_allclose(first.place_of(0).toTuple(), picture.reference.places[0])
    view.maps.morph.setValue(0)
    np.testing.assert_allclose(moved.place_of(30).toTuple(), own[30])
    # Where the first panel has them, in the same shape.
    reference = picture.reference.places
    ratio = (there[20] - there[40]) / (reference[10] - reference[30])
    assert ratio[0] == pytest.approx(ratio[1])


def test_that_items_of_a_torus_go_the_short_way(view: CompareView) -> None:
    one = run_of("som", name="one", toroidal=True)
    two = run_of("c-xim", name="two", toroidal=True)
    panel = drawn(view, compared(one, two)).panels[1]
    assert panel.grid is not None
    ways = np.abs(panel.elsewhere - panel.places)
    assert (ways <= np.array(panel.grid.periods) / 2.0 + 1e-9).all()
    assert panel.turn is not None


def test_that_classes_have_their_colours_in_all_panels(view: CompareView) -> None:
    whole, part = run_of("som"), part_of(run_of("som"), np.arange(59, 29, -1), "part")
    picture = drawn(view, compared(whole, part))
    first, other = (panel.points.colours for panel in view.maps.panels)
    np.testing.assert_array_equal(other, first[np.arange(59, 29, -1)])
    assert picture.panels[1].items.by == "label"


def test_that_the_first_panel_decides_what_colours_tell(view: CompareView) -> None:
    shown = compared(clustered("som"), run_of("pca"))
    drawn(view, shown)
    view.maps.colouring.choose("clusters")
    picture = drawn(view, shown)
    assert [one.items.by for one in picture.panels] == ["clusters", "plain"]
    assert view.maps.note.text() == "Not in pca"
    assert len(np.unique(view.maps.panels[1].points.colours, axis=0)) == 1


def test_that_nothing_is_drawn_or_kept_without_need(view: CompareView) -> None:
    runs = four_runs()
    drawn(view, compared(*runs))
    picture = drawn(view, compared(*runs))
    assert view.request()(compared(*runs)) is picture
    view.request()(compared(*runs[:2]))
    assert set(view._compared.by_run) == {run.result for run in runs[:2]}
    assert len(view._compared.torches) == 1
    view.draw_nothing()
    assert view.maps.panels == []


def test_that_the_pin_stays_with_the_first_panel(view: CompareView) -> None:
    drawn(view, compared(run_of("som"), run_of("pca")))
    heard: list[str] = []
    view.maps.led.connect(heard.append)
    first, second = view.maps.panels
    first.lead.click()
    second.lead.click()
    assert heard == ["run-pca"]
    assert first.lead.isChecked()
    assert not second.lead.isChecked()


def test_that_a_table_of_runs_that_are_not_measured_yet_waits(view: CompareView) -> None:
    drawn(view, compared(run_of("som"), run_of("pca")))
    view.pages.button("measures").click()
    drawn(view, compared(run_of("c-xim", state="finished"), run_of("xom", state="finished")))
    model = view.measures.table.model()
    assert model.columnCount() == 2
    assert model.headerData(0, Qt.Orientation.Horizontal) == "c-xim"
    assert "Not all runs are measured" in view.measures.hint.text()


def test_that_hidden_classes_are_hidden_in_all_panels(view: CompareView) -> None:
    drawn(view, compared(*four_runs()))
    classes = view.maps.panels[0].picture.items.classes  # type: ignore[union-attr]
    assert classes is not None
    view.maps.legend.toggle(1)
    hidden = np.flatnonzero(classes.codes == 1)
    for panel in view.maps.panels:
        for item in hidden.tolist():
            place = panel.points.place_of(item)
            assert panel.points.point_at(place.x(), place.y(), reach=0.0) not in hidden


def test_that_the_table_and_curves_are_of_the_compared_runs(view: CompareView) -> None:
    runs = four_runs()
    other = replace(compared(*runs[:2]), runs=runs)
    picture = drawn(view, other)
    view.pages.button("measures").click()
    table = picture.quality.table
    assert table is not None
    assert table.names == ("pca", "som")
    assert table.rows[-1].title == "Training time (s)"
    assert set(view.measures.curves.keys) == {
        f"run-{key} {part}" for key in ("pca", "som") for part in ("trust", "continuity")
    }
    assert not view.measures.which.isVisible()
    assert "bold" in view.measures.hint.text()


def test_that_runs_of_other_data_are_seen_but_not_judged(view: CompareView) -> None:
    part = part_of(run_of("som"), np.arange(40), "part")
    picture = drawn(view, compared(run_of("som"), part))
    assert len(picture.panels) == 2
    assert picture.quality.table is not None
    assert picture.quality.table.names == ("som",)
    view.pages.button("measures").click()
    assert "part" in view.measures.others.text()
