"""The look: colours that can be read, one style sheet, icons and type that follow the theme."""

import re
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QFile, QPoint, QRect, QSize, QStringListModel, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QHelpEvent,
    QIcon,
    QPalette,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QLineEdit,
    QMenu,
    QPushButton,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.pictures.contrast import SHAPE_CONTRAST, TEXT_CONTRAST, contrast
from tests.ui.control_gallery import Gallery
from ximstudio.assets import asset
from ximstudio.pictures.colours import DARK, LIGHT, Colours, mixed
from ximstudio.ui.views.common.chooser import searchable
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import (
    Banner,
    ButtonKind,
    Size,
    Tone,
    button,
    combo_box,
    icon_segments,
    label,
    mark,
    segments,
    tool_button,
)
from ximstudio.ui.widgets.look.fonts import FAMILY, font
from ximstudio.ui.widgets.look.icons import icon, icon_pixmap
from ximstudio.ui.widgets.look.sheet import style_sheet
from ximstudio.ui.widgets.look.svg import icon_names, register, tinted
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

BACKDROPS = ("window", "surface", "raised", "sunken", "hover", "pressed", "selection")
WANTED_ICONS = {
    "open", "samples", "undo", "redo", "train", "pause", "stop", "compare", "export", "search",
    "settings", "help", "star", "delete", "rename", "eye", "warning", "info", "check",
    "chevron-up", "chevron-down", "chevron-left", "chevron-right", "split-1", "split-2",
    "split-4", "map", "positions", "quality", "data", "prepare", "method", "close", "plus",
}  # fmt: skip
both = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
pytestmark = pytest.mark.usefixtures("dressed")


@both
@pytest.mark.parametrize("backdrop", BACKDROPS)
@pytest.mark.parametrize("role", ["text", "muted", "accent", "danger", "warning", "success"])
def test_that_text_can_be_read_on_every_backdrop(
    colours: Colours, role: str, backdrop: str
) -> None:
    named = colours.named

    assert contrast(named[role], named[backdrop]) >= TEXT_CONTRAST


@both
@pytest.mark.parametrize("tone", ["accent", "danger", "warning", "success"])
def test_that_banners_and_badges_can_be_read(colours: Colours, tone: str) -> None:
    named = colours.named

    assert contrast(named[tone], named[f"{tone}_soft"]) >= TEXT_CONTRAST
    assert contrast(colours.text, named[f"{tone}_soft"]) >= TEXT_CONTRAST


@both
def test_that_marks_stand_out(colours: Colours) -> None:
    for backdrop in (colours.window, colours.surface, colours.raised):
        assert contrast(colours.focus, backdrop) >= SHAPE_CONTRAST
        assert contrast(colours.axis, backdrop) >= SHAPE_CONTRAST
    for fill in (colours.accent, colours.accent_hover, colours.accent_pressed):
        assert contrast(colours.accent_text, fill) >= TEXT_CONTRAST
    # Names of curves are written in the colours of their lines.
    for series in colours.series:
        assert contrast(series, colours.surface) >= TEXT_CONTRAST


def test_that_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert mixed("#000000", "#FF8000", 0.5) == "#804000"


@both
def test_that_the_style_sheet_is_complete(colours: Colours) -> None:
    sheet = style_sheet(colours)

    pictures = set(re.findall(r"url\((.+?)\)", sheet))
    assert "$" not in sheet
    assert sheet.count("{") == sheet.count("}")
    assert pictures
    assert all(QFile.exists(picture) for picture in pictures)


def test_that_files_in_memory_can_be_read_by_path() -> None:
    files = {f"{name}.txt": name.encode() * 50 for name in ("one", "two", "three", "ein Öl")}

    register("look-test", files)

    for name, content in files.items():
        file = QFile(f":/look-test/{name}")
        assert file.open(QFile.OpenModeFlag.ReadOnly)
        assert file.readAll().data() == content


