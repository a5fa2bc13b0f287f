"""Problems of a table come first, are counted in every step, and are repaired by one click."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tests.ui.hands import click
from tests.ui.windows import sample_data, shown_window, take_ready, wait_idle, with_sample
from ximstudio.model.problem import Problem
from ximstudio.prepare.input import Input, Joining
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.session import open_data
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.panels.data.findings import FindingCard, open_findings
from ximstudio.ui.panels.data.panel import DataPanel
from ximstudio.ui.panels.train.panel import TrainPanel
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.widgets.look.theme import the_theme

pytestmark = pytest.mark.usefixtures("dressed")

DATA, PREPARE, METHOD, TRAIN = range(4)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = with_sample(qtbot, shown_window(qtbot))
    yield window
    window.close()


def opened_step(window: MainWindow) -> str:
    return next(panel.key for panel in window.steps.panels if panel.isVisible())


def train_panel(window: MainWindow) -> TrainPanel:
    (found,) = window.findChildren(TrainPanel)
    return found


def repeated_names(folder: Path) -> Path:
    """A table that cannot be trained on: two genes have one name."""
    rows = [
        f"YAL{number % 30:03d}W,{number}.5,{number % 7}.25,{number % 5}" for number in range(31)
    ]
    path = folder / "repeated.csv"
    path.write_text("gene,heat,cold,salt\n" + "\n".join(rows), encoding="utf-8")
    return path


def test_that_another_table_opens_at_its_data(qtbot: QtBot, window: MainWindow) -> None:
    window.steps.open(TRAIN)
    window.user_actions.use_table(sample_data())
    wait_idle(qtbot, window)
    assert opened_step(window) == "data"
    window.steps.open(METHOD)
    window.user_actions.set_recipe(Recipe.of(planned("centre")), "Prepare")
    wait_idle(qtbot, window)
    assert opened_step(window) == "method"


def test_that_the_number_of_findings_is_seen_in_every_step(
    qtbot: QtBot, window: MainWindow
) -> None:
    data = window.user_actions.session.data
    assert data is not None
    n_found = len(open_findings(data))
    assert n_found
    badge = window.steps.buttons[DATA].badge
    for step in range(4):
        window.steps.open(step)
        assert badge.isVisible()
        assert badge.text() == str(n_found)
    assert not any(made.badge.isVisible() for made in window.steps.buttons[1:])
    window.steps.open(DATA)
    (panel,) = window.findChildren(DataPanel)
    click(panel.findings.cards[0].buttons[0])
    wait_idle(qtbot, window)
    assert len(panel.findings.cards) == n_found - 1
    assert badge.isVisible() == (n_found > 1)


def test_that_findings_stand_above_the_facts(window: MainWindow) -> None:
    (panel,) = window.findChildren(DataPanel)
    assert panel.findings.geometry().bottom() < panel.facts.geometry().top()


def test_that_a_table_that_cannot_be_trained_says_why_and_is_mended_there(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    data = open_data(Input(name=str(repeated_names(tmp_path))))
    assert data.matrix is None
    window.user_actions.use_table(data)
    wait_idle(qtbot, window)
    click(window.bar.train)
    panel = train_panel(window)
    assert opened_step(window) == "train"
    assert not panel.go.isEnabled()
    (card,) = panel.obstacles.cards
    assert isinstance(card, FindingCard)
    assert card.finding in data.findings
    click(card.buttons[0])
    wait_idle(qtbot, window)
    now = window.user_actions.session.data
    assert now is not None
    assert now.matrix is not None
    assert panel.go.isEnabled()
    assert not panel.obstacles.isVisible()


def test_that_a_step_that_refuses_is_named_and_led_to(qtbot: QtBot, window: MainWindow) -> None:
    window.user_actions.set_recipe(Recipe.of(planned("keep", names=("nobody",))), "Prepare")
    wait_idle(qtbot, window)
    data = window.user_actions.session.data
    assert data is not None
    assert data.matrix is None
    window.steps.open(TRAIN)
    panel = train_panel(window)
    assert len(panel.obstacles.cards) == len(data.problems)
    (lead,) = panel.obstacles.cards[0].findChildren(QPushButton)
    click(lead)
    assert opened_step(window) == "prepare"


def test_that_a_wrong_setting_is_named_and_led_to(window: MainWindow) -> None:
    problem = Problem(key="params.bounds", what="Too few.", where="steps", way_out="Give more.")
    window.user_actions.set_obstacles("method", (problem,))
    window.steps.open(TRAIN)
    panel = train_panel(window)
    (card,) = panel.obstacles.cards
    assert card.what == problem.what
    (lead,) = card.findChildren(QPushButton)
    click(lead)
    assert opened_step(window) == "method"
    window.user_actions.set_obstacles("method", ())
    assert not panel.obstacles.cards


def test_that_joined_labels_reach_maps_that_exist(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    take_ready(qtbot, window)
    data = window.user_actions.session.data
    assert data is not None
    labels = tmp_path / "labels.csv"
    rows = [f"{name},{'ab'[n % 2]}" for n, name in enumerate(data.table.items.names)]
    labels.write_text("gene,half\n" + "\n".join(rows), encoding="utf-8")
    window.views.pane.show_view("positions")
    before = window.user_actions.session.run
    wanted = replace(data.input, joinings=(Joining(name=str(labels)),))
    window.user_actions.reread(wanted, data.labelled.reading)
    wait_idle(qtbot, window)

    run = window.user_actions.session.run
    assert run is not None
    assert "half" in run.matrix.item_labels
    assert run.evidence is not None
    view = window.views.pane.view
    assert isinstance(view, PositionsView)
    view.colouring.choose("label", "half")
    wait_idle(qtbot, window)
    picture = view._picture
    assert picture is not None
    assert picture.classes is not None
    assert set(picture.classes.names) == {"a", "b"}
    window.user_actions.undo()
    back = window.user_actions.session.run
    assert back is not None
    assert before is not None
    assert back.result is before.result


@pytest.mark.parametrize("size", [(1280, 900), (1280, 600), (900, 600)])
def test_that_a_badge_never_covers_the_name_of_its_step(
    qtbot: QtBot, qapp: QApplication, window: MainWindow, size: tuple[int, int]
) -> None:
    # In the type and with the edges in which it is seen.
    the_theme().dress(qapp)
    take_ready(qtbot, window)
    window.resize(*size)
    window.views.show_panes("4")
    wait_idle(qtbot, window)
    made = window.steps.buttons[DATA]
    assert made.badge.isVisible()
    before = 6 if made.icon().isNull() else made.iconSize().width() + 12
    assert made.badge.geometry().left() >= before + made.fontMetrics().horizontalAdvance("Data")
    assert made.geometry().right() < window.steps.width()
