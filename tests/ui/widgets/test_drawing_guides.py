"""Guides of a drawing: colour bar, legend, hover card, curves, and the canvas itself."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QHideEvent, QImage, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.drawing_gallery import Gallery
from ximstudio.pictures.colours import DARK, LIGHT
from ximstudio.pictures.curves import spread
from ximstudio.pictures.ticks import number_text, tick_texts, ticks
from ximstudio.ui.widgets.drawing.canvas import Canvas
from ximstudio.ui.widgets.drawing.colour_bar import BAR, SPARE, ColourBar
from ximstudio.ui.widgets.drawing.curves import NAME_HEIGHT, Curves
from ximstudio.ui.widgets.drawing.hover_card import HoverCard, Line, placed_beside
from ximstudio.ui.widgets.drawing.legend import ROW, Legend, LegendEntry
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

TABLE = np.linspace((250, 10, 20), (30, 40, 240), 256).astype(np.uint8)
ENTRIES = [
    LegendEntry(name="Ribo", colour="#0072B2", count=121),
    LegendEntry(name="Resp", colour="#E69F00", count=27),
    LegendEntry(name="", colour="#009E73", count=1402),
]
LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier
pytestmark = pytest.mark.usefixtures("dressed")


def shown(qtbot: QtBot, widget: QWidget, width: int, height: int) -> None:
    qtbot.addWidget(widget)
    widget.resize(width, height)
    with qtbot.waitExposed(widget):
        widget.show()


def count(image: QImage, colour: str) -> int:
    wanted = QColor(colour).rgb()
    return sum(
        image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height())
    )


@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-3, 1e6), most=st.integers(1, 12))
def test_that_ticks_are_round_few_and_inside(low: float, span: float, most: int) -> None:
    found = ticks(low, low + span, most=most)

    assert len(found) <= most
    assert all(low - 1e-6 * span <= tick <= low + span * (1.0 + 1e-6) for tick in found)
    if len(found) > 1:
        step = found[1] - found[0]
        mantissa = step / 10.0 ** np.floor(np.log10(step * 1.0001))
        assert min(abs(mantissa - wanted) for wanted in (1.0, 2.0, 5.0)) < 1e-2


def test_that_there_are_enough_ticks() -> None:
    assert ticks(0.0, 1.0, most=6) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert ticks(-3.0, 7.0, most=3) == pytest.approx([0.0, 5.0])
    assert ticks(2.0, 2.0, most=5) == [2.0]
    assert ticks(float("nan"), 1.0, most=5) == []


def test_that_ticks_are_written_alike() -> None:
    assert tick_texts([0.0, 0.05, 0.1]) == ["0.00", "0.05", "0.10"]
    assert tick_texts([-5.0, 0.0, 5.0]) == ["−5", "0", "5"]
    assert tick_texts([0.0, 50_000.0, 100_000.0]) == ["0", "50\u202f000", "100\u202f000"]
    assert tick_texts([-2_500.0, 0.0]) == ["−2\u202f500", "0"]
    assert tick_texts([0.0, 2_000_000.0]) == ["0", "2·10⁶"]
    assert tick_texts([]) == []


def test_that_numbers_without_end_are_written() -> None:
    assert number_text(float("inf")) == "∞"
    assert number_text(-float("inf")) == "\u2212∞"


def test_that_numbers_are_written_with_the_digits_that_count() -> None:
    written = [number_text(value) for value in (0.0, 1.234567, -12.34, 1234.5, 2e-7, float("nan"))]

    assert written == ["0.00", "1.23", "−12.3", "1\u202f234", "2·10⁻⁷", "–"]


@pytest.mark.parametrize(
    ("high", "texts"),
    [
        (150_000.0, {"0", "50\u202f000", "100\u202f000", "150\u202f000"}),
        (3e7, {"0", "1·10⁷", "2·10⁷", "3·10⁷"}),
        (1.0, {"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}),
    ],
)
def test_that_axes_are_numbered_as_everything_else(
    qtbot: QtBot, high: float, texts: set[str]
) -> None:
    curves = Curves()
    shown(qtbot, curves, 620, 260)
    curves.view.setXRange(0.0, high, padding=0.0)

    axis = curves.getAxis("bottom")
    levels = axis.tickValues(0.0, high, 620.0)
    written = {text for step, values in levels for text in axis.tickStrings(values, 1.0, step)}
    assert written >= texts


def test_that_the_bar_goes_from_low_at_the_bottom_to_high_at_the_top(qtbot: QtBot) -> None:
    bar = ColourBar()
    bar.show_scale(TABLE, low=0.0, high=4.0, name="distance", blank="none")
    shown(qtbot, bar, bar.sizeHint().width(), 300)

    image = bar.grab().toImage()
    ratio = image.devicePixelRatio()
    heights = range(SPARE + 4, 250, 10)
    column = [image.pixelColor((QPointF(3 + BAR / 2, y) * ratio).toPoint()) for y in heights]
    assert (column[0].red(), column[0].blue()) == pytest.approx((30, 240), abs=8)
    reds = [colour.red() for colour in column]
    assert reds == sorted(reds)
    assert bar.limits == (0.0, 4.0)


def test_that_the_bar_marks_a_value_and_follows_the_theme(qtbot: QtBot) -> None:
    bar = ColourBar()
    bar.show_scale(TABLE, low=0.0, high=4.0, blank="none")
    shown(qtbot, bar, bar.sizeHint().width(), 300)
    assert count(bar.grab().toImage(), LIGHT.text) == 0

    bar.mark(2.0)
    assert count(bar.grab().toImage(), LIGHT.text) >= BAR
    bar.mark(float("nan"))
    assert count(bar.grab().toImage(), LIGHT.text) == 0
    assert count(bar.grab().toImage(), LIGHT.empty) > 50
    the_theme().choose(Scheme.DARK)
    assert count(bar.grab().toImage(), DARK.empty) > 50


def test_that_the_bar_takes_as_much_room_as_its_numbers_need(qtbot: QtBot) -> None:
    bar = ColourBar()
    qtbot.addWidget(bar)
    widths = []
    for high in (1.0, 10_000.0):
        bar.show_scale(TABLE, low=0.0, high=high)
        widths.append(bar.sizeHint().width())

    assert widths[0] < widths[1]


def click(legend: Legend, number: int) -> None:
    spot = QPoint(40, 4 + ROW * number + ROW // 2)
    QTest.mouseClick(legend.viewport(), LEFT, NO_KEY, spot)


def double_click(legend: Legend, number: int) -> None:
    # A real double click brings a click before it.
    click(legend, number)
    spot = QPoint(40, 4 + ROW * number + ROW // 2)
    QTest.mouseDClick(legend.viewport(), LEFT, NO_KEY, spot)


@pytest.fixture
def legend(qtbot: QtBot) -> Legend:
    made = Legend()
    made.show_classes(ENTRIES)
    shown(qtbot, made, 200, 140)
    return made


def test_that_a_click_hides_and_shows_a_class(qtbot: QtBot, legend: Legend) -> None:
    assert count(legend.grab().toImage(), "#E69F00") > 40

    with qtbot.waitSignal(legend.shown_changed) as told:
        click(legend, 1)

    assert told.args is not None
    assert told.args[0].tolist() == legend.shown.tolist() == [True, False, True]
    assert count(legend.grab().toImage(), "#E69F00") == 0
    click(legend, 1)
    assert legend.shown.all()


def test_that_a_double_click_isolates_a_class_and_another_shows_all(legend: Legend) -> None:
    double_click(legend, 2)
    assert legend.shown.tolist() == [False, False, True]
    double_click(legend, 2)
    assert legend.shown.all()


def test_that_a_hidden_class_can_be_isolated(legend: Legend) -> None:
    click(legend, 0)
    double_click(legend, 0)

    assert legend.shown.tolist() == [True, False, False]


def test_that_the_legend_works_without_a_mouse(legend: Legend) -> None:
    legend.setCurrentIndex(legend.model().index(0, 0))
    for key, expected in (
        (Qt.Key.Key_Space, [False, True, True]),
        (Qt.Key.Key_Down, [False, True, True]),
        (Qt.Key.Key_Return, [False, True, False]),
        (Qt.Key.Key_Return, [True, True, True]),
    ):
        QTest.keyClick(legend, key)
        assert legend.shown.tolist() == expected


def test_that_the_legend_can_be_filled_and_recoloured(legend: Legend) -> None:
    legend.toggle(0)
    legend.show_colours(["#112233", "#AA00FF", "#445566"])

    assert count(legend.grab().toImage(), "#AA00FF") > 40
    assert legend.shown.tolist() == [False, True, True]
    legend.show_classes(ENTRIES[:2])
    assert legend.shown.tolist() == [True, True]
    legend.toggle(1)
    legend.show_all()
    assert legend.shown.all()


def test_that_a_legend_row_speaks(legend: Legend) -> None:
    legend.toggle(1)
    spoken = legend.model().index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)

    assert spoken == "Resp, 27, hidden"


@given(
    x=st.integers(0, 400),
    y=st.integers(0, 300),
    width=st.integers(10, 380),
    height=st.integers(10, 280),
)
def test_that_a_card_never_leaves_the_view(x: int, y: int, width: int, height: int) -> None:
    room = QRect(0, 0, 400, 300)

    corner = placed_beside(QPoint(x, y), QSize(width, height), room)

    assert room.contains(QRect(corner, QSize(width, height)))


@given(x=st.integers(0, 400), y=st.integers(0, 300))
def test_that_a_small_card_does_not_cover_the_mouse(x: int, y: int) -> None:
    corner = placed_beside(QPoint(x, y), QSize(120, 60), QRect(0, 0, 400, 300))

    assert not QRect(corner, QSize(120, 60)).adjusted(8, 8, -8, -8).contains(QPoint(x, y))


def test_that_a_card_says_what_is_under_the_mouse(qtbot: QtBot) -> None:
    view = QWidget()
    card = HoverCard(view)
    shown(qtbot, view, 400, 300)
    lines = [Line(name="Ribo", value="12", colour="#0072B2"), Line(name="A long name" * 20)]

    card.show_at(QPointF(390.0, 290.0), "Row 3, column 4", lines, more="and 7 more")

    assert card.isVisible()
    assert (card.title, card.lines) == ("Row 3, column 4", tuple(lines))
    assert view.rect().contains(card.geometry())
    image = view.grab().toImage()
    assert count(image, "#0072B2") > 20
    assert count(image, LIGHT.raised) > 2000
    the_theme().choose(Scheme.DARK)
    assert count(view.grab().toImage(), DARK.raised) > 2000


def test_that_a_card_lets_the_mouse_through(qtbot: QtBot) -> None:
    view = QWidget()
    card = HoverCard(view)
    shown(qtbot, view, 400, 300)
    card.show_at(QPoint(10, 10), "Title")

    assert view.childAt(card.geometry().center()) is None


def test_that_a_broken_card_does_not_end_the_program(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[type[BaseException]] = []

    def report(kind: type[BaseException], *_: object) -> None:
        reported.append(kind)

    monkeypatch.setattr(sys, "excepthook", report)
    view = QWidget()
    card = HoverCard(view)
    shown(qtbot, view, 400, 300)
    monkeypatch.setattr(card, "_paint_text", None)
    card.show_at(QPoint(10, 10), "Title")
    view.grab()
    view.grab()

    assert reported == [TypeError]


@given(heights=st.lists(st.floats(0.0, 200.0), max_size=9), room=st.floats(160.0, 300.0))
def test_that_names_keep_apart_and_inside(heights: list[float], room: float) -> None:
    placed = spread(np.array(heights), 16.0, room)

    assert (np.diff(np.sort(placed)) >= 16.0 - 1e-6).all()
    assert (placed >= 8.0 - 1e-6).all()
    assert (placed <= room - 8.0 + 1e-6).all()
    assert [heights[i] for i in np.argsort(placed, kind="stable")] == sorted(heights)


def test_that_names_with_room_stay_where_curves_end() -> None:
    wanted = np.array([120.0, 40.0, 80.0])

    assert np.allclose(spread(wanted, NAME_HEIGHT, 200.0), wanted)
    assert spread(np.array([50.0, 50.0]), 16.0, 200.0) == pytest.approx([42.0, 58.0])


def test_that_curves_are_drawn_in_the_themes_colours(qtbot: QtBot) -> None:
    curves = Curves()
    shown(qtbot, curves, 420, 260)
    x = np.linspace(0.0, 1.0, 50)
    curves.show_curve("trust", x, x, name="Trust")
    curves.show_curve("error", x, 1.0 - x, name="Error", colour="#AA00FF")
    curves.name_axes("step", "share")

    for colours, scheme in ((LIGHT, Scheme.LIGHT), (DARK, Scheme.DARK)):
        the_theme().choose(scheme)
        image = curves.grab().toImage()
        assert count(image, colours.series[0]) > 60
        assert count(image, "#AA00FF") > 60
        assert count(image, colours.surface) > 0.6 * 420 * 260
    assert curves.keys == ("trust", "error")


def test_that_names_stand_where_their_curves_end(qtbot: QtBot) -> None:
    curves = Curves()
    shown(qtbot, curves, 420, 260)
    x = np.linspace(0.0, 1.0, 50)
    y = x.copy()
    y[-5:] = np.nan
    curves.show_curve("high", x, y + 1.0, name="High")
    curves.show_curve("low", x, 0.2 * x, name="Low")
    curves.show_curve("unnamed", x, 0.5 * x)
    curves.grab()

    ends = {name: end.y() for name, _, end in curves.ends()}
    view = curves.view
    assert set(ends) == {"High", "Low"}
    assert ends["High"] < ends["Low"]
    assert ends["High"] == pytest.approx(view.mapFromView(QPointF(0.0, 1.0 + x[-6])).y())


@pytest.mark.parametrize("share", [0.02, 0.5, 0.97, 1.0])
def test_that_names_follow_the_end_of_a_curve_that_is_still_drawn(
    qtbot: QtBot, share: float
) -> None:
    curves = Curves()
    shown(qtbot, curves, 420, 260)
    curves.view.disableAutoRange()
    curves.view.setRange(QRectF(0.0, 0.0, 1.0, 1.0), padding=0.0)
    curves.show_curve("grown", np.array([0.0, share]), np.full(2, 0.5), name="T", colour="#AA00FF")
    qtbot.waitUntil(lambda: curves._names.size().width() > 0.0)
    # Nothing but the letter itself.
    curves._curves["grown"].item.hide()
    curves._curves["grown"].dots.hide()

    image = curves.grab().toImage()
    ratio = image.devicePixelRatio()
    inked = [
        x / ratio
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).saturationF() > 0.5
    ]
    (end,) = (end for *_, end in curves.ends())
    place = curves.view.mapToScene(end).x()
    assert place < min(inked) < max(inked) < place + 24.0


def test_that_a_curve_without_a_name_is_drawn_in_its_colour(qtbot: QtBot) -> None:
    curves = Curves()
    shown(qtbot, curves, 420, 260)
    x = np.arange(5.0)
    curves.show_curve("nameless", x, x)
    assert count(curves.grab().toImage(), the_theme().colours.series[0]) > 60


def test_that_curves_are_replaced_and_taken_away(qtbot: QtBot) -> None:
    curves = Curves()
    shown(qtbot, curves, 420, 260)
    x = np.arange(5.0)
    curves.show_curve("a", x, x, colour="#AA00FF")
    curves.show_curve("a", x, 2.0 * x, colour="#00AA55")
    image = curves.grab().toImage()
    assert count(image, "#AA00FF") == 0
    assert count(image, "#00AA55") > 60

    curves.remove_curve("a")
    curves.remove_curve("never there")
    assert count(curves.grab().toImage(), "#00AA55") == 0
    curves.show_curve("b", x, np.full(5, np.nan), name="Nothing yet")
    curves.grab()
    curves.clear_curves()
    assert curves.keys == ()


def moved(canvas: Canvas, spot: QPoint, held: Qt.MouseButton) -> QMouseEvent:
    return QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(spot),
        QPointF(canvas.viewport().mapToGlobal(spot)),
        Qt.MouseButton.NoButton,
        held,
        Qt.KeyboardModifier.NoModifier,
    )


def test_that_the_canvas_tells_where_the_mouse_is(qtbot: QtBot) -> None:
    canvas = Canvas()
    shown(qtbot, canvas, 300, 200)
    spot = QPoint(120, 90)
    place = canvas.place_of(QPointF(spot))

    with qtbot.waitSignal(canvas.hovered) as told:
        QApplication.sendEvent(canvas.viewport(), moved(canvas, spot, Qt.MouseButton.NoButton))
    assert told.args == [place]
    with qtbot.assertNotEmitted(canvas.hovered):
        QApplication.sendEvent(canvas.viewport(), moved(canvas, spot, LEFT))
    with qtbot.waitSignal(canvas.left):
        QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert canvas.position_of(place) == QPointF(spot)
    with qtbot.waitSignal(canvas.clicked) as clicked:
        QTest.mouseClick(canvas.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, spot)
    assert clicked.args is not None
    assert clicked.args[0].x() == pytest.approx(place.x())
    assert clicked.args[1] == Qt.KeyboardModifier.ControlModifier


def test_that_the_canvas_tells_that_what_was_under_the_mouse_moved_away(qtbot: QtBot) -> None:
    canvas = Canvas()
    shown(qtbot, canvas, 300, 200)
    left: list[None] = []
    canvas.left.connect(lambda: left.append(None))
    drag = moved(canvas, QPoint(90, 90), LEFT)
    focus_lost = QFocusEvent(QEvent.Type.FocusOut)
    for target, event in ((canvas.viewport(), drag), (canvas, focus_lost), (canvas, QHideEvent())):
        QApplication.sendEvent(target, event)
        assert len(left) == 1
        left.clear()
    turn = QWheelEvent(
        QPointF(90.0, 90.0),
        QPointF(canvas.mapToGlobal(QPoint(90, 90))),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        NO_KEY,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas.viewport(), turn)
    assert len(left) == 1


def test_that_y_points_down_and_scales_are_equal(qtbot: QtBot) -> None:
    canvas = Canvas()
    shown(qtbot, canvas, 300, 200)

    origin, right, below = (
        canvas.place_of(QPointF(*spot)) for spot in ((100.0, 100.0), (110.0, 100.0), (100.0, 110.0))
    )

    assert right.x() - origin.x() == pytest.approx(below.y() - origin.y())
    assert below.y() > origin.y()


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_that_everything_is_drawn_together(qtbot: QtBot, scheme: Scheme) -> None:
    the_theme().choose(scheme)
    gallery = Gallery()
    shown(qtbot, gallery, 1000, 700)
    gallery.map.hover(QPointF(5.0, 5.0))
    gallery.positions.hover(gallery.positions.item.place_of(3))

    image = gallery.grab().toImage()

    assert gallery.map.item.hovered >= 0
    assert gallery.positions.item.hovered == 3
    assert gallery.map.card.isVisible()
    colours = {image.pixel(x, y) for x in range(0, 1000, 9) for y in range(0, 700, 9)}
    assert len(colours) > 300
