"""Every entry of VIEWS in the real window, with every method, while it trains and afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

# The window tests say what is missing; without them this module has nothing to say.
pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.conftest import WARDROBE, delete_closed
from tests.ui.windows import LONG, PATIENCE, is_running, shown_window, table_file, wait_idle
from ximstudio.prepare.input import Input
from ximstudio.train import METHODS
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.views import VIEWS, AnyView
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

pytestmark = pytest.mark.thorough
PANES = 4
"""Number of views that a window shows at once."""
WITHOUT_STEPS = {
    method.key for method in METHODS if not {"n_steps", "n_epochs"} & set(method.params.specs())
}
"""Methods that are over before anybody could look."""
WITHOUT_NODES = {method.key for method in METHODS if method.map_kernel is None}
"""Methods of whose nodes there is nothing to see."""


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """A window with a table, in which four views are seen."""
    WARDROBE.dress(qapp)
    the_theme().choose(Scheme.LIGHT)
    shown = shown_window(qtbot)
    shown.user_actions.open(Input(name=str(table_file(tmp_path))))
    qtbot.waitUntil(lambda: shown.user_actions.session.data is not None, timeout=PATIENCE)
    shown.views.split.button("4").click()
    wait_idle(qtbot, shown)
    yield shown
    shown.close()
    delete_closed()


def views_of(window: MainWindow, kinds: Sequence[type[AnyView]]) -> list[AnyView]:
    for pane, kind in zip(window.views.panes, kinds, strict=True):
        pane.show_view(kind.kind.key)
    views = [pane.view for pane in window.views.panes]
    assert all(view.isVisible() for view in views)
    return views


def plan(window: MainWindow, method: str) -> None:
    window.user_actions.choose_method(method)
    params = window.user_actions.session.plan.params
    # At its usual rate a descent comes to rest, and its pictures too, before a slow machine looks.
    wanted = {"shape": (4, 6), "n_steps": LONG, "n_epochs": LONG // 1000, "rate": 1e-6}
    known = params.specs()
    window.user_actions.set_params(
        params.replace(**{k: v for k, v in wanted.items() if k in known})
    )


def grabbed(views: list[AnyView]) -> list[QImage]:
    # Layouts, those inside of plots too, follow in the event loop.
    QApplication.processEvents()
    return [view.grab().toImage() for view in views]


def all_differ(views: list[AnyView], before: list[QImage]) -> bool:
    return all(now != old for now, old in zip(grabbed(views), before, strict=True))


@pytest.mark.parametrize("method", [method.key for method in METHODS])
def test_that_views_show_a_training_and_what_became_of_it(
    qtbot: QtBot, window: MainWindow, method: str
) -> None:
    check_views(qtbot, window, VIEWS[:PANES], method)


def test_that_other_views_show_a_training_and_what_became_of_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    # Compare shows runs that are there, side by side, whatever is trained.
    kinds = [kind for kind in VIEWS if not kind.kind.compares]
    for first in range(PANES, len(kinds), PANES):
        check_views(qtbot, window, kinds[max(0, min(first, len(kinds) - PANES)) :][:PANES], "c-xim")


def check_views(
    qtbot: QtBot, window: MainWindow, kinds: Sequence[type[AnyView]], method: str
) -> None:
    """Train a map, and look at it in four views."""
    views = views_of(window, kinds)
    nothing = grabbed(views)
    plan(window, method)

    window.train()
    if method not in WITHOUT_STEPS:
        qtbot.waitUntil(lambda: is_running(window), timeout=PATIENCE)
        qtbot.waitUntil(lambda: all_differ(views, nothing), timeout=PATIENCE)
        alive = [view for view in views if view.kind.key != "map" or method not in WITHOUT_NODES]
        first = grabbed(alive)
        # All of them follow while it goes on.
        qtbot.waitUntil(lambda: all_differ(alive, first), timeout=PATIENCE)
        window.user_actions.pause()
        qtbot.waitUntil(lambda: window.user_actions.phase is Phase.PAUSED, timeout=PATIENCE)
        wait_idle(qtbot, window)
        live = grabbed(views)
        assert grabbed(views) == live
        window.user_actions.stop()
    wait_idle(qtbot, window)

    (run,) = window.user_actions.session.runs
    assert run.result.method == method
    assert run.measures
    assert all_differ(views, nothing)
    window.user_actions.delete_run(run.key)
    wait_idle(qtbot, window)
    assert grabbed(views) == nothing
