"""The first page: samples, recent files, dropped files and pasted cells."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.windows import PATIENCE, shown_window, table_file, wait_idle
from ximstudio.assets import asset
from ximstudio.load import Choices
from ximstudio.load.samples import samples
from ximstudio.prepare.input import Input
from ximstudio.ui.app.welcome import MOST_SHOWN, Welcome
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.runtime.settings import Recent, Settings


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    shown = shown_window(qtbot)
    shown.bar.reading.setChecked(True)
    yield shown
    shown.close()


def dialog_of(qtbot: QtBot, window: MainWindow) -> ImportDialog:
    qtbot.waitUntil(lambda: bool(window.findChildren(ImportDialog)), timeout=PATIENCE)
    (dialog,) = window.findChildren(ImportDialog)
    qtbot.waitUntil(lambda: dialog.good is not None and window.jobs.idle, timeout=PATIENCE)
    assert isinstance(dialog, ImportDialog)
    return dialog


def mime(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drag(window: MainWindow, data: QMimeData) -> bool:
    event = QDragEnterEvent(
        QPoint(400, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    # Qt leaves the answer to the window.
    event.ignore()
    QApplication.sendEvent(window, event)
    return event.isAccepted()


def drop(window: MainWindow, data: QMimeData) -> None:
    event = QDropEvent(
        QPointF(400, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(window, event)


def test_that_a_click_on_a_sample_opens_it(qtbot: QtBot, window: MainWindow) -> None:
    assert window.pages.currentWidget() is window.welcome

    QTest.mouseClick(window.welcome.sample_cards["yeast"], Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window)

    data = window.user_actions.session.data
    assert data is not None
    assert data.matrix is not None
    assert data.matrix.values.shape == (186, 79)
    assert window.pages.currentWidget() is not window.welcome
    assert window.settings.now.recent == ()


def test_that_the_keyboard_opens_a_sample_too(qtbot: QtBot, window: MainWindow) -> None:
    card = window.welcome.sample_cards["yeast"]
    card.setFocus()

    QTest.keyClick(card, Qt.Key.Key_Return)
    wait_idle(qtbot, window)

    assert window.user_actions.session.data is not None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("key", list(samples()))
def test_that_every_sample_has_its_picture(qapp: QApplication, key: str, scheme: str) -> None:
    assert qapp
    assert not QPixmap(str(asset("samples", f"{key}-{scheme}.png"))).isNull()


def test_that_a_dropped_file_is_opened_by_the_dialog_and_remembered(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = table_file(tmp_path)

    assert drag(window, mime(path))
    assert window.welcome.drop_area.property("active") == "true"
    drop(window, mime(path))
    assert window.welcome.drop_area.property("active") == "false"
    dialog_of(qtbot, window).accept()
    qtbot.waitUntil(lambda: window.user_actions.session.data is not None, timeout=PATIENCE)
    wait_idle(qtbot, window)

    (recent,) = window.settings.now.recent
    assert Path(recent.name) == path
    assert recent.size.startswith("40 ")
    assert window.settings.now.folder == str(tmp_path)


def test_that_text_that_is_dragged_is_not_taken(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("hello")

    assert not drag(window, data)
    assert window.welcome.drop_area.property("active") != "true"


def test_that_of_several_dropped_files_the_first_is_opened(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    first, second = (table_file(tmp_path, name) for name in ("a.csv", "b.csv"))

    drag(window, mime(first, second))
    drop(window, mime(first, second))
    dialog = dialog_of(qtbot, window)

    assert [problem.key for problem in window.banner.problems] == ["window.several_files"]
    assert dialog.windowTitle().endswith("a.csv")
    dialog.reject()


def test_that_copied_cells_can_be_pasted(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    cells = table_file(tmp_path).read_text(encoding="utf-8").replace(",", "\t")
    QGuiApplication.clipboard().setText(cells)

    QTest.keyClick(window.welcome, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    dialog = dialog_of(qtbot, window)

    assert dialog.good is not None
    dialog.reject()


def test_that_an_empty_clipboard_opens_nothing(qtbot: QtBot, window: MainWindow) -> None:
    QGuiApplication.clipboard().setText(" \n")

    with qtbot.assertNotEmitted(window.welcome.text_pasted):
        QTest.keyClick(window.welcome, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def test_that_a_recent_file_is_opened_as_the_last_time(qtbot: QtBot, tmp_path: Path) -> None:
    path = table_file(tmp_path)
    wanted = Input(name=str(path), choices=Choices(items="columns"))
    settings = Settings()
    settings.remember_file(Recent(name=str(path), input=wanted.as_values()))
    window = shown_window(qtbot, settings)

    (row,) = window.welcome.recent_rows
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    wait_idle(qtbot, window)

    data = window.user_actions.session.data
    assert data is not None
    assert data.table.n_items == 4
    assert data.input == wanted


def test_that_recent_sessions_and_tables_are_told_apart(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    settings.remember_file(Recent(name="/data/a.csv"))
    settings.remember_file(Recent(name="/data/a.xims", size="3 maps", session=True))
    window = shown_window(qtbot, Settings(tmp_path / "settings.json"))
    session, table = window.welcome.recent_rows
    assert (session.recent.session, table.recent.session) == (True, False)
    assert session.accessibleName() != table.accessibleName()
    assert session.sign.pixmap().toImage() != table.sign.pixmap().toImage()
    window.close()


def test_that_recent_files_can_be_taken_off_the_list(qtbot: QtBot) -> None:
    settings = Settings()
    for number in range(MOST_SHOWN + 1):
        settings.remember_file(Recent(name=f"/data/{number}.csv"))
    window = shown_window(qtbot, settings)
    shown = [row.recent.name for row in window.welcome.recent_rows]
    assert len(shown) == MOST_SHOWN

    window.welcome.recent_rows[0].forget.click()
    after = [row.recent.name for row in window.welcome.recent_rows]
    window.bar.forget_wanted.emit()

    assert after == [*shown[1:], "/data/0.csv"]
    assert window.welcome.recent_rows == []
    assert settings.now.recent == ()


def test_that_the_page_fits_into_a_small_window(qtbot: QtBot) -> None:
    welcome = Welcome(Settings())
    qtbot.addWidget(welcome)
    welcome.resize(900, 560)
    with qtbot.waitExposed(welcome):
        welcome.show()

    page = welcome.widget()
    assert page is not None
    assert page.width() <= welcome.viewport().width()
