"""Helpers for the export dialog: open it, wait for its drawing, and save like the user."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.hands import click, click_tab
from tests.ui.windows import PATIENCE, wait_idle
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.exporting.dialog import PAGES, ExportDialog


def opened(qtbot: QtBot, window: MainWindow, page: str = "figure") -> ExportDialog:
    """The dialog after a click on the button of the toolbar, at one of its pages."""
    click(window.bar.export)
    dialog = window.exporter.dialog
    qtbot.waitUntil(dialog.isVisible)
    number = [kind.key for kind in PAGES].index(page)
    if number:
        click_tab(dialog.tabs, number)
    settled(qtbot, window)
    return dialog


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Until all that was asked for is there."""
    exporting = window.exporter.exporting

    def still() -> bool:
        works = (exporting.drawing, exporting.writing, exporting.describing)
        return not any(work.busy for work in works)

    qtbot.waitUntil(still, timeout=PATIENCE)
    wait_idle(qtbot, window)


def drawn(qtbot: QtBot, window: MainWindow) -> None:
    """Until the figure is there in the size in which it is seen."""
    dialog = window.exporter.dialog
    preview = dialog.figure.preview

    def there() -> bool:
        return not preview.is_blank and preview.is_sharp

    qtbot.waitUntil(there, timeout=PATIENCE)
    settled(qtbot, window)


def file_dialog(qtbot: QtBot, dialog: ExportDialog) -> QFileDialog:
    """The question for a file, after a click on Save as."""
    click(dialog.save_as)
    qtbot.waitUntil(lambda: bool(_open_ones(dialog)))
    return _open_ones(dialog)[0]


def _open_ones(dialog: ExportDialog) -> list[QFileDialog]:
    return [each for each in dialog.findChildren(QFileDialog) if each.isVisible()]


def write_name(asked: QFileDialog, path: Path) -> None:
    """Write the name of a file, and say yes."""
    field = asked.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    field.setText(str(path))
    box = asked.findChild(QDialogButtonBox)
    assert isinstance(box, QDialogButtonBox)
    yes = box.button(QDialogButtonBox.StandardButton.Save)
    assert isinstance(yes, QPushButton)
    yes.click()


def saved(qtbot: QtBot, window: MainWindow, path: Path) -> Path:
    """The file after it was saved by clicks."""
    dialog = window.exporter.dialog
    write_name(file_dialog(qtbot, dialog), path)
    settled(qtbot, window)
    return path
