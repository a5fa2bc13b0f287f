"""Methods whose packages are missing say so wherever they are offered, with the way to get them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.hands import choose, click
from tests.ui.windows import shown_window, wait_idle, with_sample
from ximstudio.model.problem import Problem
from ximstudio.session.plan import method_title
from ximstudio.train import METHODS, checks, method_named
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.views.compare.view import CompareView

pytestmark = pytest.mark.usefixtures("dressed")

METHOD = 2
NEEDING = [method for method in METHODS if method.package is not None]


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """A window of a program without any package that a method needs."""
    monkeypatch.setattr(checks, "find_spec", lambda _: None)
    window = with_sample(qtbot, shown_window(qtbot))
    yield window
    window.close()


def test_that_a_missing_method_is_named_so_and_its_command_can_be_copied(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.steps.open(METHOD)
    (panel,) = window.findChildren(MethodPanel)
    texts = [panel.method.itemText(number) for number in range(panel.method.count())]
    assert texts == [method_title(method) for method in METHODS]
    for method in METHODS:
        assert (method_title(method) == method.name) is (method.package is None)
    chosen = method_named("umap")
    choose(qtbot, panel.method, method_title(chosen))
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: bool(panel.findChildren(QPushButton, "copy-command")))
    (copy,) = panel.findChildren(QPushButton, "copy-command")
    click(copy)
    assert chosen.package is not None
    assert QGuiApplication.clipboard().text() == checks.install_command(chosen.package)


@pytest.mark.parametrize("method", NEEDING, ids=lambda method: method.key)
def test_that_it_is_not_trained_to_be_compared_but_said_how_to_install(
    window: MainWindow, method: object
) -> None:
    told: list[tuple[Problem, ...]] = []
    window.jobs.refused.connect(told.append)
    key = method.key  # type: ignore[attr-defined]
    window.user_actions.comparison.train_method(key)
    assert not window.user_actions.comparison.busy
    assert [problem.key for problem in told[0]] == [checks.PACKAGE]


def test_that_the_compare_view_offers_it_as_missing(qtbot: QtBot, window: MainWindow) -> None:
    window.views.pane.show_view("compare")
    wait_idle(qtbot, window)
    view = window.views.pane.view
    assert isinstance(view, CompareView)
    for key, made in view.joining.items():
        assert made.text() == method_title(method_named(key)) != method_named(key).name
