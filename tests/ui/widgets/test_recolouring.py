"""Light and dark: every widget ends in the right colours, in slices of the event loop."""

from __future__ import annotations

import gc
import re
import weakref
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QColor, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.control_gallery import Gallery
from ximstudio.pictures.colours import DARK, LIGHT
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.widgets.look import recolouring
from ximstudio.ui.widgets.look.controls import label, mark
from ximstudio.ui.widgets.look.sheet import style_sheet
from ximstudio.ui.widgets.look.theme import Scheme, Theme, palette, the_theme

pytestmark = pytest.mark.usefixtures("dressed")
ROLES = [role for role in QPalette.ColorRole if role is not QPalette.ColorRole.NColorRoles]
GROUPS = (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of a single widget."""
    monkeypatch.setattr(recolouring, "SLICE_SECONDS", 0.0)


def settle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: the_theme().settled, timeout=60_000)


def colours_of(widget: QWidget) -> list[str]:
    has = widget.palette()
    return [has.color(group, role).name() for group in GROUPS for role in ROLES]


def dress_again(application: QApplication) -> None:
    """Style all widgets the way Qt does it, all at once."""
    now = the_theme().colours
    application.setStyleSheet("")
    application.setPalette(palette(now))
    application.setStyleSheet(style_sheet(now))


def test_that_only_colours_differ_between_the_schemes() -> None:
    # Otherwise it would not be enough to paint: everything would have to be laid out again.
    bare = {re.sub(r"#[0-9A-Fa-f]{6}|:/look/\w+", "", style_sheet(each)) for each in (LIGHT, DARK)}
    assert len(bare) == 1


@pytest.mark.parametrize("scheme", [Scheme.DARK, Scheme.LIGHT])
def test_that_controls_look_as_if_they_were_built_in_these_colours(
    qtbot: QtBot, scheme: Scheme
) -> None:
    the_theme().choose(Scheme.LIGHT if scheme is Scheme.DARK else Scheme.DARK)
    galleries = [Gallery()]
    galleries[0].show()
    qtbot.waitExposed(galleries[0])
    the_theme().switch(scheme)
    settle(qtbot)
    galleries.append(Gallery())
    pictures = []
    for each in galleries:
        qtbot.addWidget(each)
        with qtbot.waitExposed(each):
            each.show()
        pictures.append(each.grab().toImage())
    assert pictures[0] == pictures[1]


def test_that_widgets_seen_or_not_end_as_if_they_were_dressed_anew(
    qtbot: QtBot, qapp: QApplication
) -> None:
    gallery = Gallery()
    hidden, menu, own = QDialog(gallery), QMenu("Menu", gallery), QLineEdit(gallery)
    qtbot.addWidget(gallery)
    column = QVBoxLayout(hidden)
    for part in (label("Muted", kind="muted"), QListWidget(), QLineEdit("text")):
        column.addWidget(part)
    menu.addAction("Action")
    own.setStyleSheet("QLineEdit { padding: 3px; }")
    for each in (hidden, menu):
        # Polished, as anything that was seen once.
        each.show()
        each.hide()
    with qtbot.waitExposed(gallery):
        gallery.show()

    for scheme in (Scheme.DARK, Scheme.LIGHT):
        the_theme().switch(scheme)
        settle(qtbot)
        found = {each: colours_of(each) for each in qapp.allWidgets()}
        pictures = [each.grab().toImage() for each in (hidden, menu)]
        dress_again(qapp)
        assert {each: colours_of(each) for each in found} == found
        assert [each.grab().toImage() for each in (hidden, menu)] == pictures
        assert all(each.updatesEnabled() for each in qapp.allWidgets())


def test_that_the_window_with_its_views_ends_in_the_right_colours(
    qtbot: QtBot, qapp: QApplication, mapped: MainWindow
) -> None:
    mapped.views.show_panes("4")
    for pane, view in zip(
        mapped.views.panes, ("map", "positions", "heat_map", "features"), strict=True
    ):
        pane.show_view(view)
    qtbot.waitUntil(lambda: mapped.jobs.idle and mapped.views.is_drawn)
    mapped.choose_scheme("dark")
    settle(qtbot)
    found = {each: colours_of(each) for each in mapped.findChildren(QWidget)}
    for pane in mapped.views.panes:
        picture = pane.view.grab().toImage()
        shown = {
            picture.pixelColor(x, y).name()
            for x in range(0, picture.width(), 7)
            for y in range(0, picture.height(), 7)
        }
        assert DARK.surface.lower() in shown, pane.key
        assert LIGHT.surface.lower() not in shown or pane.view.kind.key == "positions", pane.key
    dress_again(qapp)
    assert {each: colours_of(each) for each in found} == found


def test_that_colours_a_widget_had_for_a_while_do_not_come_back(qtbot: QtBot) -> None:
    text = label("text", kind="error")
    qtbot.addWidget(text)
    text.show()
    the_theme().choose(Scheme.DARK)
    mark(text, "kind", "")
    assert text.palette().color(QPalette.ColorRole.WindowText) == QColor(DARK.text)


@pytest.mark.usefixtures("tiny")
def test_that_a_window_is_painted_when_all_that_is_seen_of_it_is_ready(qtbot: QtBot) -> None:
    window = QFrame()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    parts = [label(str(number), kind="muted") for number in range(6)]
    for part in parts:
        column.addWidget(part)
    with qtbot.waitExposed(window):
        window.show()
    muted = QColor(DARK.muted)
    ready: list[list[bool]] = []

    class Painted(QObject):
        def eventFilter(self, _: QObject, event: QEvent) -> bool:
            if event.type() is QEvent.Type.Paint:
                role = QPalette.ColorRole.WindowText
                ready.append([part.palette().color(role) == muted for part in parts])
            return False

    watch = Painted()
    window.installEventFilter(watch)
    the_theme().switch(Scheme.DARK)
    settle(qtbot)
    qtbot.waitUntil(lambda: bool(ready))
    assert all(all(each) for each in ready)


def test_that_a_window_is_painted_that_was_about_to_be_in_the_old_colours(qtbot: QtBot) -> None:
    window = _Painted()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: bool(window.darkness))
    # As when the menu closes in which the scheme was chosen.
    window.update()
    the_theme().switch(Scheme.DARK)
    settle(qtbot)
    qtbot.waitUntil(lambda: window.darkness[-1])


class _Painted(QWidget):
    """Notes whether it is dark whenever it is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.darkness: list[bool] = []

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.darkness.append(the_theme().dark)


@pytest.mark.usefixtures("tiny")
def test_that_the_window_listens_between_two_slices(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    n_parts = 12
    for _ in range(n_parts):
        QLabel("text", window)
    with qtbot.waitExposed(window):
        window.show()
    heard: list[bool] = []
    timer = QTimer(window, interval=0)
    timer.timeout.connect(lambda: heard.append(the_theme().settled))
    timer.start()
    the_theme().switch(Scheme.DARK)
    settle(qtbot)
    assert heard.count(False) >= n_parts


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("n_slices", [0, 1, 2, 5, 9, 14])
def test_that_switching_twice_ends_right_wherever_the_first_one_was(
    qtbot: QtBot, qapp: QApplication, n_slices: int
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for _ in range(4):
        column.addWidget(label("text", kind="muted"))
    with qtbot.waitExposed(window):
        window.show()
    before = {each: colours_of(each) for each in qapp.allWidgets()}
    told: list[bool] = []
    the_theme().follow(_Following(window, told).tell)
    the_theme().switch(Scheme.DARK)
    for _ in range(n_slices):
        the_theme()._recolouring._slices.run_next()
    the_theme().switch(Scheme.LIGHT)
    settle(qtbot)
    assert {each: colours_of(each) for each in qapp.allWidgets()} == before
    assert all(each.updatesEnabled() for each in qapp.allWidgets())
    assert told[-1] is False
    assert window.grab().toImage().pixelColor(1, 1) == QColor(LIGHT.window)


class _Following(QObject):
    """Notes whether it is dark whenever it is told of other colours."""

    def __init__(self, parent: QObject, told: list[bool]) -> None:
        super().__init__(parent)
        self._told = told

    def tell(self) -> None:
        self._told.append(the_theme().dark)

    def fail(self) -> None:
        raise ValueError("colours")


@pytest.mark.usefixtures("tiny")
def test_that_what_is_opened_meanwhile_comes_before_what_is_hidden(qtbot: QtBot) -> None:
    window, dialog = QWidget(), QDialog()
    for each in (window, dialog):
        qtbot.addWidget(each)
        for _ in range(20):
            label("text", kind="muted").setParent(each)
        each.show()
    late = label("late", kind="muted")
    late.setParent(dialog)
    late.show()
    for each in (window, dialog):
        each.hide()
    the_theme().switch(Scheme.DARK)
    slices = the_theme()._recolouring._slices
    slices.run_next()
    dialog.show()
    role = QPalette.ColorRole.WindowText
    n_slices = 0
    while late.palette().color(role) != QColor(DARK.muted):
        slices.run_next()
        n_slices += 1
    assert n_slices < 40
    assert not the_theme().settled
    the_theme().finish()


@pytest.mark.usefixtures("tiny")
def test_that_a_failure_of_one_keeps_nobody_else_from_the_new_colours(
    qtbot: QtBot, qapp: QApplication
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    told: list[bool] = []
    first, second = _Following(window, told), _Following(window, told)
    for method in (first.tell, first.fail, second.tell):
        the_theme().follow(method)
    with qtbot.waitExposed(window):
        window.show()
    with qtbot.captureExceptions() as failures:
        the_theme().switch(Scheme.DARK)
        settle(qtbot)
    assert [kind for kind, *_ in failures] == [ValueError]
    assert told == [True, True]
    assert window.updatesEnabled()
    assert qapp.palette().color(QPalette.ColorRole.Text) == QColor(DARK.text)
    with qtbot.captureExceptions():
        the_theme().switch(Scheme.LIGHT)
        settle(qtbot)


@pytest.mark.usefixtures("tiny")
def test_that_widgets_may_go_while_colours_change(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    parts = [QLabel("text", window) for _ in range(10)]
    with qtbot.waitExposed(window):
        window.show()
    the_theme().switch(Scheme.DARK)
    the_theme()._recolouring._slices.run_next()
    for part in parts[::2]:
        shiboken6.delete(part)
    settle(qtbot)
    the_theme().switch(Scheme.LIGHT)
    the_theme()._recolouring._slices.run_next()
    shiboken6.delete(window)
    settle(qtbot)


def test_that_whoever_follows_is_not_kept_alive() -> None:
    told: list[bool] = []
    parent = QObject()
    gone = _Following(parent, told)
    the_theme().follow(gone.tell)
    known = weakref.ref(gone)
    shiboken6.delete(parent)
    del gone, parent
    gc.collect()
    assert known() is None
    the_theme().choose(Scheme.DARK)
    assert not told


def test_that_a_change_of_the_system_is_followed_in_slices(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    the_theme().choose(Scheme.AUTO)
    monkeypatch.setattr(Theme, "_wanted", lambda _: DARK)
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert not the_theme().settled
    settle(qtbot)
    assert window.grab().toImage().pixelColor(1, 1) == QColor(DARK.window)


@pytest.fixture(autouse=True)
def _settled() -> Iterator[None]:
    yield
    the_theme().finish()
