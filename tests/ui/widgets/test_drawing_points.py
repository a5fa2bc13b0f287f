"""Positions: discs where the points are, in order, found again under the mouse."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from ximstudio.model.grid import Grid, Lattice
from ximstudio.pictures.colours import DARK, LIGHT
from ximstudio.pictures.density import counts, density_pixels, density_table, smoothed
from ximstudio.pictures.point_looks import default_size
from ximstudio.pictures.raster import dots
from ximstudio.pictures.raster.dots import PHASES, disc_stamps, plain_splat, stamp_points, warm_up
from ximstudio.pictures.raster.frame import Pixels, RasterFrame, packed
from ximstudio.pictures.raster.places import PlaceIndex
from ximstudio.pictures.torus import Torus
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.points import PointsItem
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

SIZE = 300, 260
RED, BLUE, GREEN = (200, 30, 30), (30, 30, 200), (30, 160, 60)
CORNERS = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 8.0], [10.0, 8.0]])
FRAME = RasterFrame(width=40, height=30, scale_x=2.0, scale_y=2.0, offset_x=5.0, offset_y=4.0)
pytestmark = pytest.mark.usefixtures("light")


@pytest.fixture(params=["compiled", "plain"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points drawn by the compiled loop, and by numpy as before it is warm."""
    warm_up()
    if request.param == "plain":
        monkeypatch.setattr(dots._loop, "compiled", None)


def item_with(colours: list[tuple[int, int, int]], positions: NDArray[np.float64]) -> PointsItem:
    item = PointsItem()
    item.show_positions(positions)
    item.show_colours(np.array(colours, dtype=np.uint8))
    item.show_size(12.0)
    item.show_opacity(1.0)
    return item


def canvas_with(qtbot: QtBot, item: PointsItem) -> Canvas:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.add(item)
    with qtbot.waitExposed(canvas):
        canvas.show()
    canvas.fit()
    canvas.grab()
    return canvas


def colour_at(canvas: Canvas, x: float, y: float) -> QColor:
    image: QImage = canvas.grab().toImage()
    spot = canvas.position_of(QPointF(x, y)) * image.devicePixelRatio()
    return image.pixelColor(spot.toPoint())


def stamped_by_twin(
    x: NDArray[np.float64], y: NDArray[np.float64], colours: Pixels, diameter: float
) -> NDArray[np.float64]:
    """Premultiplied channels (height, width, 4) of discs laid over each other, one by one."""
    stamps = disc_stamps(diameter)
    half = stamps.shape[2] // 2
    picture = np.zeros((FRAME.height, FRAME.width, 4))
    for i in range(len(x)):
        across = FRAME.scale_x * x[i] + FRAME.offset_x
        down = FRAME.scale_y * y[i] + FRAME.offset_y
        if np.isnan(across + down):
            continue
        column, line = int(np.floor(across)), int(np.floor(down))
        stamp = stamps[int((down - line) * PHASES), int((across - column) * PHASES)]
        ink = np.array([(int(colours[i]) >> shift) & 255 for shift in (0, 8, 16, 24)])
        for (r, c), coverage in np.ndenumerate(stamp):
            at = line + r - half, column + c - half
            if 0 <= at[0] < FRAME.height and 0 <= at[1] < FRAME.width:
                added = ink * coverage / 256.0
                picture[at] = added + picture[at] * (1.0 - added[3] / 255.0)
    return picture


def test_that_drawing_does_not_wait_for_slow_libraries() -> None:
    # The window must be there at once; the compiled loop is fetched later, in the lane.
    modules = ("mesh", "points", "colour_bar", "legend", "hover_card", "curves")
    program = (
        f"import sys, {', '.join(f'ximstudio.ui.widgets.drawing.{name}' for name in modules)};"
        "print([name for name in ('numba', 'scipy', 'pandas', 'matplotlib', 'sklearn')"
        " if name in sys.modules])"
    )

    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert finished.stdout.strip() == "[]"


@given(diameter=st.floats(1.0, 25.0))
def test_that_discs_have_the_area_of_discs(diameter: float) -> None:
    stamps = disc_stamps(round(diameter, 1))

    areas = stamps.sum(axis=(2, 3)) / 256.0
    assert areas == pytest.approx(np.pi * round(diameter, 1) ** 2 / 4.0, rel=0.06)
    # Nothing is cut off: the outermost pixels are hardly touched.
    assert stamps.shape[2] >= diameter


