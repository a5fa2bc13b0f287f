"""Views on the screen, each by itself, and pictures drawn in them."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ximstudio.pictures.map import MapPicture
from ximstudio.pictures.positions import PositionsPicture
from ximstudio.pictures.quality import QualityPicture
from ximstudio.session.shown import Shown
from ximstudio.ui.views import View
from ximstudio.ui.views.map_view import MapView
from ximstudio.ui.views.positions_view import PositionsView
from ximstudio.ui.views.quality_view import QualityView

SIZE = (900, 560)
V = TypeVar("V", bound=View)


def opened(qtbot: QtBot, kind: type[V], size: tuple[int, int] = SIZE) -> V:
    """A view on the screen."""
    view = kind()
    qtbot.addWidget(view)
    view.resize(*size)
    with qtbot.waitExposed(view):
        view.show()
    return view


@overload
def drawn(view: MapView, shown: Shown) -> MapPicture: ...
@overload
def drawn(view: PositionsView, shown: Shown) -> PositionsPicture: ...
@overload
def drawn(view: QualityView, shown: Shown) -> QualityPicture: ...
def drawn(view: View, shown: Shown) -> Any:
    """Have the view draw what it wishes for, as the window does; the picture of it."""
    picture = view.wish()(shown)
    view.draw(picture)
    QApplication.processEvents()
    while not view.is_drawn:
        QApplication.processEvents()
    view.grab()
    return picture
