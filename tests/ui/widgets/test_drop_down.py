"""Entries of drop-downs explain themselves in full: names and sentences are never cut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import shown_of
from tests.ui.opened_views import drawn, opened
from ximstudio.ui.views import AnyView
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.drop_down import MOST_WIDTH, NAME
from ximstudio.ui.widgets.look.fonts import Text, font

pytestmark = pytest.mark.usefixtures("dressed")


@pytest.mark.parametrize("kind", [MapView, PositionsView], ids=lambda kind: kind.kind.key)
def test_that_every_entry_has_room_for_its_name_and_all_of_its_sentence(
    qtbot: QtBot, kind: type[AnyView]
) -> None:
    view = opened(qtbot, kind)
    drawn(view, shown_of("c-xim"))
    chooser = view.layers if isinstance(view, MapView) else view.colouring  # type: ignore[attr-defined]
    box, listed = chooser.what, chooser.what.view()
    width = listed.minimumWidth()
    assert width <= MOST_WIDTH
    wrapped = 0
    for row in range(box.count()):
        index = box.model().index(row, 0)
        about = box.itemData(row, Qt.ItemDataRole.ToolTipRole)
        assert about
        assert QFontMetrics(font()).horizontalAdvance(box.itemText(row)) < width
        room = QRect(0, 0, width - 2 * spacing.SMALL, 1000)
        face = QFontMetrics(font(Text.CAPTION))
        needed = face.boundingRect(room, Qt.TextFlag.TextWordWrap, about)
        wrapped += needed.height() > face.lineSpacing() + 2
        assert needed.width() <= room.width()
        hint = box.itemDelegate().sizeHint(QStyleOptionViewItem(), index)
        assert hint.height() >= NAME + needed.height()
    # Those of the map are long.
    assert wrapped or kind is not MapView