@given(seed=st.integers(0, 10_000), diameter=st.sampled_from([1.0, 3.0, 6.5]))
def test_that_the_loop_draws_what_its_twin_draws(seed: int, diameter: float) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-4.0, 20.0, (2, 30))
    x[3] = np.nan
    colours = packed(rng.integers(0, 256, (30, 4)).astype(np.uint8))
    pixels = np.zeros((FRAME.height, FRAME.width), dtype=np.uint32)
    warm_up()

    stamp_points(pixels, x, y, order=np.arange(30), colours=colours, diameter=diameter, frame=FRAME)

    channels = pixels.view(np.uint8).reshape(FRAME.height, FRAME.width, 4)
    twin = stamped_by_twin(x, y, colours, diameter)
    # Rounding down, once per disc and channel.
    assert np.abs(channels - twin).max() <= 8.0
    assert np.abs(channels - twin).mean() < 0.6


def test_that_points_can_be_drawn_before_the_loop_is_compiled() -> None:
    x, y = np.array([2.2, 5.2, -50.0]), np.array([3.2, 6.2, 3.0])
    colours = packed(np.array([RED, BLUE, GREEN], dtype=np.uint8))
    transform = np.array([2.0, 5.0, 2.0, 4.0])
    clip = np.array([0.0, 0.0, 40.0, 30.0])
    pixels = np.zeros((30, 40), dtype=np.uint32)

    plain_splat(pixels, x, y, np.arange(3), colours, disc_stamps(5.0), transform, clip)

    assert pixels[10, 9] == colours[0]
    assert pixels[16, 15] == colours[1]
    assert colours[2] not in pixels
    assert (pixels != 0).sum() == 2 * (disc_stamps(5.0)[2, 2] >= 128).sum()


@pytest.mark.usefixtures("either_way")
def test_that_points_outside_the_clip_are_left_out() -> None:
    pixels = np.zeros((FRAME.height, FRAME.width), dtype=np.uint32)
    places = np.array([2.0, 12.0])
    colours = packed(np.array([RED, BLUE], dtype=np.uint8))

    stamp_points(
        pixels,
        places,
        places,
        order=np.arange(2),
        colours=colours,
        diameter=4.0,
        frame=FRAME,
        clip=np.array([0.0, 0.0, 20.0, 20.0]),
    )

    assert colours[0] in pixels
    assert colours[1] not in pixels


@pytest.mark.usefixtures("either_way")
def test_that_points_are_where_their_positions_are(qtbot: QtBot) -> None:
    canvas = canvas_with(qtbot, item_with([RED, BLUE, GREEN, RED], CORNERS))

    for place, colour in zip(CORNERS.tolist(), (RED, BLUE, GREEN, RED), strict=True):
        assert colour_at(canvas, *place) == QColor(*colour)
    assert colour_at(canvas, 5.0, 4.0) == QColor(LIGHT.surface)


@pytest.mark.usefixtures("either_way")
def test_that_points_keep_their_size_when_zoomed(qtbot: QtBot) -> None:
    canvas = canvas_with(qtbot, item_with([RED] * 4, CORNERS))

    def red_pixels() -> float:
        image: QImage = canvas.grab().toImage()
        found = sum(
            image.pixelColor(i, j) == QColor(*RED)
            for i in range(image.width())
            for j in range(image.height())
        )
        return found / image.devicePixelRatio() ** 2

    four = red_pixels()
    canvas.view.setRange(QRectF(-1.0, -1.0, 2.0, 2.0))
    one = red_pixels()
    assert one == pytest.approx(np.pi * 36.0, rel=0.35)
    assert four == pytest.approx(4 * one, rel=0.15)


@pytest.mark.usefixtures("either_way")
def test_that_classes_can_be_hidden(qtbot: QtBot) -> None:
    item = item_with([RED, BLUE, RED, BLUE], CORNERS)
    canvas = canvas_with(qtbot, item)

    item.show_only(np.array([True, False, True, False]))

    assert colour_at(canvas, *CORNERS[0]) == QColor(*RED)
    assert colour_at(canvas, *CORNERS[1]) == QColor(LIGHT.surface)
    assert item.point_at(*CORNERS[1]) == -1
    item.show_only(None)
    assert colour_at(canvas, *CORNERS[1]) == QColor(*BLUE)
    assert item.point_at(*CORNERS[1]) == 1


@pytest.mark.usefixtures("either_way")
def test_that_selected_points_are_in_front_and_others_dimmed(qtbot: QtBot) -> None:
    places = np.array([[0.0, 0.0], [0.1, 0.0], [10.0, 8.0]])
    item = item_with([RED, BLUE, GREEN], places)
    canvas = canvas_with(qtbot, item)
    assert colour_at(canvas, 0.1, 0.0) == QColor(*BLUE)

    item.select(np.array([True, False, False]))
    assert colour_at(canvas, 0.0, 0.0) == QColor(*RED)
    dimmed = colour_at(canvas, 10.0, 8.0)
    assert dimmed.lightness() > 200
    the_theme().choose(Scheme.DARK)
    assert colour_at(canvas, 10.0, 8.0).lightness() < 60
    assert colour_at(canvas, 5.0, 4.0) == QColor(DARK.surface)
    item.select(None)
    assert colour_at(canvas, 10.0, 8.0) == QColor(*GREEN)


