"""The heat map: which rows it has, in which order, and how they are chosen."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import result_of, shown_of, some_matrix
from tests.ui.opened_views import opened
from ximstudio.model import Matrix
from ximstudio.model.arrays import Floats
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.pictures.cache import PictureCache
from ximstudio.pictures.raster.heat_raster import Codes, heat_codes
from ximstudio.session.shown import Shown
from ximstudio.ui.views.heat_map.view import HeatMapView
from ximstudio.views.heat_map import picture as heat_map
from ximstudio.views.heat_map import rows as heat_map_rows
from ximstudio.views.heat_map.picture import (
    ALL,
    CLUSTERED,
    LABEL,
    TABLE,
    Clustered,
    Coloured,
    HeatMapPicture,
    value_scale,
)
from ximstudio.views.heat_map.state import HeatMapState

pytestmark = pytest.mark.usefixtures("dressed")
IDS = some_matrix().item_ids
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def view(qtbot: QtBot) -> HeatMapView:
    return opened(qtbot, HeatMapView)


def drawn(view: HeatMapView, shown: Shown | None = None) -> HeatMapPicture:
    picture = view.request()(shown_of("som") if shown is None else shown)
    view.draw(picture)
    view.grab()
    assert isinstance(picture, HeatMapPicture)
    return picture


def row_names(view: HeatMapView) -> list[str]:
    return list(view.heat.rows.names)


@given(st.sets(st.sampled_from(IDS)), st.sampled_from(["som", "pca"]), st.booleans())
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_that_the_rows_are_what_is_chosen(
    view: HeatMapView, chosen: set[str], method: str, also_strange: bool
) -> None:
    strange = {"of another table"} if also_strange else set()
    view.show_selection(Selection.of(chosen | strange))
    drawn(view, shown_of(method))

    assert set(row_names(view)) == (chosen or set(IDS))
    assert len(row_names(view)) == len(chosen or IDS)
    assert view.selected_ids == chosen


def test_that_another_selection_asks_for_another_picture(qtbot: QtBot, view: HeatMapView) -> None:
    drawn(view)
    with qtbot.waitSignal(view.wanted):
        view.show_selection(Selection.of(IDS[:3]))
    assert view.selected_ids == set(IDS[:3])


def test_that_all_rows_can_be_seen_with_the_chosen_ones_marked(view: HeatMapView) -> None:
    drawn(view)
    view.which.choose(ALL)
    view.show_selection(Selection.of(IDS[10:14]))
    drawn(view)

    assert set(row_names(view)) == set(IDS)
    assert view.selected_ids == set(IDS[10:14])
    assert view.heat._marked is not None
    marked = [row_names(view)[row] for row in np.flatnonzero(view.heat._marked)]
    assert set(marked) == set(IDS[10:14])


def test_that_values_stand_where_their_names_say(view: HeatMapView) -> None:
    view.show_selection(Selection.of(IDS[::4]))
    drawn(view)
    for by in (CLUSTERED, TABLE):
        view.order.choose(by)
        view.columns.choose(CLUSTERED)
        picture = drawn(view)
        matrix = some_matrix()
        for row, name in enumerate(row_names(view)):
            for column, feature in enumerate(view.heat.columns.names):
                wanted = matrix.values[IDS.index(name), matrix.feature_names.index(feature)]
                assert picture.value(row, column) == pytest.approx(wanted, nan_ok=True)
                assert (picture.table.codes[row, column] == 0) == bool(np.isnan(wanted))


def test_that_rows_come_as_in_the_table_by_class_or_along_the_map(view: HeatMapView) -> None:
    picture = drawn(view)
    winners = picture.shown.result.winners
    assert winners is not None
    nodes = [int(winners[IDS.index(name)]) for name in row_names(view)]
    # Items of one node are together.
    assert sum(one != two for one, two in pairwise(nodes)) + 1 == len(set(nodes))
    view.order.choose(TABLE)
    drawn(view)
    assert tuple(row_names(view)) == IDS
    view.order.choose(LABEL, "kind")
    drawn(view)
    texts = [some_matrix().item_labels["kind"][IDS.index(name)] for name in row_names(view)]
    assert texts == sorted(texts, key=lambda text: (text == "", text))


def test_that_a_tree_is_drawn_for_what_is_clustered_only(view: HeatMapView) -> None:
    drawn(view)
    assert not view.heat.layout_now().sheet.rows.tree
    view.order.choose(CLUSTERED)
    picture = drawn(view)
    assert view.heat.layout_now().sheet.rows.tree
    tree = picture.row_order.tree
    assert tree.shape == (3 * (len(IDS) - 1), 2, 2)
    assert (tree[..., 0].min(), tree[..., 0].max()) == (0.0, 1.0)
    leaves = tree[tree[..., 0] == 0.0][:, 1]
    assert set(np.unique(leaves).tolist()) >= {0.5, len(IDS) - 0.5}


def test_that_too_many_rows_become_means_of_nodes(
    view: HeatMapView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heat_map_rows, "MOST_ITEMS", 50)
    picture = drawn(view)
    winners, values = picture.shown.result.winners, some_matrix().values
    assert winners is not None
    assert picture.rows.means
    assert picture.note
    assert len(row_names(view)) == len(np.unique(winners))
    for row, node in enumerate(np.unique(winners).tolist()):
        members = values[winners == node]
        known = ~np.isnan(members).all(axis=0)
        slow = np.nanmean(members[:, known], axis=0)
        np.testing.assert_allclose(picture.rows.values[row, known], slow)
    # Taking a row takes its members.
    taken: list[Selection] = []
    view.chosen.connect(lambda selection, _: taken.append(selection))
    view.heat.taken.emit(0, 1, Qt.KeyboardModifier.NoModifier)
    first = picture.row_order.order[0]
    members = np.flatnonzero(winners == np.unique(winners)[first])
    assert taken[0].ids == {IDS[item] for item in members}


def test_that_many_items_without_nodes_become_means_of_neighbours(
    view: HeatMapView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heat_map_rows, "MOST_ITEMS", 50)
    monkeypatch.setattr(heat_map_rows, "GROUPS", 7)
    picture = drawn(view, shown_of("pca"))
    assert len(row_names(view)) == 7
    groups, positions = picture.rows.row_of, picture.shown.result.positions
    assert (groups >= 0).all()
    counts = np.bincount(groups)
    assert counts.max() - counts.min() <= 1
    # Neighbours: around the middles of their groups they scatter far less than all of them do.
    middles = np.array([positions[groups == group].mean(axis=0) for group in range(7)])
    inside, all_over = positions - middles[groups], positions - positions.mean(axis=0)
    assert (inside**2).sum() < 0.2 * (all_over**2).sum()
    for group in range(7):
        members = some_matrix().values[groups == group]
        np.testing.assert_allclose(picture.rows.values[group], np.nanmean(members, axis=0))


def test_that_the_order_by_label_holds_until_means_are_items_again(
    view: HeatMapView, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(view)
    view.order.choose(LABEL, "kind")
    wanted = drawn(view).row_order.order
    with monkeypatch.context() as fewer:
        fewer.setattr(heat_map_rows, "MOST_ITEMS", 50)
        picture = drawn(view)
        assert picture.rows.means
        # What was chosen cannot be, and that is said besides that there are means.
        assert picture.note != picture.rows.note
        assert (view.order.key, view.order.option) == (LABEL, "kind")
    np.testing.assert_array_equal(drawn(view).row_order.order, wanted)


def test_that_what_is_to_be_clustered_is_said_to_wait_for_the_end_of_training(
    view: HeatMapView,
) -> None:
    live = shown_of("som", "live")
    assert not drawn(view, live).note
    view.order.choose(CLUSTERED)
    assert drawn(view, live).note
    assert not drawn(view).note
    view.order.choose(TABLE)
    view.columns.choose(CLUSTERED)
    assert drawn(view, live).note
    assert not drawn(view).note


def test_that_nothing_is_said_to_be_made_after_it_failed(view: HeatMapView) -> None:
    note = drawn(view).note
    view.order.choose(CLUSTERED)
    assert view.note.text() != note
    view.draw_failed()
    assert view.note.text() == note


def test_that_colours_are_worked_out_once_while_a_map_is_trained(
    qtbot: QtBot, view: HeatMapView, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = shown_of("som", "live"), shown_of("som")
    made: list[object] = []

    def counted(values: Floats, n_colours: int, *, low: float, high: float) -> Codes:
        made.append(values)
        return heat_codes(values, n_colours, low=low, high=high)

    monkeypatch.setattr(heat_map, "heat_codes", counted)
    first, last = drawn(view, begun), drawn(view, ended)
    assert len(made) == 1
    assert first.row_order.order.tolist() != last.row_order.order.tolist()
    fresh = opened(qtbot, HeatMapView)
    np.testing.assert_array_equal(last.table.codes, drawn(fresh, ended).table.codes)
    # Other items have other colours.
    for each in (view, fresh):
        each.show_selection(Selection.of(IDS[20:29]))
    chosen = drawn(view, ended)
    fresh._coloured = Coloured()
    np.testing.assert_array_equal(chosen.table.codes, drawn(fresh, ended).table.codes)


def test_that_dragging_takes_rows_and_shift_adds_them(view: HeatMapView) -> None:
    view.order.show_choices([], "")
    drawn(view)
    names = row_names(view)
    taken: list[tuple[Selection, Combine]] = []
    view.chosen.connect(lambda selection, how: taken.append((selection, how)))
    port = view.heat.viewport()

    def drag(first: int, last: int, keys: Qt.KeyboardModifier) -> None:
        places = [view.heat.place_of(row, 1).toPoint() for row in (first, last)]
        QTest.mousePress(port, Qt.MouseButton.LeftButton, keys, places[0])
        QTest.mouseMove(port, places[1] + QPoint(3, 0))
        QTest.mouseRelease(port, Qt.MouseButton.LeftButton, keys, places[1])

    drag(3, 8, Qt.KeyboardModifier.NoModifier)
    drag(20, 20, SHIFT)
    assert taken == [
        (Selection.of(names[3:9]), Combine.REPLACE),
        (Selection.of(names[20:21]), Combine.ADD),
    ]


def test_that_keys_walk_choose_zoom_and_let_go(view: HeatMapView) -> None:
    drawn(view)
    heat, taken = view.heat, []
    view.chosen.connect(lambda selection, _: taken.append(selection))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right):
        QTest.keyClick(heat, key)
    assert heat.cell == (1, 1)
    assert view.card.isVisible()
    assert view.card.title == row_names(view)[1]
    QTest.keyClick(heat, Qt.Key.Key_Return)
    assert taken == [Selection.of(row_names(view)[1:2])]
    QTest.keyClick(heat, Qt.Key.Key_Plus)
    assert heat.zoomed
    assert view.reset.isEnabled()
    view.reset.click()
    assert not view.reset.isEnabled()
    QTest.keyClick(heat, Qt.Key.Key_Escape)
    assert heat.cell == (-1, -1)
    assert not view.card.isVisible()


def test_that_zooming_keeps_what_is_under_the_mouse(view: HeatMapView) -> None:
    drawn(view)
    heat = view.heat
    place = heat.place_of(40, 3)
    heat.zoom(2.0, place)
    assert heat.cell_at(place) == (40, 3)
    heat.zoom(1e9, place)
    heat.zoom(1e-9, place)
    assert not heat.zoomed


def test_that_one_sided_values_get_one_sided_colours(view: HeatMapView) -> None:
    result = result_of("som")
    matrix = replace(some_matrix(), values=np.abs(some_matrix().values))
    assert drawn(view).scale.scheme == "diverging"
    assert drawn(view, Shown(result=result, matrix=matrix)).scale.scheme == "sequential"


def test_that_labels_of_features_stand_above_the_columns(view: HeatMapView) -> None:
    labels = {"kind": ("a", "b", "a", "b", "a", "b")}
    rng = np.random.default_rng(1)
    matrix: Matrix = replace(
        some_matrix(),
        values=rng.normal(size=(60, 6)),
        feature_names=tuple("uvwxyz"),
        feature_labels=labels,
    )
    picture = drawn(view, Shown(result=result_of("som"), matrix=matrix))
    assert list(picture.column_classes) == ["kind"]
    where = view.heat.layout_now()
    assert len(where.sheet.column_strips) == 1
    # Every strip has its title, inside the widget and beyond the strip's end.
    titles = (*where.row_titles, *where.column_titles)
    assert len(titles) == len(view.heat.rows.strips) + 1
    assert all(view.heat.viewport().rect().contains(title) for title in titles)
    assert all(title.top() > where.body.bottom() for title in where.row_titles)
    assert all(title.left() > where.body.right() for title in where.column_titles)
    assert not any(title.isEmpty() for title in titles)
    assert view._side.title.full == next(iter(picture.row_classes))
    assert "kind" in view._side.more.text()
    assert all(f"&nbsp;{name}" in view._side.more.text() for name in "ab")
    view.columns.choose("kind")
    drawn(view, Shown(result=result_of("som"), matrix=matrix))
    assert list(view.heat.columns.names) == ["u", "w", "y", "v", "x", "z"]


def test_that_nothing_is_chosen_where_there_is_nothing(view: HeatMapView) -> None:
    view.show_selection(Selection.of(IDS[:2]))
    assert view.selected_ids == frozenset()
    drawn(view)
    view.show_selection(NOTHING)
    assert view.selected_ids == frozenset()


def test_that_colours_are_told_from_all_columns() -> None:
    values = np.random.default_rng(0).normal(size=(6000, 60))
    values[:, 1::2] *= 10.0
    low, high = np.percentile(values, (1, 99))
    scale = value_scale(values)
    assert scale.high == pytest.approx(max(-low, high), rel=0.1)


def test_that_columns_of_another_selection_have_a_tree_of_their_own(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Groups of genes are called the same for all selections of a size.
    monkeypatch.setattr(heat_map_rows, "MOST_CHOSEN", 8)
    shown = shown_of("pca")
    ids, clustered = shown.matrix.item_ids, Clustered()
    palettes = opened(qtbot, HeatMapView).palette_button.keys

    def columns(chosen: tuple[str, ...], known: Clustered) -> list[int]:
        state = HeatMapState(columns_by=CLUSTERED, palettes=palettes)
        request = state.request(PictureCache(), known, Coloured(), Selection.of(chosen))
        return [int(column) for column in request(shown).column_order.order]

    for chosen in (ids[:28], ids[32:60], ids[16:44]):
        assert columns(chosen, clustered) == columns(chosen, Clustered())
