"""Qt itself works in this environment; every other window test builds on it."""

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

EMITS = 20_000


def test_that_qt_starts_on_the_platform_that_was_asked_for(qapp: QApplication) -> None:
    assert qapp.platformName() == os.environ["QT_QPA_PLATFORM"]


def test_that_a_widget_is_painted(qtbot: QtBot) -> None:
    teal = QColor(0, 128, 128)
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setPalette(QPalette(teal))
    widget.setAutoFillBackground(True)
    widget.resize(40, 30)

    picture = widget.grab().toImage()

    assert (picture.width(), picture.height()) == (40, 30)
    assert picture.pixelColor(20, 15) == teal


def test_that_signals_do_not_wear_out_none_and_true() -> None:
    # PySide6 6.12.0 releases None and True once too often per emit, until Python aborts. That
    # must not take the other tests along, so a process of its own does the emitting.
    finished = subprocess.run([sys.executable, str(Path(__file__))], check=False)

    assert finished.returncode == 0


class _Sender(QObject):
    sent = Signal(object)


def _emit_none_and_true() -> None:
    sender = _Sender()
    received: list[object] = []
    sender.sent.connect(received.append)
    for _ in range(EMITS):
        sender.sent.emit(None)
        sender.sent.emit(True)
        received.clear()


if __name__ == "__main__":
    _emit_none_and_true()
