"""Contents of the figure of a sweep, and of its picture."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from tests.figures.on_the_page import assert_readable, found, images, size_mm, texts
from tests.ui.maps_to_show import some_matrix
from ximstudio.figures.look import Look
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.sweep import SweepAxis, Variant, sweep, variants
from ximstudio.measure.trials import TrialResult
from ximstudio.model.problem import Problem, UserError
from ximstudio.pictures.colours import LIGHT
from ximstudio.train import method_named
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.compare.state import SWEEP, CompareState
from ximstudio.views.compare.sweep_figure import sweep_figure
from ximstudio.views.compare.sweep_picture import SHOWN, SweepPicture, front, ordered, sweep_picture

AXES = (SweepAxis("shape", ((4, 4), (5, 5))), SweepAxis("n_steps", (100, 200, 400)))
LOOKS = [(174.0, 8.0), (114.0, 7.0), (85.0, 9.0), (85.0, 6.0)]


@cache
def swept() -> tuple[tuple[Variant, ...], dict[int, TrialResult]]:
    method = method_named("xim")
    params = method.params.from_values({})
    made = variants(params, AXES)
    *_, last = sweep(some_matrix(), method, params, AXES)
    places = {variant.name: place for place, variant in enumerate(made)}
    return made, {places[one.trial.name]: one for one in last.found}


@cache
def picture(order: str = "grid", n_found: int = 6) -> SweepPicture:
    made, every = swept()
    some = {place: one for place, one in every.items() if place < n_found}
    return sweep_picture(some_matrix(), AXES, variants=made, found=some, order=order)


def plan(width: float = 114.0, size: float = 7.0) -> FigurePlan:
    return FigurePlan(state=CompareState(page=SWEEP), look=Look(width_mm=width, font_size=size))


# The picture


def test_that_a_picture_tells_settings_values_and_the_front() -> None:
    made, every = swept()
    assert sorted(every) == list(range(6))
    keys = [measure.key for measure in MEASURES]
    for one in picture().maps:
        assert one.result is every[one.place].result
        assert len(one.settings) == 2
        assert list(one.values) == keys
        np.testing.assert_array_equal(list(one.values.values()), every[one.place].values)
        assert [letter for letter, _ in one.figures] == list(SHOWN.values())
        specs = made[one.place].params.specs()
        shown = [specs[name].show(value) for name, value in made[one.place].settings.items()]
        assert all(text.endswith(value) for text, value in zip(one.settings, shown, strict=True))
    values = {one.place: one.values for one in picture().maps}
    assert {one.place for one in picture().maps if one.front} == front(values)
    assert picture().columns == 3
    assert picture().n_trained == 6


def test_that_the_order_is_that_of_the_settings_or_of_a_measure() -> None:
    assert [one.place for one in picture().maps] == list(range(6))
    best = picture("trustworthiness")
    values = [one.values["trustworthiness"] for one in best.maps]
    assert values == sorted(values, reverse=True)
    assert best.columns == 0
    errors = [one.values["sammon"] for one in picture("sammon").maps]
    assert errors == sorted(errors)


def test_that_maps_without_a_value_come_last() -> None:
    nothing = {1: {"sammon": float("nan")}, 2: {"sammon": 0.5}, 3: {"sammon": 0.25}}
    assert ordered(4, nothing, "sammon") == [3, 2, 0, 1]


def test_that_no_map_alone_is_a_front() -> None:
    values = dict.fromkeys(SHOWN, 0.5)
    assert front({4: values}) == frozenset()
    assert front({4: values, 7: dict.fromkeys(SHOWN, 0.75)}) == {7}


# The figure


def test_that_every_map_is_there_with_its_settings_and_figures() -> None:
    figure = sweep_figure(picture(), plan())
    assert len(images(figure, "map")) == 6
    written = texts(figure, "setting")
    assert sorted(written) == sorted(text for one in picture().maps for text in one.settings)
    figures = " ".join(texts(figure, "figures"))
    for one in picture().maps:
        for letter, value in one.figures:
            assert f"{letter} {value:.3f}" in figures


def test_that_rows_of_pictures_are_rows_of_the_grid() -> None:
    figure = sweep_figure(picture(), plan())
    frames = found(figure, Rectangle, "frame")
    lefts = [round(one.get_x(), 3) for one in frames]
    assert len(set(lefts)) == 3
    assert lefts[:3] == lefts[3:]


def test_that_the_front_is_framed_and_explained() -> None:
    figure = sweep_figure(picture(), plan())
    frames = found(figure, Rectangle, "frame")
    framed = [to_hex(one.get_edgecolor()) == LIGHT.accent.lower() for one in frames]
    assert framed == [one.front for one in picture().maps]
    assert any(framed)
    assert texts(figure, "note")
    nobody = replace(picture(), maps=tuple(replace(one, front=False) for one in picture().maps))
    assert not texts(sweep_figure(nobody, plan()), "note")


def test_that_dots_have_the_colours_that_the_legend_names() -> None:
    figure = sweep_figure(picture(), plan())
    assert texts(figure, "legend title") == ["kind"]
    assert texts(figure, "legend name") == ["ribosome", "proteasome", "respiration", "no label"]
    ribosome = np.array([int(LIGHT.classes[0][place : place + 2], 16) for place in (1, 3, 5)])
    for image in images(figure, "map"):
        assert (image[..., :3] == ribosome).all(axis=-1).mean() > 0.005


def test_that_maps_to_come_and_refused_ones_keep_their_places() -> None:
    problem = Problem(key="k", what="Too small.", where="here", way_out="Larger.")
    maps = list(picture(n_found=4).maps)
    maps[1] = replace(maps[1], result=None, refused=problem.what)
    figure = sweep_figure(replace(picture(), maps=tuple(maps)), plan())
    assert len(images(figure, "map")) == 3
    assert len(found(figure, Rectangle, "frame")) == 6
    missing = texts(figure, "missing")
    assert len(missing) == 3
    assert len(set(missing)) == 2


def test_that_a_hundred_maps_are_on_a_page_or_counted() -> None:
    maps = tuple(replace(picture().maps[number % 6], place=number) for number in range(100))
    figure = sweep_figure(replace(picture(), maps=maps, columns=10), plan(85.0, 9.0))
    n_drawn = len(images(figure, "map"))
    assert 10 < n_drawn < 100
    note = " ".join(texts(figure, "note"))
    assert str(n_drawn) in note
    assert "100" in note
    assert size_mm(figure)[1] <= 236.0


def test_that_a_sweep_without_maps_is_refused() -> None:
    with pytest.raises(UserError) as refused:
        sweep_figure(picture(n_found=0), plan())
    assert refused.value.keys == ("figure.nothing",)


@pytest.mark.parametrize(("width", "size"), LOOKS)
def test_that_everything_is_readable_at_any_width(width: float, size: float) -> None:
    how = plan(width, size)
    figure = sweep_figure(picture(), how)
    assert_readable(figure, how.look)
    assert {one.get_fontsize() for one in found(figure, Text, "setting")} == {size - 1.0}
