"""The positions view: colours, classes, sizes, densities, axes, and what hovering says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from tests.pictures.contrast import contrast
from tests.ui.maps_to_show import shown_of, some_matrix
from tests.ui.opened_views import drawn, opened
from ximstudio.maps.classes import MOST_CLASSES, classes_of
from ximstudio.maps.palettes import palette_named
from ximstudio.measure.neighbourhoods import item_continuity, item_trust
from ximstudio.model import LinearMap, Matrix
from ximstudio.session.shown import Shown
from ximstudio.ui.views.common.class_colours import class_colours
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.views.positions.picture import PositionsPicture
from ximstudio.views.positions.state import AUTOMATIC, DENSITY, MANY, POINTS

pytestmark = pytest.mark.usefixtures("dressed")


@pytest.fixture
def view(qtbot: QtBot) -> PositionsView:
    return opened(qtbot, PositionsView)


def apart() -> Shown:
    """Four items far apart, so that each is a disc of its own colour."""
    four = some_matrix().items([0, 3, 30, 50])
    result = replace(
        shown_of("som").result,
        item_ids=four.item_ids,
        winners=np.array([0, 7, 40, 47]),
        positions=np.array([[0.0, 0.0], [7.0, 0.0], [0.0, 5.0], [7.0, 5.0]]),
    )
    return Shown(result=result, matrix=four)


def by_label(view: PositionsView) -> PositionsPicture:
    """Those coloured by their label, which has too few items of each class to be shown first."""
    drawn(view, apart())
    view.colouring.choose("label")
    return drawn(view, apart())


def colour_at(view: PositionsView, item: int) -> QColor:
    image: QImage = view.canvas.grab().toImage()
    spot = view.canvas.position_of(view.points.place_of(item))
    return image.pixelColor(spot.toPoint())


def opaque(view: PositionsView) -> None:
    view.look.opacity_slider.setValue(100)


def same(colour: QColor, wanted: str | tuple[int, ...]) -> bool:
    other = QColor(wanted) if isinstance(wanted, str) else QColor(*wanted)
    return colour.rgb() == other.rgb()


def test_that_classes_have_their_colours(view: PositionsView) -> None:
    opaque(view)
    picture = by_label(view)
    classes = classes_of(apart().matrix.item_labels["kind"])
    assert picture.option == "kind"
    colours = class_colours(classes)
    for item, code in enumerate(classes.codes.tolist()):
        assert same(colour_at(view, item), colours[code])


def test_that_hidden_classes_are_not_drawn(view: PositionsView) -> None:
    opaque(view)
    by_label(view)
    code = int(classes_of(apart().matrix.item_labels["kind"]).codes[2])
    view.legend.toggle(code)
    assert same(colour_at(view, 2), the_theme().colours.surface)
    assert not same(colour_at(view, 0), the_theme().colours.surface)


def test_that_a_hidden_class_stays_hidden_while_a_map_trains(view: PositionsView) -> None:
    drawn(view, shown_of("som", "live"))
    view.legend.toggle(1)
    drawn(view, shown_of("som", "live"))
    drawn(view, shown_of("som"))
    assert view.legend.shown.tolist() == [True, False, True, True]


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_that_all_classes_differ_in_colour(scheme: Scheme) -> None:
    the_theme().choose(scheme)
    labels = [f"class {number:02d}" for number in range(MOST_CLASSES + 3)] + [""]
    colours = class_colours(classes_of(labels))
    assert len(colours) == MOST_CLASSES + 2
    assert len(set(colours)) == len(colours)
    # Okabe and Ito's yellow on white is the faintest.
    assert all(contrast(colour, the_theme().colours.surface) > 1.25 for colour in colours)


def test_that_a_feature_colours_items_and_blanks_are_grey(view: PositionsView) -> None:
    opaque(view)
    values = apart().matrix.values.copy()
    values[:, 2] = [-2.0, np.nan, 0.5, 2.0]
    shown = replace(apart(), matrix=apart().matrix.with_values(values))
    drawn(view, shown)
    view.colouring.choose("feature", "salt")
    picture = drawn(view, shown)
    np.testing.assert_array_equal(picture.values, values[:, 2])
    table = palette_named("blue_rust").table
    assert same(colour_at(view, 0), tuple(table[0].tolist()))
    assert same(colour_at(view, 1), the_theme().colours.border_strong)
    assert same(colour_at(view, 3), tuple(table[-1].tolist()))
    assert view.bar.limits == (-2.0, 2.0)
    assert view.bar.isVisible()
    assert not view.legend.isVisible()


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_that_items_in_the_middle_of_two_sided_colours_are_seen(
    view: PositionsView, scheme: Scheme
) -> None:
    the_theme().choose(scheme)
    opaque(view)
    values = apart().matrix.values.copy()
    values[:, 2] = [-2.0, 0.0, 0.0, 2.0]
    shown = replace(apart(), matrix=apart().matrix.with_values(values))
    drawn(view, shown)
    assert not view.drawing.edges.isVisible()
    view.colouring.choose("feature", "salt")
    drawn(view, shown)
    assert view.drawing.edges.isVisible()
    image: QImage = view.canvas.grab().toImage()
    spot = view.canvas.position_of(view.points.place_of(1)).toPoint()
    across = [image.pixelColor(spot.x() + k, spot.y()).name() for k in range(-9, 10)]
    surface = the_theme().colours.surface
    assert max(contrast(colour, surface) for colour in across) > 1.8


def test_that_outliers_do_not_take_all_colours(view: PositionsView) -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(1.0, 2.0, size=(1000, 5))
    values[0, 0] = 1e6
    matrix = replace(
        Matrix.from_array(values), feature_names=some_matrix().feature_names, item_labels={}
    )
    result = replace(
        shown_of("som").result,
        item_ids=matrix.item_ids,
        winners=np.zeros(1000, dtype=np.int64),
        positions=rng.random((1000, 2)),
    )
    shown = Shown(result=result, matrix=matrix)
    drawn(view, shown)
    assert view.colouring.key == "plain"
    view.colouring.choose("feature", "heat")
    drawn(view, shown)
    assert view.bar.limits[1] < 2.0


@pytest.mark.parametrize(
    ("key", "measure"), [("trust", item_trust), ("continuity", item_continuity)]
)
def test_that_trust_and_continuity_come_from_the_measures(
    view: PositionsView, key: str, measure: type
) -> None:
    drawn(view, shown_of("som", "live"))
    view.colouring.choose(key)
    for state in ("live", "finished"):
        assert drawn(view, shown_of("som", state)).waiting
        assert view.note.isVisible()
        assert not view.bar.isVisible()
    shown = shown_of("som", "measured")
    picture = drawn(view, shown)
    assert not view.note.isVisible()
    assert view.bar.isVisible()
    assert shown.evidence is not None
    np.testing.assert_array_equal(picture.values, measure(shown.evidence.ranks))


def test_that_components_have_axes_and_maps_have_none(view: PositionsView) -> None:
    shown = shown_of("pca")
    drawn(view, shown)
    assert isinstance(shown.result.model, LinearMap)
    for axis, share in zip(view.axes, shown.result.model.explained, strict=True):
        assert axis.isVisible()
        assert f"{100.0 * share:.0f} %" in axis.name
    # y points up.
    assert view.canvas.position_of(QPointF(0.0, 1.0)).y() < view.canvas.position_of(QPointF()).y()
    drawn(view, shown_of("som"))
    assert not any(axis.isVisible() for axis in view.axes)
    assert view.canvas.position_of(QPointF(0.0, 1.0)).y() > view.canvas.position_of(QPointF()).y()


def test_that_hovering_names_the_item(view: PositionsView) -> None:
    by_label(view)
    view.canvas.hovered.emit(QPointF(7.02, 4.98))
    assert view.card.isVisible()
    assert view.card.title == apart().matrix.item_ids[3]
    lines = {line.name: line for line in view.card.lines}
    assert lines["kind"].value == "respiration"
    classes = classes_of(apart().matrix.item_labels["kind"])
    assert lines["kind"].colour == class_colours(classes)[int(classes.codes[3])]
    assert lines["Node"].value == "row 6, column 8"
    view.canvas.hovered.emit(QPointF(3.5, 2.5))
    assert not view.card.isVisible()


def test_that_points_can_be_resized_and_faded(view: PositionsView) -> None:
    drawn(view, apart())
    view.look.size_slider.setValue(40)
    assert view.points.size == 20.0
    solid = colour_at(view, 0)
    view.look.opacity_slider.setValue(10)
    assert colour_at(view, 0).lightness() > solid.lightness()


def test_that_very_many_items_become_a_density(view: PositionsView) -> None:
    look = view.look
    found = []
    for mode, n_items in (
        (AUTOMATIC, MANY),
        (AUTOMATIC, MANY + 1),
        (POINTS, MANY + 1),
        (DENSITY, 9),
    ):
        look.mode.choose(mode)
        look.show_items(n_items)
        found.append(look.dense)
    assert found == [False, True, False, True]


def test_that_a_torus_is_shown_whole_and_can_be_moved(view: PositionsView) -> None:
    shown = shown_of("som", toroidal=True)
    drawn(view, shown)
    assert view.shift.button.isVisible()
    before = np.array([view.points.place_of(item).toTuple() for item in range(60)])
    view.shift.move(2, 3)
    after = np.array([view.points.place_of(item).toTuple() for item in range(60)])
    way = np.mod(after - before - np.array([3.0, 2.0]) + 0.5, [8.0, 6.0]) - 0.5
    np.testing.assert_allclose(way, 0.0, atol=1e-9)
    assert after.min() >= -0.5
    assert (after < np.array([7.5, 5.5])).all()
    (left, right), (top, bottom) = view.canvas.view.viewRange()
    assert left <= -0.5
    assert right >= 7.5
    assert top <= -0.5
    assert bottom >= 5.5


def test_that_the_sight_is_calm_while_a_map_trains(view: PositionsView) -> None:
    def live(scale: float) -> Shown:
        shown = shown_of("som", "live")
        return replace(shown, result=replace(shown.result, positions=scale * positions))

    positions = shown_of("som", "live").result.positions
    drawn(view, live(1.0))
    seen = view.canvas.view.viewRange()
    drawn(view, live(0.9))
    assert view.canvas.view.viewRange() == seen
    drawn(view, live(1.2))
    wider = view.canvas.view.viewRange()
    assert wider != seen
    drawn(view, live(0.2))
    assert view.canvas.view.viewRange() != wider


def test_that_items_on_one_spot_are_drawn(view: PositionsView) -> None:
    opaque(view)
    shown = apart()
    shown = replace(shown, result=replace(shown.result, positions=np.full((4, 2), 3.0)))
    drawn(view, shown)
    assert not same(colour_at(view, 0), the_theme().colours.surface)


def test_that_items_without_a_position_are_left_out(view: PositionsView) -> None:
    opaque(view)
    shown = apart()
    positions = shown.result.positions.copy()
    positions[3] = np.nan
    drawn(view, replace(shown, result=replace(shown.result, positions=positions)))
    assert not same(colour_at(view, 0), the_theme().colours.surface)
