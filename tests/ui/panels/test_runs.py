"""The strip of runs: cards, their pictures, and what can be done with them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.twins import FLAT
from tests.ui.hands import click
from tests.ui.windows import (
    begin_long_training,
    plan_quick,
    shown_window,
    take_ready,
    train_one,
    wait_idle,
    with_sample,
)
from ximstudio.measure.chance import chance_level, grade
from ximstudio.model import Matrix
from ximstudio.model.grid import Lattice
from ximstudio.model.problem import Problem
from ximstudio.pictures.colours import LIGHT, channels
from ximstudio.pictures.quality_text import KEPT
from ximstudio.pictures.thumbnail import thumbnail
from ximstudio.prepare.input import Input, Joining
from ximstudio.prepare.recipe import Recipe, planned
from ximstudio.train import METHODS, method_named, train
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.panels.runs.card import ALWAYS_SHOWN, HEIGHT, SHOWN, RunCard
from ximstudio.ui.panels.train.panel import TrainPanel
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.ui.widgets.question import Question


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """A window with two runs, of which the second is shown."""
    the_theme().choose(Scheme.LIGHT)
    shown = with_sample(qtbot, shown_window(qtbot))
    take_ready(qtbot, shown)
    take_ready(qtbot, shown)
    yield shown
    shown.close()
    the_theme().choose(Scheme.LIGHT)


def chosen(window: MainWindow) -> list[str]:
    return [key for key, card in window.runs.cards.items() if card.chosen]


def names(window: MainWindow) -> list[str]:
    return [run.name for run in window.user_actions.session.runs]


def card_of(window: MainWindow, key: str) -> RunCard:
    return window.runs.cards[key]


def test_that_every_run_has_a_card_with_picture_and_measures(window: MainWindow) -> None:
    assert list(window.runs.cards) == ["run-1", "run-2"]
    assert not window.runs.hint.isVisible()
    for card in window.runs.cards.values():
        assert not card.picture.empty
        assert not card.state.isVisible()
        for key, shown in card.numbers.items():
            assert shown.isVisible()
            assert shown.text().endswith(f"{card.run.measures[key].value:.3f}")
        assert card.neighbours.isVisible()
        assert card.neighbours.text() == "k ≤ 50"
        for shown in (*card.numbers.values(), card.neighbours):
            assert shown.width() >= shown.sizeHint().width()
        for key in KEPT:
            value = card.run.measures[key].value
            assert grade(value, 186) in card.numbers[key].toolTip()
            assert f"{chance_level(186):.2f}" in card.numbers[key].toolTip()
    assert set(SHOWN) == set(card.numbers)


def test_that_an_empty_strip_says_what_it_is_for(qtbot: QtBot) -> None:
    window = with_sample(qtbot, shown_window(qtbot))

    assert window.runs.cards == {}
    assert window.runs.hint.isVisible()
    assert window.runs.hint.full


def test_that_a_click_shows_the_run(window: MainWindow) -> None:
    assert chosen(window) == ["run-2"]

    QTest.mouseClick(card_of(window, "run-1").picture, Qt.MouseButton.LeftButton)

    assert window.user_actions.session.shown == "run-1"
    assert chosen(window) == ["run-1"]


def test_that_a_run_is_renamed_in_place(window: MainWindow) -> None:
    card = card_of(window, "run-1")

    QTest.keyClick(card, Qt.Key.Key_F2)
    QTest.keyClicks(card.field, "heat shock")
    QTest.keyClick(card.field, Qt.Key.Key_Return)

    assert names(window)[0] == "heat shock"
    assert card.name.full == "heat shock"
    assert card.name.isVisible()
    # Enter was for the name, and did not go on to the card, which would show its run.
    assert window.user_actions.session.shown == "run-2"
    assert "heat shock" in window.status.last.full


@pytest.mark.parametrize(("text", "key"), [("other", Qt.Key.Key_Escape), ("  ", Qt.Key.Key_Return)])
def test_that_a_name_that_is_not_given_stays(window: MainWindow, text: str, key: Qt.Key) -> None:
    before = names(window)
    card = card_of(window, "run-1")

    card.rename()
    QTest.keyClicks(card.field, text)
    QTest.keyClick(card.field, key)

    assert names(window) == before
    assert card.name.isVisible()


def test_that_the_settings_of_a_run_are_planned_again(qtbot: QtBot, window: MainWindow) -> None:
    actions = window.user_actions
    actions.choose_method("som")
    actions.set_seed(7)

    card_of(window, "run-1").reuse_wanted.emit()

    run = actions.session.runs[0]
    assert actions.session.plan.method_key == run.result.method
    assert actions.session.plan.params == run.result.params
    assert actions.session.plan.seed == run.result.seed
    wait_idle(qtbot, window)


def test_that_the_settings_of_a_run_bring_its_side_and_preparation_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    actions = window.user_actions
    before = actions.session.data
    assert before is not None
    recipe = Recipe.of(planned("orientation"), planned("centre"))
    actions.set_recipe(recipe, "Prepare")
    wait_idle(qtbot, window)
    actions.choose_method("som")
    window.steps.open(3)
    wait_idle(qtbot, window)
    (train_panel,) = window.findChildren(TrainPanel)
    changed = actions.session

    click(train_panel.reuse)
    wait_idle(qtbot, window)

    run, data = actions.session.run, actions.session.data
    assert run is not None
    assert data is not None
    assert data.input == run.input == before.input
    assert data.matrix is not None
    assert data.matrix.fingerprint == run.result.data_fingerprint
    assert actions.session.plan.params == run.result.params
    actions.undo()
    assert actions.session.data is changed.data
    assert actions.session.plan is changed.plan


def test_that_labels_joined_since_stay_when_settings_are_used_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    actions = window.user_actions
    data = actions.session.data
    assert data is not None
    labels = tmp_path / "labels.csv"
    rows = [f"{name},{'ab'[n % 2]}" for n, name in enumerate(data.table.items.names)]
    labels.write_text("gene,half\n" + "\n".join(rows), encoding="utf-8")
    joined = replace(data.input, joinings=(Joining(name=str(labels)),))
    actions.reread(replace(joined, recipe=Recipe.of(planned("centre"))))
    wait_idle(qtbot, window)
    actions.reuse(actions.session.runs[0])
    wait_idle(qtbot, window)
    assert actions.session.data is not None
    assert actions.session.data.input == joined
    assert "half" in actions.session.data.table.items.labels


def test_that_a_run_of_another_table_says_so_and_plans_its_settings(window: MainWindow) -> None:
    actions = window.user_actions
    told: list[tuple[Problem, ...]] = []
    window.jobs.refused.connect(told.append)
    data, run = actions.session.data, actions.session.runs[0]
    actions.choose_method("som")
    actions.reuse(replace(run, input=Input(name="elsewhere.csv")))
    assert [problem.key for problem in told[0]] == ["reuse.table"]
    assert actions.session.data is data
    assert actions.session.plan.method_key == run.result.method


def test_that_a_run_without_a_star_is_deleted_at_once(window: MainWindow) -> None:
    QTest.keyClick(card_of(window, "run-2"), Qt.Key.Key_Delete)

    assert list(window.runs.cards) == ["run-1"]
    assert chosen(window) == ["run-1"]


def test_that_a_starred_run_is_deleted_only_after_a_question(
    window: MainWindow,
) -> None:
    QTest.mouseClick(card_of(window, "run-1").star, Qt.MouseButton.LeftButton)
    assert window.user_actions.session.runs[0].starred

    for answer in (False, True):
        QTest.keyClick(card_of(window, "run-1"), Qt.Key.Key_Delete)
        assert "run-1" in window.runs.cards
        question = window.findChildren(Question)[-1]
        (question.yes if answer else question.no).click()

    assert list(window.runs.cards) == ["run-2"]


def test_that_the_runs_can_be_folded_away(window: MainWindow) -> None:
    QTest.mouseClick(window.runs.fold, Qt.MouseButton.LeftButton)
    assert not card_of(window, "run-1").isVisible()
    assert window.settings.now.switches["runs folded"]

    QTest.mouseClick(window.runs.fold, Qt.MouseButton.LeftButton)
    assert card_of(window, "run-1").isVisible()


def test_that_another_session_has_cards_of_its_own(qtbot: QtBot, window: MainWindow) -> None:
    before = set(window.runs.cards)
    data = window.user_actions.session.data
    assert data is not None

    window.user_actions.use_table(data)
    assert window.runs.cards == {}
    train_one(qtbot, window)

    # A step back brings the earlier cards again: no key is used twice.
    (key,) = window.runs.cards
    assert key not in before
    assert not card_of(window, key).picture.empty


def test_that_a_run_whose_measuring_was_cancelled_offers_it_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    actions = window.user_actions
    bare = replace(actions.session.runs[0], measures={}, evidence=None)
    actions.change_run(bare, "Forget measures")
    card = card_of(window, "run-1")
    assert card.measure.isVisible()

    QTest.mouseClick(card.measure, Qt.MouseButton.LeftButton)
    assert card.state.isVisible()
    assert not card.measure.isVisible()
    wait_idle(qtbot, window)

    assert actions.session.runs[0].measures
    assert not card.state.isVisible()


def test_that_a_new_run_does_not_offer_the_measuring_that_begins_anyway(
    qtbot: QtBot, window: MainWindow
) -> None:
    actions = window.user_actions
    begin_long_training(qtbot, window)
    actions.pause()
    qtbot.waitUntil(lambda: actions.phase is Phase.PAUSED)
    actions.stop()

    card = card_of(window, "run-3")
    assert card.state.isVisibleTo(card)
    assert not card.measure.isVisibleTo(card)
    wait_idle(qtbot, window)


def test_that_pictures_follow_the_theme(qtbot: QtBot, window: MainWindow) -> None:
    card = card_of(window, "run-1")
    light = card.picture.grab().toImage()

    the_theme().choose(Scheme.DARK)
    wait_idle(qtbot, window)

    assert card.picture.grab().toImage() != light


def test_that_a_new_run_is_scrolled_to(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(900, 600)
    plan_quick(window, n_steps=500)
    train_one(qtbot, window)
    train_one(qtbot, window)

    newest = card_of(window, "run-4")
    qtbot.waitUntil(lambda: newest.visibleRegion().boundingRect().width() == newest.width())


def test_that_low_windows_have_low_cards(qtbot: QtBot, window: MainWindow) -> None:
    card = card_of(window, "run-1")
    high = window.runs.height()
    window.resize(900, 600)
    qtbot.waitUntil(lambda: window.runs.height() < high / 2)

    assert card.height() < HEIGHT / 2
    assert card.name.isVisible()
    assert [key for key, shown in card.numbers.items() if shown.isVisible()] == list(ALWAYS_SHOWN)
    assert not card.settings.isVisible()
    train_one(qtbot, window)
    assert card_of(window, "run-3").height() == card.height()

    window.resize(1280, 800)
    qtbot.waitUntil(lambda: window.runs.height() == high)
    assert all(shown.isVisible() for shown in card.numbers.values())
    assert card.settings.isVisible()


@pytest.mark.parametrize("lattice", FLAT)
@pytest.mark.parametrize("toroidal", [False, True])
def test_that_a_card_tells_the_map_in_short_and_in_full(
    qtbot: QtBot, window: MainWindow, lattice: Lattice, toroidal: bool
) -> None:
    params = window.user_actions.session.plan.params
    window.user_actions.set_params(params.replace(lattice=lattice.value, toroidal=toroidal))
    card = card_of(window, train_one(qtbot, window))

    assert ("hexagons" in card.settings.full) is (lattice is Lattice.HEXAGONAL)
    assert ("torus" in card.start.full) is toroidal
    qtbot.waitUntil(lambda: card.settings.text() == card.settings.full)
    qtbot.waitUntil(lambda: card.start.text() == card.start.full)
    assert lattice.value in card.toolTip()
    assert ("joined edges" in card.toolTip()) is toroidal


# Pictures


@pytest.mark.parametrize("method", [method.key for method in METHODS])
def test_that_every_item_is_drawn_in_the_colour_of_its_class(yeast: Matrix, method: str) -> None:
    chosen_method = method_named(method)
    params = chosen_method.params()
    if hasattr(params, "shape"):
        params = replace(params, shape=(6, 8))  # type: ignore[call-arg]
    result = train(yeast, chosen_method, params, seed=0)

    pixels = thumbnail(result, yeast, LIGHT, width=96, height=80)

    opaque = np.array(
        [0xFF << 24 | r << 16 | g << 8 | b for r, g, b in map(channels, LIGHT.classes)]
    )
    drawn = np.flatnonzero(np.isin(opaque, pixels))
    assert pixels.shape == (80, 96)
    assert drawn.tolist() == [0, 1]


@pytest.mark.parametrize("lattice", FLAT)
def test_that_a_map_keeps_its_shape_and_the_rest_is_transparent(
    yeast: Matrix, lattice: Lattice
) -> None:
    method = method_named("som")
    params = replace(method.params(), shape=(4, 16), n_steps=200, lattice=lattice)  # type: ignore[call-arg]
    result = train(yeast, method, params, seed=0)

    pixels = thumbnail(result, yeast, LIGHT, width=160, height=160)

    opaque = np.flatnonzero((pixels >> 24 == 255).any(axis=1))
    assert (pixels[:40] == 0).all()
    assert (pixels[-40:] == 0).all()
    assert 30 <= len(opaque) <= 60


def test_that_a_closer_look_stays_on_the_map(yeast: Matrix) -> None:
    method = method_named("c-xim")
    params = replace(method.params(), shape=(12, 12), n_steps=3000)  # type: ignore[call-arg]
    result = train(yeast, method, params, seed=0)

    closer = thumbnail(result, yeast, LIGHT, width=96, height=64, closer=True)

    # Soft edges may round an opaque pixel down a little.
    assert (closer >> 24 >= 250).all()