@pytest.mark.usefixtures("either_way")
def test_that_opacity_lets_the_background_through(qtbot: QtBot) -> None:
    item = item_with([(0, 0, 0)] * 4, CORNERS)
    canvas = canvas_with(qtbot, item)

    item.show_opacity(0.5)

    assert colour_at(canvas, *CORNERS[0]).lightness() == pytest.approx(127, abs=3)


def test_that_the_hovered_point_gets_a_ring(qtbot: QtBot) -> None:
    item = item_with([RED] * 4, CORNERS)
    canvas = canvas_with(qtbot, item)
    spot = canvas.position_of(QPointF(0.0, 0.0))

    def darkest() -> int:
        image: QImage = canvas.grab().toImage()
        ratio = image.devicePixelRatio()
        ring = (spot + QPointF(k, 0.0) for k in range(7, 12))
        return min(image.pixelColor((place * ratio).toPoint()).lightness() for place in ring)

    assert darkest() > 200
    item.hover(0)
    assert darkest() < 100
    item.hover(-1)
    assert darkest() > 200


@given(
    seed=st.integers(0, 10_000),
    n_places=st.integers(0, 300),
    x=st.floats(-1.0, 6.0),
    y=st.floats(-1.0, 4.0),
    reach=st.floats(0.01, 2.0),
)
def test_that_no_place_nearby_is_missed(
    seed: int, n_places: int, x: float, y: float, reach: float
) -> None:
    given_places = np.random.default_rng(seed).uniform((0.0, 0.0), (5.0, 3.0), (n_places, 2))
    given_places[::17] = np.nan
    places = PlaceIndex(given_places)

    found = places.items[places.within(x, y, reach, reach)]

    near = (np.abs(given_places - (x, y)) <= reach).all(axis=1)
    assert set(np.flatnonzero(near)) <= set(found.tolist())
    assert sorted(places.items.tolist()) == list(range(n_places))
    assert np.array_equal(places.x, given_places[places.items, 0], equal_nan=True)


def test_that_the_nearest_point_is_found(qtbot: QtBot) -> None:
    rng = np.random.default_rng(5)
    positions = rng.uniform(0.0, 10.0, (500, 2))
    item = item_with([RED] * 500, positions)
    item.show_size(2.0)
    canvas = canvas_with(qtbot, item)
    pixel = item.pixelSize()[0]

    for place in rng.uniform(0.0, 10.0, (50, 2)):
        apart = np.hypot(*(positions - place).T)
        nearest = int(apart.argmin())
        reachable = apart[nearest] / pixel <= 8.0 + 1.0
        assert item.point_at(*place) == (nearest if reachable else -1)
    assert canvas.isVisible()


def test_that_nothing_is_found_among_no_points(qtbot: QtBot) -> None:
    item = PointsItem()
    canvas = canvas_with(qtbot, item)

    assert item.point_at(0.0, 0.0) == -1
    assert colour_at(canvas, 0.0, 0.0) == QColor(LIGHT.surface)


@pytest.mark.usefixtures("either_way")
def test_that_positions_of_one_place_and_blanks_are_drawn(qtbot: QtBot) -> None:
    places = np.array([[3.0, 3.0], [np.nan, 1.0], [3.0, 3.0], [np.inf, 2.0]])
    item = item_with([RED, BLUE, GREEN, BLUE], places)
    canvas = canvas_with(qtbot, item)
    canvas.view.setRange(QRectF(2.0, 2.0, 2.0, 2.0))

    assert colour_at(canvas, 3.0, 3.0) == QColor(*GREEN)


def test_that_positions_on_a_torus_are_wrapped_and_shifted(qtbot: QtBot) -> None:
    grid = Grid(rows=4, columns=6, lattice=Lattice.HEXAGONAL, toroidal=True)
    item = item_with([RED, BLUE], np.array([[0.0, 0.0], [5.0, 2.0]]))

    item.show_positions(np.array([[0.0, 0.0], [5.0, 2.0]]), grid=grid, rows=2, columns=3)

    assert item.place_of(0) == QPointF(3.0, 2 * grid.row_height)
    assert item.place_of(1).x() == pytest.approx(2.0)
    canvas = canvas_with(qtbot, item)
    assert colour_at(canvas, 3.0, 2 * grid.row_height) == QColor(*RED)


