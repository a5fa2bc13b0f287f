"""Contents of the figures of features and portraits."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D

from tests.figures.on_the_page import (
    as_printed,
    assert_readable,
    cells_of,
    found,
    images,
    size_mm,
    texts,
)
from tests.ui.maps_to_show import shown_of, some_matrix
from ximstudio.figures.look import Look
from ximstudio.figures.panels import cut_middle, multiples
from ximstudio.maps.palettes import coloured
from ximstudio.model.arrays import Floats
from ximstudio.model.problem import UserError
from ximstudio.model.selection import NOTHING, Selection
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.pictures.ticks import number_text
from ximstudio.views.common import planes_figure
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.planes_picture import PlanesPicture
from ximstudio.views.common.state import COMMON, OWN, PlanesState
from ximstudio.views.features.state import FeaturesState
from ximstudio.views.portraits.state import PortraitsState

draw_planes = as_printed(planes_figure.draw_planes)
NAMES = ("heat", "cold", "salt", "acid", "dark")
CHOSEN = Selection.of(some_matrix().item_ids[:7])
LOOKS = [(174.0, 8.0), (114.0, 7.0), (85.0, 9.0), (85.0, 6.0)]


@cache
def features(key: str = "som", state: FeaturesState | None = None) -> PlanesPicture:
    return (state or FeaturesState()).picture(shown_of(key))


def plan(
    state: PlanesState | None = None,
    *,
    selection: Selection = NOTHING,
    width: float = 114.0,
    size: float = 7.0,
) -> FigurePlan:
    return FigurePlan(
        state=state or FeaturesState(),
        selection=selection,
        look=Look(width_mm=width, font_size=size),
    )


def many(n_planes: int) -> PlanesPicture:
    """A picture of so many planes."""
    picture = features()
    assert picture.scales is not None
    which = np.arange(n_planes) % 5
    return replace(
        picture,
        names=tuple(f"plane {number}" for number in range(n_planes)),
        values=picture.values[which],
        scales=replace(picture.scales, ends=picture.scales.ends.ordered(which)),
    )


def outlines(figure: Figure) -> list[Floats]:
    """The ends of the lines around chosen nodes, (S, 2, 2), plane by plane."""
    lines = found(figure, Line2D, "chosen nodes")
    return [np.asarray(one.get_xydata()).reshape(-1, 3, 2)[:, :2] for one in lines]


def test_that_every_plane_is_there_with_its_name_in_the_order_of_the_screen() -> None:
    picture = features()
    figure = draw_planes(picture, plan())
    assert sorted(picture.names) == sorted(NAMES)
    assert texts(figure, "plane name") == list(picture.names)
    assert len(images(figure, "plane")) == 5
    assert [one.get_label() for one in figure.axes].count("colour bar") == 1
    assert texts(figure, "bar name") == [picture.quantity]


def test_that_planes_whose_names_begin_and_end_alike_are_told_apart() -> None:
    alike = tuple(
        f"heat shock at 37 degrees, {n} minutes after transfer to medium" for n in range(5)
    )
    drawn = draw_planes(replace(features(), names=alike), plan(width=85.0))
    said = " ".join(texts(drawn, "plane name"))
    for n in range(5):
        assert f" {n}" in said
    assert_readable(drawn, Look(width_mm=85.0, font_size=7.0))
    short = draw_planes(features(), plan(width=85.0))
    assert sorted(texts(short, "plane name")) == sorted(NAMES)


def test_that_nodes_have_the_colours_of_their_values_on_the_common_scale() -> None:
    picture = features()
    figure = draw_planes(picture, plan(FeaturesState(scaling=COMMON)))
    for number, image in enumerate(images(figure, "plane")):
        inks = picture.inks(number, COMMON)
        values = picture.values[number].reshape(6, 8)
        expected = coloured(
            values, inks.table, low=inks.low, high=inks.high, blank=channels(LIGHT.empty)
        )
        np.testing.assert_array_equal(cells_of(image, 6, 8)[..., :3], expected)


def test_that_planes_with_scales_of_their_own_have_bars_with_their_ends() -> None:
    picture = features()
    figure = draw_planes(picture, plan(FeaturesState(scaling=OWN)))
    assert "colour bar" not in [one.get_label() for one in figure.axes]
    assert len(images(figure, "own bar")) == 5
    ends = [picture.inks(number, OWN) for number in range(5)]
    expected = [number_text(end, digits=2) for inks in ends for end in (inks.low, inks.high)]
    assert texts(figure, "own bar number") == expected
    for number, image in enumerate(images(figure, "plane")):
        inks = ends[number]
        values = picture.values[number].reshape(6, 8)
        blank = channels(LIGHT.empty)
        shades = coloured(values, inks.table, low=inks.low, high=inks.high, blank=blank)
        np.testing.assert_array_equal(cells_of(image, 6, 8)[..., :3], shades)


def test_that_the_scale_is_the_one_that_suits_where_nobody_chose() -> None:
    picture = features()
    assert picture.scales is not None
    assert picture.scales.first == COMMON
    assert not images(draw_planes(picture, plan()), "own bar")
    # One plane that reaches far would leave the others pale.
    ends = replace(picture.scales.ends, low=np.zeros(5), high=np.array([9.0, 0.1, 0.1, 0.1, 0.1]))
    common = picture.scales.common._replace(low=0.0, high=9.0)
    uneven = replace(picture, scales=replace(picture.scales, ends=ends, common=common))
    assert images(draw_planes(uneven, plan()), "own bar")
    assert not images(draw_planes(uneven, plan(FeaturesState(scaling=COMMON))), "own bar")


def test_that_only_planes_that_are_searched_for_are_drawn() -> None:
    picture = features()
    figure = draw_planes(picture, plan(FeaturesState(search="A")))
    assert texts(figure, "plane name") == [
        "acid",
        *(n for n in picture.names if n in ("heat", "salt", "dark")),
    ]
    with pytest.raises(UserError) as refused:
        draw_planes(picture, plan(FeaturesState(search="moon")))
    assert refused.value.keys == ("figure.nothing",)


def test_that_captions_stand_below_planes() -> None:
    state = FeaturesState(by="correlation", option="salt")
    picture = features("som", state)
    figure = draw_planes(picture, plan(state))
    assert texts(figure, "plane caption") == list(picture.captions)
    assert texts(figure, "plane name")[0] == "salt"


def test_that_chosen_nodes_are_outlined_on_every_plane() -> None:
    picture = features()
    figure = draw_planes(picture, plan(selection=CHOSEN))
    lines = outlines(figure)
    expected = picture.tiles.outline(picture.chosen_nodes(CHOSEN))
    assert len(lines) == 5
    assert {len(one) for one in lines} == {len(expected)}
    for one, image in zip(lines, found(figure, AxesImage, "plane"), strict=True):
        left, right, bottom, top = image.get_extent()
        ends = one.reshape(-1, 2)
        assert (ends >= [left - 1e-6, top - 1e-6]).all()
        assert (ends <= [right + 1e-6, bottom + 1e-6]).all()
    assert not outlines(draw_planes(picture, plan()))


def test_that_a_chosen_node_is_outlined_where_it_is() -> None:
    picture = features()
    items = Selection.of(some_matrix().item_ids[:1])
    (node,) = np.flatnonzero(picture.chosen_nodes(items))
    figure = draw_planes(picture, plan(selection=items))
    left, right, bottom, top = found(figure, AxesImage, "plane")[0].get_extent()
    middle = outlines(figure)[0].reshape(-1, 2).mean(axis=0)
    column = (middle[0] - left) / (right - left) * 8.0
    row = (middle[1] - top) / (bottom - top) * 6.0
    assert (int(row), int(column)) == divmod(int(node), 8)


def test_that_an_enlarged_plane_is_alone_and_made_of_shapes() -> None:
    picture = features()
    state = FeaturesState(enlarged="salt", search="nothing like it", scaling=COMMON)
    figure = draw_planes(picture, plan(state, selection=CHOSEN))
    assert texts(figure, "plane name") == ["salt"]
    assert not images(figure, "plane")
    (cells,) = found(figure, PolyCollection, "cells")
    assert len(cells.get_paths()) == 48
    number = picture.names.index("salt")
    inks = picture.inks(number, COMMON)
    blank = channels(LIGHT.empty)
    shades = coloured(picture.values[number], inks.table, low=inks.low, high=inks.high, blank=blank)
    faces = np.rint(255.0 * to_rgba_array(cells.get_facecolor())).astype(int)[:, :3]
    np.testing.assert_array_equal(faces, shades)
    assert len(outlines(figure)) == 1


@pytest.mark.parametrize("lattice", ["hexagonal", "cubic", "random", "hyperbolic"])
def test_that_every_node_of_any_structure_has_a_shape(lattice: str) -> None:
    picture = FeaturesState().picture(shown_of("som", lattice=lattice))
    assert picture.grid is not None
    figure = draw_planes(picture, plan(FeaturesState(enlarged="heat")))
    (cells,) = found(figure, PolyCollection, "cells")
    assert len(cells.get_paths()) == picture.grid.n_nodes


def test_that_a_large_map_alone_is_an_image() -> None:
    picture = FeaturesState().picture(shown_of("som", shape=(52, 50), n_epochs=2))
    figure = draw_planes(picture, plan(FeaturesState(enlarged="heat")))
    assert not found(figure, PolyCollection, "cells")
    assert len(images(figure, "plane")) == 1


def test_that_a_plane_that_is_not_there_any_more_leaves_all_of_them() -> None:
    figure = draw_planes(features(), plan(FeaturesState(enlarged="moon")))
    assert len(texts(figure, "plane name")) == 5


def test_that_items_are_points_where_there_are_no_nodes_and_chosen_ones_have_rings() -> None:
    picture = features("pca")
    plain = images(draw_planes(picture, plan()), "plane")
    ringed = images(draw_planes(picture, plan(selection=CHOSEN)), "plane")
    dark = np.array(channels(LIGHT.text))
    for before, after in zip(plain, ringed, strict=True):
        assert before.shape[-1] == 3
        assert 0.01 < (before < 255).any(axis=-1).mean() < 0.7
        n_dark = [
            int((np.abs(one.astype(int) - dark).sum(axis=-1) < 12).sum()) for one in (before, after)
        ]
        assert n_dark[1] > n_dark[0] + 20


@pytest.mark.parametrize(("n_planes", "width"), [(79, 174.0), (79, 85.0), (5000, 174.0)])
def test_that_as_many_planes_as_a_page_holds_are_drawn_and_the_rest_is_counted(
    n_planes: int, width: float
) -> None:
    picture = many(n_planes)
    figure = draw_planes(picture, plan(width=width, size=6.0))
    names = texts(figure, "plane name")
    assert len(names) == len(images(figure, "plane"))
    assert size_mm(figure)[1] <= 236.0
    if n_planes == 79:
        assert len(names) == 79
        assert not texts(figure, "note")
    else:
        assert 100 < len(names) < 400
        note = " ".join(texts(figure, "note"))
        assert str(len(names)) in note
        assert "5 000" in note.replace("\u202f", " ")


def test_that_the_note_of_the_picture_is_on_the_page() -> None:
    figure = draw_planes(replace(features(), note="Not in order"), plan())
    assert texts(figure, "note") == ["Not in order."]


def test_that_images_are_as_fine_as_the_paper() -> None:
    for dpi in (150.0, 300.0):
        look = Look(width_mm=114.0, font_size=7.0, dpi=dpi)
        figure = draw_planes(features(), FigurePlan(state=FeaturesState(), look=look))
        for image in found(figure, AxesImage, "plane"):
            left, right, *_ = image.get_extent()
            pixels = image.get_array()
            assert pixels is not None
            assert pixels.shape[1] == round((right - left) / 25.4 * dpi)
            assert image.get_interpolation() == "none"


# Portraits


def test_that_portraits_share_their_scale_whatever_the_state_says() -> None:
    state = PortraitsState(scaling=OWN)
    picture = state.picture(shown_of("som"))
    figure = draw_planes(picture, plan(state))
    assert texts(figure, "plane name") == list(NAMES)
    assert not images(figure, "own bar")
    assert texts(figure, "bar name")


def test_that_portraits_that_are_refused_give_no_figure() -> None:
    picture = PortraitsState().picture(shown_of("pca"))
    with pytest.raises(UserError) as refused:
        draw_planes(picture, plan(PortraitsState()))
    assert refused.value.keys == ("figure.nothing",)


@pytest.mark.parametrize(("width", "size"), LOOKS)
@pytest.mark.parametrize("scaling", [COMMON, OWN])
def test_that_everything_is_readable_at_any_width(width: float, size: float, scaling: str) -> None:
    state = FeaturesState(scaling=scaling)
    picture = replace(
        features(), names=("a name that is far too long", "b", "cold 10 and more", "$d_1$", "e")
    )
    how = plan(state, width=width, size=size)
    assert_readable(draw_planes(picture, how), how.look)


# Where small pictures are


def test_that_pictures_fill_the_width_in_even_rows() -> None:
    laid = multiples(8, (0.0, 0.0), room=(170.0, 200.0), aspect=1.0, above=3.0)
    assert laid.columns == 4
    assert laid.n_drawn == 8
    boxes = [laid.box(number) for number in range(8)]
    assert max(box.right for box in boxes) == pytest.approx(laid.right)
    assert max(box.bottom for box in boxes) == pytest.approx(laid.bottom)
    assert laid.right <= 170.0
    assert boxes[4].left == boxes[0].left
    assert boxes[4].top > boxes[0].bottom + 3.0


def test_that_wanted_columns_stay_if_smaller_pictures_fit() -> None:
    laid = multiples(40, (0.0, 0.0), room=(170.0, 200.0), aspect=1.0, columns=4)
    assert laid.columns == 4
    assert laid.n_drawn == 40
    assert laid.bottom <= 200.0


def test_that_too_many_pictures_are_as_many_as_fit() -> None:
    laid = multiples(9999, (0.0, 0.0), room=(100.0, 100.0), aspect=1.0)
    assert 0 < laid.n_drawn < 9999
    assert laid.n_drawn % laid.columns == 0
    assert laid.bottom <= 100.0
    assert laid.right <= 100.0


def test_that_long_names_keep_both_ends() -> None:
    assert cut_middle("short", 50.0, size=8.0) == "short"
    cut = cut_middle("alpha factor 119 minutes", 20.0, size=8.0)
    assert cut.startswith("alpha")
    assert cut.endswith("es")
    assert "…" in cut