def test_that_a_theme_switches_live(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(20, 20)
    before = window.grab().toImage().pixelColor(10, 10)

    with qtbot.waitSignal(the_theme().changed):
        the_theme().choose(Scheme.DARK)

    assert before == QColor(LIGHT.window)
    assert window.grab().toImage().pixelColor(10, 10) == QColor(DARK.window)
    assert the_theme().dark
    palette = QApplication.palette()
    assert palette.color(QPalette.ColorRole.Text) == QColor(DARK.text)


class _Counting(QWidget):
    """Counts how often its style is said to change."""

    changes = 0

    def changeEvent(self, event: QEvent) -> None:
        self.changes += event.type() is QEvent.Type.StyleChange
        super().changeEvent(event)


def test_that_switching_has_no_widget_laid_out_again(qtbot: QtBot) -> None:
    the_theme().choose(Scheme.LIGHT)
    outer = QWidget()
    qtbot.addWidget(outer)
    inner = _Counting(QFrame(outer))
    outer.show()
    qtbot.waitExposed(outer)
    before = inner.changes
    the_theme().choose(Scheme.DARK)
    # Qt sends it to all widgets when it takes another sheet, which takes most of a second.
    assert inner.changes == before


def test_that_choosing_the_same_scheme_again_changes_nothing(qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(the_theme().changed):
        the_theme().choose(Scheme.LIGHT)


def test_that_auto_does_what_the_system_says(qapp: QApplication) -> None:
    the_theme().choose(Scheme.AUTO)

    system_is_dark = qapp.styleHints().colorScheme() is Qt.ColorScheme.Dark
    assert the_theme().dark is system_is_dark


def test_that_all_icons_are_there() -> None:
    assert set(icon_names()) >= WANTED_ICONS


@pytest.mark.parametrize("name", icon_names())
def test_that_an_icon_is_drawn_in_its_colour_alone(name: str) -> None:
    picture = icon(name, role="danger").pixmap(QSize(32, 32), 1.0).toImage()

    colours = [picture.pixelColor(x, y) for x in range(32) for y in range(32)]
    inked = [colour for colour in colours if colour.alpha() > 200]
    wanted = QColor(LIGHT.danger)
    assert len(inked) > 15
    assert all(abs(colour.red() - wanted.red()) < 4 for colour in inked)
    # Nothing is cut off at the edge.
    assert all(picture.pixelColor(x, y).alpha() == 0 for x in (0, 31) for y in range(32))


def test_that_icons_are_sharp_at_200_percent() -> None:
    once, twice = (icon("map").pixmap(QSize(16, 16), ratio).toImage() for ratio in (1.0, 2.0))

    assert (twice.width(), twice.devicePixelRatio()) == (32, 2.0)
    enlarged = once.scaled(32, 32)
    different = sum(
        enlarged.pixelColor(x, y).alpha() != twice.pixelColor(x, y).alpha()
        for x in range(32)
        for y in range(32)
    )
    assert different > 100
    assert icon_pixmap("map", 16, scale=2.0).width() == 32


def test_that_icons_follow_the_theme_and_the_state() -> None:
    kept = icon("stop")

    def inked(mode: QIcon.Mode = QIcon.Mode.Normal, state: QIcon.State = QIcon.State.Off) -> QColor:
        picture = kept.pixmap(QSize(64, 64), 1.0, mode, state).toImage()
        return max(
            (picture.pixelColor(x, 32) for x in range(64)), key=lambda colour: colour.alpha()
        )

    assert inked() == QColor(LIGHT.text)
    assert inked(QIcon.Mode.Disabled) == QColor(LIGHT.disabled)
    assert inked(state=QIcon.State.On) == QColor(LIGHT.accent)
    the_theme().choose(Scheme.DARK)
    assert inked() == QColor(DARK.text)


THROWN_AWAY = """
import gc
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QPushButton
from ximstudio.ui.widgets.look.icons import icon

app = QApplication([])
button, keeper = QPushButton(), []
keeper += [keeper, icon("map")]
button.setIcon(keeper[1])
del keeper
gc.collect()
assert not button.icon().pixmap(QSize(16, 16)).isNull()
"""


def test_that_a_button_keeps_its_icon_when_the_one_it_was_given_is_collected() -> None:
    # In a process of its own, which would end with it.
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", THROWN_AWAY],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_that_an_unknown_icon_is_refused() -> None:
    with pytest.raises(KeyError, match="no-such-icon"):
        icon("no-such-icon")
    assert b"currentColor" not in tinted("open", "#123456")


def test_that_the_type_is_the_bundled_one(qapp: QApplication) -> None:
    assert qapp.font().family() == FAMILY
    assert set(QFontDatabase.styles(FAMILY)) >= {"Regular", "Medium", "Semi Bold", "Bold"}
    assert asset("fonts", "OFL.txt").read_text(encoding="utf-8").startswith("Copyright")


def test_that_figures_stand_above_each_other() -> None:
    tabular, plain = QFontMetricsF(font(40, tabular=True)), QFontMetricsF(font(40))

    widths = {round(tabular.horizontalAdvance(digit), 3) for digit in "0123456789"}
    assert len(widths) == 1
    assert plain.horizontalAdvance("1") < plain.horizontalAdvance("8")


def test_that_weights_differ() -> None:
    weights = (QFont.Weight.Normal, QFont.Weight.Medium, QFont.Weight.DemiBold, QFont.Weight.Bold)
    widths = [
        QFontMetricsF(font(40, weight=each)).horizontalAdvance("expression") for each in weights
    ]

    assert widths == sorted(set(widths))


@pytest.mark.parametrize(
    ("size", "height"),
    [
        (Size.SMALL, spacing.CONTROL_SMALL),
        (Size.NORMAL, spacing.CONTROL),
        (Size.LARGE, spacing.CONTROL_LARGE),
    ],
)
@pytest.mark.parametrize(
    "kind", [ButtonKind.PLAIN, ButtonKind.PRIMARY, ButtonKind.GHOST, ButtonKind.DANGER]
)
def test_that_buttons_have_the_heights_of_the_scale(
    qtbot: QtBot, kind: ButtonKind, size: Size, height: int
) -> None:
    made = button("Train", kind=kind, size=size, icon_name="train")
    qtbot.addWidget(made)

    assert made.sizeHint().height() == height


def test_that_all_fields_are_equally_high(qtbot: QtBot) -> None:
    fields = (QLineEdit(), QSpinBox(), QDoubleSpinBox(), combo_box(), button("Plain"))
    window = _shown(qtbot, *fields)

    assert window.isVisible()
    assert {field.height() for field in fields} == {spacing.CONTROL}


def test_that_the_ring_of_focus_moves_nothing(qtbot: QtBot) -> None:
    controls = [QLineEdit("text"), QSpinBox(), button("Plain"), combo_box()]
    window = _shown(qtbot, *controls)
    assert window.isVisible()
    places = [control.geometry() for control in controls]

    for control in controls:
        control.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.sendPostedEvents()
        assert [each.geometry() for each in controls] == places
        ring = control.grab().toImage().pixelColor(control.width() // 2, 1)
        assert ring == QColor(LIGHT.focus)


def test_that_a_field_can_be_marked(qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    field.resize(100, 30)

    def edge() -> QColor:
        return field.grab().toImage().pixelColor(50, 0)

    plain = edge()
    mark(field, "state", "error")
    assert edge() == QColor(LIGHT.danger)
    mark(field, "state", "")
    assert edge() == plain == QColor(LIGHT.border_strong)


def test_that_a_switch_and_a_tick_show_their_state(qtbot: QtBot) -> None:
    for kind in ("", "switch"):
        tick = QCheckBox("Toroid")
        qtbot.addWidget(tick)
        tick.setProperty("kind", kind)
        tick.resize(120, 24)
        off = tick.grab().toImage()
        tick.setChecked(True)
        accents = _count(tick, LIGHT.accent)
        assert accents > 40
        assert off != tick.grab().toImage()


def _shown(qtbot: QtBot, *parts: QWidget) -> QWidget:
    """A window with these parts below each other, and the keyboard at it."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for part in parts:
        column.addWidget(part)
    column.addStretch()
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    return window


def _count(widget: QWidget, colour: str) -> int:
    picture = widget.grab().toImage()
    wanted = QColor(colour).rgb()
    pixels = np.array(
        [picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())]
    )
    return int((pixels == wanted).sum())


def test_that_a_text_that_is_the_name_of_an_icon_stays_a_text(qtbot: QtBot) -> None:
    assert "samples" in icon_names()
    words = segments({"genes": "genes", "samples": "samples"})
    signs = icon_segments({"one": ("split-1", "One view"), "two": ("split-2", "Two views")})
    for made in (words, signs):
        qtbot.addWidget(made)

    assert [words.button(key).text() for key in ("genes", "samples")] == ["genes", "samples"]
    assert words.button("samples").icon().isNull()
    for key, tip in (("one", "One view"), ("two", "Two views")):
        sign = signs.button(key)
        assert (sign.text(), sign.accessibleName(), sign.toolTip()) == ("", tip, tip)
        assert not sign.icon().isNull()
    assert (words.value, signs.value) == ("genes", "one")


def test_that_sections_are_written_in_capitals_by_the_sheet(qtbot: QtBot) -> None:
    section = label("Steps", kind="section")
    qtbot.addWidget(section)
    section.ensurePolished()

    assert section.text() == "Steps"
    assert section.font().capitalization() is QFont.Capitalization.AllUppercase


def test_that_three_dots_have_no_arrow_beside_them(qtbot: QtBot) -> None:
    dots, gear = (tool_button(name, tip="More") for name in ("more", "settings"))
    for made in (dots, gear):
        qtbot.addWidget(made)
        made.setMenu(QMenu(made))
        made.setPopupMode(made.ToolButtonPopupMode.InstantPopup)
        made.ensurePolished()

    assert dots.sizeHint().width() < gear.sizeHint().width()


def test_that_a_drop_down_shows_all_of_its_text_in_little_room(qtbot: QtBot) -> None:
    made = combo_box()
    qtbot.addWidget(made)
    made.addItem("U-matrix")
    made.ensurePolished()
    text = made.fontMetrics().horizontalAdvance("U-matrix")

    option = QStyleOptionComboBox()
    made.initStyleOption(option)
    option.rect = QRect(0, 0, text + 40, spacing.CONTROL)
    room = made.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, made
    )
    assert room.width() >= text


def test_that_a_drop_down_says_where_its_text_is_cut_off(qtbot: QtBot) -> None:
    made = combo_box()
    qtbot.addWidget(made)
    made.addItem("Similar together")
    made.resize(200, spacing.CONTROL)
    made.show()
    assert made.shown_text == "Similar together"
    whole = made.grab().toImage()
    made.resize(90, spacing.CONTROL)
    assert made.shown_text.endswith("…")
    assert "Similar together".startswith(made.shown_text[:-1])
    spot = QPoint(20, 10)
    QApplication.sendEvent(made, QHelpEvent(QEvent.Type.ToolTip, spot, made.mapToGlobal(spot)))
    assert QToolTip.text() == "Similar together"
    QToolTip.hideText()
    # As Qt draws it where there is room.
    plain = QComboBox()
    qtbot.addWidget(plain)
    plain.addItem("Similar together")
    plain.resize(200, spacing.CONTROL)
    assert plain.grab().toImage() == whole


def test_that_a_long_name_is_seen_from_its_beginning(qtbot: QtBot) -> None:
    names = QStringListModel(["a name that is longer than the room there is for it"])
    made = searchable(names)
    qtbot.addWidget(made)
    made.resize(90, spacing.CONTROL)
    made.show()
    made.setCurrentIndex(-1)
    made.setCurrentIndex(0)
    line = made.lineEdit()
    assert line is not None
    assert line.cursorPosition() == 0


def test_that_segments_hold_exactly_one_choice(qtbot: QtBot) -> None:
    choice = segments({"rect": "Squares", "hex": "Hexagons"}, chosen="hex")
    qtbot.addWidget(choice)

    with qtbot.waitSignal(choice.chosen) as told:
        QTest.mouseClick(choice.button("rect"), Qt.MouseButton.LeftButton)

    assert told.args == ["rect"]
    assert choice.value == "rect"
    assert not choice.button("hex").isChecked()


def test_that_a_banner_shows_its_message_until_it_is_dismissed(qtbot: QtBot) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    first = banner.show_message("One", "two", tone=Tone.WARNING, actions=("Repair", "Ignore"))
    second = banner.show_message("Three", tone=Tone.DANGER)

    assert [each.text() for each in first] == ["Repair", "Ignore"]
    assert (banner.title, banner.text, banner.tone, second) == ("Three", "", Tone.DANGER, [])
    crosses = [each for each in banner.findChildren(QWidget) if each.toolTip() == "Dismiss"]
    with qtbot.waitSignal(banner.closed):
        QTest.mouseClick(crosses[0], Qt.MouseButton.LeftButton)
    assert not banner.isVisible()


def test_that_a_banner_that_stays_has_no_cross(qtbot: QtBot) -> None:
    banner = Banner(closable=False)
    qtbot.addWidget(banner)
    for _ in range(2):
        banner.show_message("One")
        assert banner.isVisible()
        crosses = [each for each in banner.findChildren(QWidget) if each.toolTip() == "Dismiss"]
        assert not crosses[0].isVisible()


def test_that_tool_buttons_have_a_name_for_screen_readers(qtbot: QtBot) -> None:
    made = tool_button("open", tip="Open a file")
    qtbot.addWidget(made)

    assert made.accessibleName() == "Open a file"


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_that_no_text_of_the_gallery_is_cut_off(qtbot: QtBot, scheme: Scheme) -> None:
    the_theme().choose(scheme)
    gallery = Gallery()
    qtbot.addWidget(gallery)
    with qtbot.waitExposed(gallery):
        gallery.show()

    buttons = [each for each in gallery.findChildren(QPushButton) if each.isVisible()]
    assert len(buttons) > 15
    for each in buttons:
        assert each.width() >= each.sizeHint().width()
        assert each.height() >= each.sizeHint().height()
    assert gallery.grab().toImage().pixelColor(5, 400) == QColor(the_theme().colours.window)