@pytest.mark.usefixtures("either_way")
def test_that_a_torus_is_repeated_with_its_points(qtbot: QtBot) -> None:
    grid = Grid(rows=4, columns=6, toroidal=True)
    item = item_with([(0, 0, 0), BLUE], np.array([[5.0, 1.0], [2.0, 2.0]]))
    item.show_positions(np.array([[5.0, 1.0], [2.0, 2.0]]), grid=grid, beyond=2)
    canvas = canvas_with(qtbot, item)

    assert colour_at(canvas, 5.0, 1.0) == QColor(0, 0, 0)
    assert 120 < colour_at(canvas, -1.0, 1.0).lightness() < 220
    # Beyond the repeated cells there is nothing.
    assert colour_at(canvas, -1.0, 1.0 - 4.0) == QColor(LIGHT.surface)


@given(seed=st.integers(0, 1000))
def test_that_wrapped_positions_lie_within_one_period(seed: int) -> None:
    grid = Grid(rows=4, columns=6, lattice=Lattice.HEXAGONAL, toroidal=True)
    torus = Torus.of(grid, rows=2, columns=-7, beyond=1)
    positions = np.random.default_rng(seed).uniform(-20.0, 20.0, (20, 2))

    wrapped = torus.wrapped(positions)

    assert (wrapped >= grid.origin).all()
    assert (wrapped <= np.add(grid.origin, grid.periods)).all()
    turns = (positions + torus.shift - wrapped) / grid.periods
    assert np.allclose(turns, np.rint(turns))


def test_that_a_density_counts_points(qtbot: QtBot) -> None:
    rng = np.random.default_rng(0)
    cloud = rng.normal(size=(20_000, 2)) * 0.8 + (2.0, 2.0)
    item = item_with([RED] * 20_001, np.concatenate([cloud, [[9.0, 8.0]]]))
    item.show_density(dense=True)
    canvas = canvas_with(qtbot, item)

    assert colour_at(canvas, 2.0, 2.0).lightness() < 90
    lone = colour_at(canvas, 9.0, 8.0)
    assert QColor(LIGHT.surface) != lone
    assert lone.lightness() > 120
    item.show_only(np.arange(20_001) == 20_000)
    assert colour_at(canvas, 2.0, 2.0) == QColor(LIGHT.surface)


def test_that_counts_are_those_of_a_histogram() -> None:
    x, y = np.random.default_rng(1).uniform(-5.0, 25.0, (2, 5000))
    x[7] = np.nan
    edges = [np.arange(size + 1) for size in (FRAME.height, FRAME.width)]

    twin, *_ = np.histogram2d(2.0 * y + 4.0, 2.0 * x + 5.0, bins=edges)

    assert np.array_equal(counts(FRAME, x, y), twin)


def test_that_smoothing_keeps_the_sum_away_from_borders() -> None:
    values = np.zeros((21, 21), dtype=np.float32)
    values[10, 10] = 16.0

    spread = smoothed(values, 2)

    assert spread.sum() == pytest.approx(16.0)
    assert spread[10, 10] == spread.max() < 16.0
    assert np.allclose(spread, spread.T)


def test_that_more_points_are_never_lighter() -> None:
    densities = np.array([[0.0, 0.1, 1.0, 10.0, 1000.0]], dtype=np.float32)

    pixels = density_pixels(densities, density_table(the_theme().colours))[0]

    lightness = [QColor.fromRgba(int(pixel)).lightness() for pixel in pixels[1:]]
    assert pixels[0] == 0
    assert lightness == sorted(lightness, reverse=True)
    assert not density_pixels(
        np.zeros((2, 2), dtype=np.float32), density_table(the_theme().colours)
    ).any()


def test_that_more_points_are_smaller() -> None:
    sizes = [default_size(n) for n in (1, 100, 1000, 10_000, 100_000, 1_000_000)]

    assert sizes == sorted(sizes, reverse=True)
    assert 2.0 <= sizes[-1] < sizes[0] <= 11.0


def test_that_states_need_a_mark_per_point() -> None:
    item = item_with([RED] * 4, CORNERS)

    with pytest.raises(ValueError, match="colours"):
        item.show_colours(np.zeros((3, 3), dtype=np.uint8))
    with pytest.raises(ValueError, match="marks"):
        item.select(np.ones(3, dtype=np.bool_))


@pytest.mark.usefixtures("either_way")
def test_that_colours_stay_while_points_move(qtbot: QtBot) -> None:
    item = item_with([RED, BLUE, GREEN, RED], CORNERS)
    canvas = canvas_with(qtbot, item)

    item.show_positions(CORNERS[::-1].copy())

    assert colour_at(canvas, *CORNERS[2]) == QColor(*BLUE)
