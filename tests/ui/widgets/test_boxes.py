"""Rows and columns of widgets in one call."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from ximstudio.ui.widgets.boxes import STRETCH, Stretch, hbox, vbox


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_that_parts_stand_in_order_with_their_shares(holder: QWidget) -> None:
    first, second, third = QLabel("1"), QLabel("2"), QLabel("3")
    inner = hbox(second, STRETCH)
    made = vbox(first, 7, (inner, 2), (third, Qt.AlignmentFlag.AlignRight), Stretch(3), into=holder)
    assert holder.layout() is made
    assert made.direction() is QBoxLayout.Direction.TopToBottom
    assert inner.direction() is QBoxLayout.Direction.LeftToRight
    assert [made.stretch(number) for number in range(made.count())] == [0, 0, 2, 0, 3]
    assert [each.parentWidget() for each in (first, second, third)] == [holder] * 3
    spacer, aligned = made.itemAt(1), made.itemAt(3)
    assert spacer is not None
    assert spacer.sizeHint().height() == 7
    assert aligned is not None
    assert aligned.alignment() == Qt.AlignmentFlag.AlignRight


def test_that_gap_and_margins_are_set_only_if_given(holder: QWidget) -> None:
    usual = vbox(into=holder).contentsMargins()
    assert hbox(gap=3, margins=5).spacing() == 3
    assert hbox(margins=5).contentsMargins().top() == 5
    margins = hbox(margins=(1, 2, 3, 4)).contentsMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom()) == (1, 2, 3, 4)
    assert usual.left() > 0
