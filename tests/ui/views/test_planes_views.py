"""Galleries of planes: features in order, searched, enlarged and compared; portraits of samples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import result_of, shown_of, some_matrix
from tests.ui.opened_views import opened
from ximstudio.maps.palettes import PaletteScheme, coloured
from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import Combine, Selection
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.raster.frame import Pixels
from ximstudio.pictures.raster.tiles import Inks, MapTiles, colour_codes
from ximstudio.pictures.ticks import number_text
from ximstudio.session.shown import Shown
from ximstudio.train import method_named, train
from ximstudio.ui.views.common.planes_view import PlanesView
from ximstudio.ui.views.features.view import FeaturesView
from ximstudio.ui.views.portraits.view import PortraitsView
from ximstudio.ui.widgets.drawing import tile_gallery
from ximstudio.ui.widgets.drawing.tile_gallery import Tile
from ximstudio.views.common.planes_picture import PlanesPicture, plane_ends
from ximstudio.views.common.state import OWN
from ximstudio.views.features.picture import CORRELATION, LIKENESS, NAME, TABLE
from ximstudio.views.portraits.picture import GROUPS

pytestmark = pytest.mark.usefixtures("dressed")
IDS, NAMES = some_matrix().item_ids, some_matrix().feature_names


@pytest.fixture
def view(qtbot: QtBot) -> FeaturesView:
    return opened(qtbot, FeaturesView)


def drawn(view: PlanesView[Any], shown: Shown | None = None) -> PlanesPicture:
    picture = view.request()(shown_of("som") if shown is None else shown)
    view.draw(picture)
    view.grab()
    assert isinstance(picture, PlanesPicture)
    return picture


def tile_names(view: PlanesView[Any]) -> list[str]:
    return [tile.name for tile in view.gallery.tiles]


@pytest.mark.parametrize("method", ["som", "pca"])
@pytest.mark.parametrize("by", [LIKENESS, TABLE, NAME])
def test_that_every_feature_has_its_own_plane_in_any_order(
    view: FeaturesView, method: str, by: str
) -> None:
    shown = shown_of(method)
    drawn(view, shown)
    view.order.choose(by)
    picture = drawn(view, shown)
    assert sorted(tile_names(view)) == sorted(NAMES)
    model = shown.result.model
    values = model.prototypes if isinstance(model, PrototypeMap) else shown.matrix.values
    for plane, name in enumerate(picture.names):
        np.testing.assert_array_equal(picture.values[plane], values[:, NAMES.index(name)])
    if by == TABLE:
        assert tuple(tile_names(view)) == NAMES
    if by == NAME:
        assert tile_names(view) == sorted(NAMES)


@pytest.mark.parametrize("method", ["som", "pca"])
def test_that_comparing_sorts_by_correlation(view: FeaturesView, method: str) -> None:
    # Without blanks, which change correlations a little.
    matrix = some_matrix().with_values(np.nan_to_num(some_matrix().values))
    shown = replace(shown_of(method), matrix=matrix)
    drawn(view, shown)
    view.order.choose(CORRELATION, "salt")
    picture = drawn(view, shown)
    model = shown.result.model
    values = model.prototypes if isinstance(model, PrototypeMap) else matrix.values
    slow = np.asarray(np.corrcoef(values.T))[NAMES.index("salt")]
    wanted = sorted(NAMES, key=lambda name: -slow[NAMES.index(name)])
    assert picture.names == tuple(wanted)
    assert wanted[0] == "salt"
    assert picture.names != NAMES
    captions = [tile.caption for tile in view.gallery.tiles]
    found = [slow[NAMES.index(name)] for name in wanted]
    assert captions == [f"r = {number_text(float(r), digits=2)}" for r in found]


def test_that_planes_keep_their_places_while_a_map_is_trained(view: FeaturesView) -> None:
    picture = drawn(view, shown_of("som", "live"))
    assert tuple(tile_names(view)) == NAMES
    assert picture.note


def test_that_a_search_leaves_what_is_called_so(view: FeaturesView) -> None:
    drawn(view)
    QTest.keyClicks(view.search, "AL")
    assert tile_names(view) == ["salt"]
    view.search.clear()
    assert len(tile_names(view)) == len(NAMES)


def test_that_a_click_enlarges_and_escape_leads_back(view: FeaturesView) -> None:
    drawn(view)
    place = view.gallery.picture_box(2).center()
    QTest.mouseClick(view.gallery.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert view.enlarged == tile_names(view)[2]
    # It stays when the picture is made anew.
    drawn(view)
    assert view.enlarged == tile_names(view)[2]
    QTest.keyClick(view.page.canvas, Qt.Key.Key_Escape)
    assert view.enlarged == ""
    assert view.gallery.current == 2


def test_that_the_keyboard_goes_through_the_gallery(view: FeaturesView) -> None:
    drawn(view)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right):
        QTest.keyClick(view.gallery, key)
    assert view.gallery.current == 2
    QTest.keyClick(view.gallery, Qt.Key.Key_End)
    assert view.gallery.current == len(NAMES) - 1
    QTest.keyClick(view.gallery, Qt.Key.Key_Return)
    assert view.enlarged == tile_names(view)[-1]


def test_that_comparing_from_an_enlarged_plane_leads_to_the_gallery(
    qtbot: QtBot, view: FeaturesView
) -> None:
    drawn(view)
    view.enlarge("acid")
    with qtbot.waitSignal(view.wanted):
        view.page.compare.click()
    assert view.enlarged == ""
    assert (view.order.key, view.order.option) == (CORRELATION, "acid")
    assert drawn(view).names[0] == "acid"


def test_that_clicking_a_node_takes_its_members(view: FeaturesView) -> None:
    picture = drawn(view)
    view.enlarge("heat")
    winners, grid = picture.shown.result.winners, picture.grid
    assert winners is not None
    assert grid is not None
    node = int(winners[7])
    taken: list[Any] = []
    view.chosen.connect(lambda selection, how: taken.append((selection, how)))
    view.page.canvas.clicked.emit(
        QPointF(*grid.nodes[node].tolist()), Qt.KeyboardModifier.NoModifier
    )
    members = np.flatnonzero(winners == node)
    assert taken == [(Selection.of(IDS[item] for item in members), Combine.REPLACE)]


@given(st.sets(st.sampled_from(IDS)), st.sampled_from(["som", "pca"]))
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_that_what_is_chosen_is_marked_on_every_plane(
    view: FeaturesView, chosen: set[str], method: str
) -> None:
    picture = drawn(view, shown_of(method))
    view.enlarge("heat")
    view.show_selection(Selection.of([*chosen, "of another table"]))
    assert view.selected_ids == chosen
    winners = picture.shown.result.winners
    if picture.grid is None:
        marked = view._marked if view._marked is not None else np.zeros(len(IDS), dtype=np.bool_)
        assert {IDS[item] for item in np.flatnonzero(marked)} == chosen
    else:
        assert winners is not None
        nodes = {int(winners[IDS.index(name)]) for name in chosen}
        assert set(view.page.map.selected.tolist()) == nodes
        assert bool(len(view._outline)) == bool(nodes)


def test_that_a_gallery_rests_once_all_in_sight_is_drawn(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tile_gallery, "MOST_KEPT", 4)
    gallery, made = tile_gallery.TileGallery(), []
    qtbot.addWidget(gallery)

    def draw(number: int, width: int, height: int, _: float) -> Pixels:
        made.append(number)
        return np.zeros((height, width), dtype=np.uint32)

    gallery.resize(500, 400)
    gallery.show_tiles([Tile(str(number)) for number in range(40)], draw, aspect=1.0)
    for _ in range(3):
        gallery.grab()
    assert gallery.is_drawn
    assert 4 < len(made) == len(set(made)) < 40
    # What was scrolled out of sight is let go.
    gallery.go_to(39)
    gallery.grab()
    assert gallery.is_drawn
    assert len(gallery._pictures) < len(made)


def test_that_every_plane_can_have_all_colours(view: FeaturesView) -> None:
    picture = drawn(view)
    view.scaling.choose(OWN)
    for plane in range(len(NAMES)):
        inks = picture.inks(plane, OWN)
        low, high = picture.values[plane].min(), picture.values[plane].max()
        reach = max(-low, high)
        two_sided = min(-low, high) >= 0.2 * reach
        wanted = (-reach, reach) if two_sided else (low, high)
        assert (inks.low, inks.high) == pytest.approx(wanted)
    assert not view._side.isVisibleTo(view)


def test_that_planes_of_very_different_ranges_have_their_own_colours(view: FeaturesView) -> None:
    result = result_of("som")
    assert isinstance(result.model, PrototypeMap)
    sizes = np.array([1.0, 2.0, 3.0, 1e4, 4.0])
    model = replace(result.model, prototypes=np.abs(result.model.prototypes) * sizes)
    shown = Shown(result=replace(result, model=model), matrix=some_matrix())
    picture = drawn(view, shown)
    assert view._scaling == OWN
    # And those that are all above 0 are in colours from little to much.
    assert picture.inks(0, OWN).low > 0.0
    assert picture.scales is not None
    assert picture.scales.common.scheme == "sequential"
    drawn(view)
    assert view._scaling != OWN


def test_that_ends_of_planes_are_kept_but_those_of_another_map_are_its_own(
    view: FeaturesView,
) -> None:
    for shown in (shown_of("som"), shown_of("pca"), shown_of("som", "live"), shown_of("som")):
        for by in (NAME, TABLE):
            drawn(view, shown)
            view.order.choose(by)
            picture = drawn(view, shown)
            assert picture.scales is not None
            slow = plane_ends(picture.values, points=picture.grid is None)
            np.testing.assert_array_equal(picture.scales.ends.low, slow.low)
            np.testing.assert_array_equal(picture.scales.ends.high, slow.high)
            assert picture.scales.ends.blank == slow.blank
            kept = view._ends.of(shown)
            drawn(view, shown)
            assert view._ends.of(shown) is kept


def test_that_small_pictures_have_the_colours_of_large_ones() -> None:
    values = np.array([-3.0, -1.0, -0.01, 0.0, 0.5, 1.0, 7.0, np.nan])
    table = np.arange(768, dtype=np.uint32).reshape(256, 3).astype(np.uint8)
    codes = colour_codes(values, 256, -1.0, 1.0)
    wanted = coloured(values, table, low=-1.0, high=1.0, blank=(0, 0, 0))
    np.testing.assert_array_equal(table[codes[:-1]], wanted[:-1])
    assert codes[-1] == 256


def test_that_a_small_map_shows_every_node_where_it_is() -> None:
    result = result_of("som")
    assert isinstance(result.model, PrototypeMap)
    grid = result.model.grid
    tiles = MapTiles(grid, result.positions)
    values = np.linspace(0.0, 1.0, grid.n_nodes)
    inks = Inks(table=np.arange(768).reshape(256, 3).astype(np.uint8), low=0.0, high=1.0)
    pixels = tiles.painted(values, inks, LIGHT, width=160, height=120)
    frame = tiles.frame(160, 120)
    for node, (x, y) in enumerate(grid.nodes.tolist()):
        column, line = frame.scale_x * x + frame.offset_x, frame.scale_y * y + frame.offset_y
        assert pixels[int(line), int(column)] == inks.pixels(values[[node]], LIGHT.empty)[0]


# Portraits


def test_that_portraits_are_planes_without_the_mean_of_all(qtbot: QtBot) -> None:
    view = opened(qtbot, PortraitsView)
    picture = drawn(view)
    model = picture.shown.result.model
    assert isinstance(model, PrototypeMap)
    assert picture.names == NAMES
    slow = model.prototypes.T - model.prototypes.T.mean(axis=0)
    np.testing.assert_allclose(picture.values, slow)
    assert picture.scales is not None
    assert picture.scales.common.low == -picture.scales.common.high


def test_that_groups_of_samples_have_a_portrait(qtbot: QtBot) -> None:
    view = opened(qtbot, PortraitsView)
    labels = {"season": ("summer", "winter", "winter", "summer", "winter")}
    shown = Shown(result=result_of("som"), matrix=replace(some_matrix(), feature_labels=labels))
    each = drawn(view, shown)
    view.order.choose(GROUPS, "season")
    picture = drawn(view, shown)
    assert picture.names == ("summer", "winter")
    np.testing.assert_allclose(picture.values[0], each.values[[0, 3]].mean(axis=0))


def test_that_a_map_of_samples_has_no_portraits_but_a_way_out(qtbot: QtBot) -> None:
    view = opened(qtbot, PortraitsView)
    matrix = replace(
        some_matrix(), item_ids=tuple(f"sample {n}" for n in range(60)), feature_names=IDS[:5]
    )
    result = replace(result_of("som"), item_ids=matrix.item_ids, feature_names=matrix.feature_names)
    view.show_selection(Selection.of(matrix.item_ids[:3]))
    picture = drawn(view, Shown(result=result, matrix=matrix))
    assert picture.refused is not None
    assert view.empty.isVisible()
    assert view.selected_ids == frozenset()
    with qtbot.waitSignal(view.asked) as asked:
        view.empty.chosen.emit()
    assert asked.args == ["features"]
    # And the next map of genes is seen again.
    drawn(view)
    assert view.gallery.isVisible()


def test_that_the_mean_is_the_middle_colour_of_portraits_however_far_one_is_off(
    qtbot: QtBot,
) -> None:
    shown = shown_of("som")
    values = np.array(shown.matrix.values)
    values[:, 0] += 100.0
    matrix = replace(shown.matrix, values=values)
    method = method_named("som")
    result = train(matrix, method, shown.result.params)
    view = opened(qtbot, PortraitsView)
    picture = view.request()(Shown(result=result, matrix=matrix))
    assert picture.scales is not None
    scale = picture.scales.common
    assert scale.scheme is PaletteScheme.DIVERGING
    assert scale.low == -scale.high


def test_that_a_blank_plane_does_not_stretch_the_others() -> None:
    values = np.random.default_rng(0).normal(size=(5, 4000))
    values[:, 0] = 1000.0
    alone = plane_ends(values, points=True)
    beside = plane_ends(np.vstack([values, np.full(4000, np.nan)]), points=True)
    assert (alone.blank, beside.blank) == (False, True)
    assert alone.high.max() < 10.0
    assert np.array_equal(beside.high[:5], alone.high)
    assert np.isnan(beside.high[5])
