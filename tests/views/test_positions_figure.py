"""Contents of the figure of a positions view."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.figures.drawn import (
    artist,
    artists,
    assert_nothing_is_cut,
    axes_named,
    face_colours,
    figure,
    legend,
    places,
    said,
    size_mm,
    texts,
)
from tests.ui.maps_to_show import result_of, shown_of, some_matrix
from ximstudio.figures import points as points_on_paper
from ximstudio.figures.sheet import POINTS_PER_PIXEL
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import UserError
from ximstudio.model.result import LinearMap
from ximstudio.pictures.canvas import Overlaid
from ximstudio.pictures.colouring import class_colours
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.views.positions.picture import FEATURE, PLAIN, TRUST
from ximstudio.views.positions.state import DENSITY, PositionsState

TORUS: dict[str, Any] = {"lattice": "hexagonal", "toroidal": True}


def in_order(found: Floats) -> Floats:
    return found[np.lexsort(found.T)]


@pytest.mark.parametrize("key", ["pca", "som", "c-xim"])
def test_that_every_item_is_a_point_in_its_class_colour(key: str) -> None:
    shown = shown_of(key)
    picture = PositionsState().picture(shown)
    assert picture.classes is not None
    drawn = figure(shown, PositionsState())
    np.testing.assert_allclose(in_order(places(drawn, "items")), in_order(picture.positions))
    table = np.array([channels(colour) for colour in class_colours(picture.classes, LIGHT)])
    by_place = {
        tuple(np.round(place, 9)): colour
        for place, colour in zip(
            places(drawn, "items").tolist(),
            face_colours(artist(drawn, "items")).tolist(),
            strict=True,
        )
    }
    for place, code in zip(picture.positions.tolist(), picture.classes.codes, strict=True):
        assert by_place[tuple(np.round(place, 9))] == table[code].tolist()
    assert [name for name, _ in legend(drawn)] == list(picture.classes.names)
    assert_nothing_is_cut(drawn)


def test_that_numbers_have_the_colours_of_the_picture_and_edges_where_they_are_pale() -> None:
    shown = shown_of("som")
    state = PositionsState(by=FEATURE, option="salt")
    picture = state.picture(shown)
    drawn = figure(shown, state)
    assert picture.colours is not None
    known = picture.colours[:, 3] > 0
    expected = picture.colours[known, :3].astype(float).tolist()
    found = face_colours(artist(drawn, "items")).tolist()
    assert all(colour in found for colour in expected)
    assert len(artists(drawn, "_edges")) == 1
    assert said(drawn, "bar name") == ["salt, value"]
    assert said(drawn, "bar blank") == (["blank"] if not known.all() else [])


def test_that_sizes_and_opacity_of_the_screen_are_those_of_the_paper() -> None:
    drawn = figure(shown_of("som"), PositionsState(size=8.0, opacity=0.4))
    items = artist(drawn, "items")
    assert items.get_sizes() == pytest.approx((8.0 * POINTS_PER_PIXEL) ** 2)  # type: ignore[attr-defined]
    assert items.get_alpha() == 0.4


def test_that_chosen_items_stand_in_front_in_rings_and_others_fade() -> None:
    shown = shown_of("som")
    ids = some_matrix().item_ids[10:14]
    drawn = figure(shown, PositionsState(), *ids)
    expected = PositionsState().picture(shown).positions[10:14]
    for label in ("rings", "chosen items"):
        np.testing.assert_allclose(in_order(places(drawn, label)), in_order(expected))
    rings, chosen, others = (
        artist(drawn, label) for label in ("rings", "chosen items", "other items")
    )
    assert others.get_zorder() < rings.get_zorder() < chosen.get_zorder()
    assert rings.get_sizes()[0] > chosen.get_sizes()[0]  # type: ignore[attr-defined]
    assert face_colours(others).min() > face_colours(chosen).min()


def test_that_axes_of_a_projection_tell_their_share_and_y_points_up() -> None:
    shown = shown_of("pca")
    model = shown.result.model
    assert isinstance(model, LinearMap)
    drawn = figure(shown, PositionsState())
    first, second = (f"{100.0 * share:.0f} %" for share in model.explained[:2].tolist())
    assert first in said(drawn, "x name")[0]
    assert second in said(drawn, "y name")[0]
    assert said(drawn, "x number")
    assert said(drawn, "y number")
    low, high = axes_named(drawn, "positions").get_ylim()
    assert low < high
    flat = figure(shown_of("som"), PositionsState())
    low, high = axes_named(flat, "positions").get_ylim()
    assert low > high
    assert not said(flat, "x name")


@pytest.mark.parametrize("key", ["pca", "som"])
def test_that_both_axes_have_the_same_scale(key: str) -> None:
    drawn = figure(shown_of(key), PositionsState())
    axes = axes_named(drawn, "positions")
    box, (width, height) = axes.get_position(), size_mm(drawn)
    across = box.width * width / np.ptp(axes.get_xlim())
    assert across == pytest.approx(box.height * height / np.ptp(axes.get_ylim()))


def test_that_a_crowd_is_pixels_while_text_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_of("som")
    assert not artist(figure(shown, PositionsState()), "items").get_rasterized()
    monkeypatch.setattr(points_on_paper, "MOST_VECTORS", 59)
    drawn = figure(shown, PositionsState())
    assert artist(drawn, "items").get_rasterized()
    assert not any(text.get_rasterized() for text in texts(drawn, "legend name"))
    assert not axes_named(drawn, "positions").get_rasterized()


@pytest.mark.parametrize("key", ["pca", "som"])
def test_that_a_density_is_where_the_items_are(key: str) -> None:
    shown = shown_of(key)
    drawn = figure(shown, PositionsState(mode=DENSITY))
    axes = axes_named(drawn, "positions")
    (image,) = axes.images
    found = np.asarray(image.get_array())[:, :, 3] > 0
    left, right, bottom, top = image.get_extent()
    height, width = found.shape
    for x, y in PositionsState().picture(shown).positions.tolist():
        column = int((x - left) / (right - left) * width)
        row = int((y - top) / (bottom - top) * height)
        assert found[row, column]
    assert found.mean() < 0.5
    assert not artists(drawn, "items")
    assert not legend(drawn)


@pytest.mark.parametrize("columns", [0, 3])
def test_that_a_torus_is_moved_with_its_items(columns: int) -> None:
    shown = shown_of("c-xim", **TORUS)
    grid = PositionsState().picture(shown).grid
    assert grid is not None
    still = places(figure(shown, PositionsState()), "items")
    moved = places(figure(shown, PositionsState(columns=columns)), "items")
    left, width = grid.origin[0], grid.periods[0]
    back = np.column_stack([(moved[:, 0] - columns - left) % width + left, moved[:, 1]])
    np.testing.assert_allclose(in_order(np.round(back, 6)), in_order(np.round(still, 6)), atol=1e-5)
    repeated = figure(shown, PositionsState(repeated=True))
    assert len(artists(repeated, "_repeated items")) == 8


def test_that_items_that_came_later_are_diamonds_with_a_key() -> None:
    shown = shown_of("som")
    state = PositionsState()
    picture = state.picture(shown)
    later = Overlaid(
        grid=picture.grid,
        places=np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 1.0]]),
        ids=("a", "b", "c"),
        files=("f",) * 3,
        novelty=np.zeros(3),
        strange=np.array([False, True, False]),
    )
    from ximstudio.figures.look import on_paper
    from ximstudio.views.common.figure_plan import FigurePlan
    from ximstudio.views.positions.figure import draw_positions

    plan = FigurePlan(state=state)
    with on_paper(plan.look):
        drawn = draw_positions(replace(picture, overlaid=later), plan)
    assert places(drawn, "newcomers").tolist() == [[1.0, 1.0], [3.0, 1.0]]
    assert places(drawn, "strange newcomers").tolist() == [[2.0, 2.0]]
    assert said(drawn, "legend count")[-2:] == ["2", "1"]


def test_that_layers_in_space_are_framed_and_named() -> None:
    shown = shown_of("c-xim", "finished", lattice="cubic", depth=3, shape=(3, 4))
    drawn = figure(shown, PositionsState())
    frames = [one for one in axes_named(drawn, "positions").patches if one.get_label() == "layer"]
    assert len(frames) == 3
    assert len(said(drawn, "layer name")) == 3
    assert_nothing_is_cut(drawn)


def test_that_the_sight_is_kept() -> None:
    axes = axes_named(
        figure(shown_of("pca"), PositionsState(sight=(0.0, 1.0, 2.0, 2.5))), "positions"
    )
    assert axes.get_xlim() == (0.0, 2.0)
    assert axes.get_ylim() == (1.0, 2.5)


def test_that_colours_that_are_not_measured_are_refused() -> None:
    shown = shown_of("som", "finished")
    with pytest.raises(UserError) as caught:
        figure(shown, PositionsState(by=TRUST))
    assert caught.value.keys == ("figure.nothing",)
    assert not legend(figure(shown, PositionsState(by=PLAIN)))


def test_that_items_on_one_spot_are_drawn() -> None:
    shown = shown_of("som", "finished")
    result = replace(result_of("som"), positions=np.ones((60, 2)))
    drawn = figure(replace(shown, result=result), PositionsState())
    assert len(places(drawn, "items")) == 60
