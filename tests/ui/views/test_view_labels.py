"""The label that views show first, and labels whose texts are numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import run_of, shown_of, some_matrix
from tests.ui.opened_views import drawn
from ximstudio.maps.label_kinds import numbers_of
from ximstudio.model import Matrix
from ximstudio.pictures.cache import PictureCache
from ximstudio.pictures.colours import LIGHT
from ximstudio.pictures.quantity import recipe_words
from ximstudio.pictures.thumbnail import thumbnail
from ximstudio.prepare.planned import planned
from ximstudio.prepare.recipe import Recipe
from ximstudio.session.shown import Shown
from ximstudio.ui.views.common.canvas_view import CanvasView
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.menu_buttons import PaletteButton
from ximstudio.views.map.picture import FIRST, MapPicture
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.picture import LABEL, PLAIN, PositionsPicture
from ximstudio.views.positions.state import PositionsState

pytestmark = pytest.mark.usefixtures("dressed")
KINDS = some_matrix().item_labels["kind"]
NAMES = tuple(f"protein {number}" for number in range(60))


def labelled(**labels: tuple[str, ...]) -> Shown:
    shown = shown_of("som")
    return Shown(result=shown.result, matrix=replace(some_matrix(), item_labels=labels))


def map_of(shown: Shown, *, names: str = FIRST, layer: str = "") -> MapPicture:
    palettes = PaletteButton().keys
    return MapState(names=names, layer=layer, palettes=palettes).request(PictureCache())(shown)


def positions_of(shown: Shown, *, by: str = "", option: str = "") -> PositionsPicture:
    palettes = PaletteButton().keys
    return PositionsState(by=by, option=option, palettes=palettes).request(PictureCache())(shown)


def test_that_classes_are_shown_before_names() -> None:
    shown = labelled(name=NAMES, kind=KINDS)
    picture = map_of(shown)
    assert picture.label == "kind"
    assert set(picture.texts.texts) == set(KINDS) - {""}
    assert map_of(shown, layer="classes").option == "kind"
    positions = positions_of(shown)
    assert (positions.by, positions.option) == (LABEL, "kind")


def test_that_names_alone_colour_nothing() -> None:
    shown = labelled(name=NAMES)
    picture = map_of(shown)
    assert picture.classes is None
    assert picture.texts.texts == ()
    assert positions_of(shown).by == PLAIN


def test_that_any_label_can_still_be_chosen() -> None:
    shown = labelled(name=NAMES, kind=KINDS)
    assert map_of(shown, names="name").label == "name"
    assert positions_of(shown, by=LABEL, option="name").option == "name"


def test_that_the_choosers_begin_with_the_telling_label(qtbot: QtBot) -> None:
    shown = labelled(name=NAMES, kind=KINDS)
    positions, view = PositionsView(), MapView()
    both: tuple[CanvasView[Any, Any], ...] = (positions, view)
    for made in both:
        qtbot.addWidget(made)
        drawn(made, shown)
    assert positions.colouring.option == "kind"
    view.layers.choose("classes")
    assert view.layers.option == "kind"


def test_that_thumbnails_have_the_colours_of_the_views() -> None:
    result = shown_of("som").result

    def pixels(matrix: Matrix, label: str | None = None) -> list[int]:
        made = thumbnail(result, matrix, LIGHT, width=80, height=60, label=label)
        return [int(pixel) for pixel in made.ravel()]

    several = replace(some_matrix(), item_labels={"name": NAMES, "kind": KINDS})
    assert pixels(several) == pixels(several, "kind") != pixels(several, "name")


def test_that_numbers_colour_by_a_scale(qtbot: QtBot) -> None:
    shown = shown_of("som")
    view = PositionsView()
    qtbot.addWidget(view)
    view.resize(900, 560)
    view.draw(view.request()(shown))
    view.colouring.choose("label", "dose")
    picture = view.request()(shown)
    assert isinstance(picture, PositionsPicture)
    view.draw(picture)
    assert picture.classes is None
    np.testing.assert_array_equal(picture.values, numbers_of(some_matrix().item_labels["dose"]))
    assert view.bar.isVisibleTo(view)
    assert not view.legend.isVisibleTo(view)
    assert view.bar.limits == (0.0, round(59 / 7, 3))


def test_that_the_mean_of_a_label_is_that_of_the_nodes_items() -> None:
    shown = shown_of("som")
    picture = map_of(shown, layer="label_mean")
    assert picture.option == "dose"
    numbers = numbers_of(some_matrix().item_labels["dose"])
    assert picture.values is not None
    for node in range(len(picture.values)):
        members = picture.members(node)
        if len(members):
            assert picture.values[node] == pytest.approx(numbers[members].mean())
        else:
            assert np.isnan(picture.values[node])


def test_that_numbers_are_no_names_of_groups(qtbot: QtBot) -> None:
    view = MapView()
    qtbot.addWidget(view)
    view.draw(view.request()(shown_of("som")))
    assert [action.data() for action in view.names._menu.actions()][2:] == ["kind"]


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((), "value"),
        (("log2",), "log2 value"),
        (("log2", "centre"), "centred log2 value"),
        (("log2", "pca"), "score"),
    ],
)
def test_that_bars_say_what_was_done_to_values(steps: tuple[str, ...], words: str) -> None:
    recipe = Recipe.of(*(planned(step) for step in steps))
    assert recipe_words(recipe) == words
    off = Recipe.of(*(replace(planned(step), on=False) for step in steps))
    assert recipe_words(off) == "value"


def test_that_the_bar_names_feature_and_quantity(qtbot: QtBot) -> None:
    run = run_of("som")
    recipe = Recipe.of(planned("log2"))
    logged = replace(run, input=replace(run.input, recipe=recipe))
    shown = Shown(result=run.result, matrix=run.matrix, run=logged, runs=(logged,))
    pairs: dict[str, CanvasView[Any, Any]] = {"layers": MapView(), "colouring": PositionsView()}
    for chooser, made in pairs.items():
        qtbot.addWidget(made)
        drawn(made, shown)
        key = "plane" if chooser == "layers" else "feature"
        getattr(made, chooser).choose(key, "salt")
        drawn(made, shown)
        assert made.bar.toolTip() == "salt, log2 value"
