"""Views on the screen, each by itself, and pictures drawn in them."""

from __future__ import annotations

from typing import Any, TypeVar

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ximstudio.session.shown import Picture, Shown
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.views.common.view import AnyView, View

SIZE = (900, 560)
V = TypeVar("V", bound=AnyView)


def opened(qtbot: QtBot, kind: type[V], size: tuple[int, int] = SIZE) -> V:
    """A view on the screen."""
    view = kind()
    if kind.meet is View.meet:
        qtbot.addWidget(view)
    else:
        actions = Actions()
        view.meet(actions)

        def close(_: Any) -> None:
            actions.jobs.close()

        qtbot.addWidget(view, before_close_func=close)
    view.resize(*size)
    with qtbot.waitExposed(view):
        view.show()
    return view


def drawn(view: View[Any, Picture], shown: Shown) -> Picture:
    """Have the view draw what it requests, as the window does; the picture of it."""
    picture = view.request()(shown)
    view.draw(picture)
    QApplication.processEvents()
    while not view.is_drawn:
        QApplication.processEvents()
    view.grab()
    return picture
