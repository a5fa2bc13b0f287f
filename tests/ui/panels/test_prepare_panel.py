"""The prepare step: a recipe that is switched, changed, moved, saved, and says what it did."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from ximstudio.prepare.input import Input
from ximstudio.prepare.recipe import Recipe, planned, read_recipe, write_recipe
from ximstudio.prepare.step import StepGroup
from ximstudio.prepare.steps import STEPS
from ximstudio.session import open_data
from ximstudio.session.step_accounts import accounts_of, problems_of_steps
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.prepare.panel import PreparePanel
from ximstudio.ui.runtime.job_queue import AnyJob

STEP = {step.key: step for step in STEPS}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "counts.csv"
    values = np.random.default_rng(0).lognormal(4.0, 1.5, size=(40, 8)).round(1)
    lines = ["gene," + ",".join(f"heat {n} min" for n in range(8))]
    for row, line in enumerate(values):
        cells = [str(value) for value in line]
        if row < 5:
            cells[:6] = [""] * 6
        lines.append(",".join([f"YAL{row:03d}C", *cells]))
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def actions(table: Path, qtbot: QtBot) -> Iterator[Actions]:
    actions = Actions()
    actions.open(Input(name=str(table)))
    qtbot.waitUntil(lambda: actions.session.data is not None)
    yield actions
    assert actions.jobs.close()


@pytest.fixture
def panel(actions: Actions, qtbot: QtBot) -> PreparePanel:
    panel = PreparePanel(actions)
    qtbot.addWidget(panel)
    actions.store.changed.connect(panel.show_session)
    panel.show()
    return panel


def prepare(actions: Actions, qtbot: QtBot, recipe: Recipe) -> None:
    actions.set_recipe(recipe, "test")
    idle(actions, qtbot)


def idle(actions: Actions, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: actions.jobs.idle)


def keys(panel: PreparePanel) -> list[str]:
    return [card.account.planned.step.key for card in panel.cards]


def test_that_the_menu_has_every_step_in_its_group(panel: PreparePanel) -> None:
    groups = panel.menu.actions()
    assert len({action.text() for action in groups}) == len(StepGroup)
    found: dict[str, StepGroup] = {}
    for action, group in zip(groups, StepGroup, strict=True):
        inner = action.menu()
        assert inner is not None
        found |= {each.data(): group for each in inner.actions()}  # type: ignore[attr-defined]
    assert found == {step.key: step.group for step in STEPS}


def test_that_an_added_step_is_carried_out_and_open(
    panel: PreparePanel, actions: Actions, qtbot: QtBot
) -> None:
    panel.add_step(STEP["log2"])
    # At once, before anything is prepared.
    assert keys(panel) == ["log2"]
    assert panel.cards[0].account.stage is None
    idle(actions, qtbot)
    card = panel.cards[0]
    assert card.is_open
    assert card.account.stage is not None
    assert card.account.values_changed
    assert not card.picture.isHidden()
    assert panel.done


def test_that_a_switch_passes_a_step_over(
    panel: PreparePanel, actions: Actions, qtbot: QtBot
) -> None:
    prepare(actions, qtbot, Recipe.of(planned("log2")))
    before = actions.session.data
    assert before is not None
    panel.cards[0].switch.click()
    idle(actions, qtbot)
    data = actions.session.data
    assert data is not None
    assert [step.on for step in data.input.recipe.steps] == [False]
    assert np.nanmax(data.table.dense) > np.nanmax(before.table.dense)
    assert panel.cards[0].picture.isHidden()


def test_that_a_changed_parameter_prepares_the_table_again(
    panel: PreparePanel, actions: Actions, qtbot: QtBot
) -> None:
    prepare(actions, qtbot, Recipe.of(planned("log2")))
    card = panel.cards[0]
    card.set_open(True)
    assert card.form is not None
    card.form.changed.emit(planned("log2", offset=8.0).params)
    idle(actions, qtbot)
    data = actions.session.data
    assert data is not None
    assert data.input.recipe.steps == (planned("log2", offset=8.0),)
    # The same card, with its form: somebody may be writing in it.
    assert panel.cards[0] is card
    assert card.is_open


def test_that_quick_changes_all_count(panel: PreparePanel, actions: Actions, qtbot: QtBot) -> None:
    panel.add_step(STEP["log2"])
    panel.add_step(STEP["centre"])
    panel.add_step(STEP["scale"])
    panel.cards[1].removed.emit()
    idle(actions, qtbot)
    data = actions.session.data
    assert data is not None
    assert [step.step.key for step in data.input.recipe.steps] == ["log2", "scale"]
    assert keys(panel) == ["log2", "scale"]


def test_that_steps_move_and_stay_open(panel: PreparePanel, actions: Actions, qtbot: QtBot) -> None:
    prepare(actions, qtbot, Recipe.of(planned("log2"), planned("centre")))
    log2, centre = panel.cards
    assert (log2.up.isEnabled(), log2.down.isEnabled()) == (False, True)
    assert (centre.up.isEnabled(), centre.down.isEnabled()) == (True, False)
    centre.set_open(True)
    centre.up.click()
    idle(actions, qtbot)
    # Logarithms of centred values are refused, and that is told at the step.
    assert panel.cards == [centre, log2]
    assert centre.is_open
    assert log2.account.problems
    assert log2.is_open


def test_that_a_refused_step_carries_its_problems_and_others_do_not(
    panel: PreparePanel, actions: Actions, qtbot: QtBot
) -> None:
    prepare(actions, qtbot, Recipe.of(planned("log2"), planned("keep")))
    data = actions.session.data
    assert data is not None
    assert set(problems_of_steps(data)) == {1}
    first, second = panel.cards
    assert not first.account.problems
    assert [problem.key for problem in second.account.problems] == ["prepare.nothing_chosen"]
    assert not panel.done


def test_that_what_was_removed_is_told_by_name(
    panel: PreparePanel, actions: Actions, qtbot: QtBot
) -> None:
    prepare(actions, qtbot, Recipe.of(planned("filter_missing", axis="items", share=0.5)))
    card = panel.cards[0]
    assert card.account.summary == "5 genes removed"
    assert card._list.toPlainText().split() == [f"YAL00{n}C" for n in range(5)]
    assert not card._names.isHidden()


def test_that_a_step_that_does_nothing_says_so_before_it_is_opened(table: Path) -> None:
    recipe = Recipe.of(planned("top", n=2000), planned("log2"))
    data = open_data(Input(name=str(table), recipe=recipe))
    idle, busy = accounts_of(data.input.recipe.steps, data)
    assert idle.stage is not None
    assert idle.summary == idle.stage.notes[0].what
    assert busy.summary == ""


def test_that_words_follow_the_sides_where_they_are_exchanged(table: Path) -> None:
    recipe = Recipe.of(planned("log2"), planned("orientation"), planned("centre"))
    data = open_data(Input(name=str(table), recipe=recipe))
    accounts = accounts_of(recipe.steps, data)
    words = [(account.words.item, account.words.feature) for account in accounts]
    assert words == [("gene", "sample"), ("gene", "sample"), ("sample", "gene")]


def test_that_pictures_belong_to_the_step_that_was_carried_out(table: Path) -> None:
    recipe = Recipe.of(planned("log2"), planned("centre"))
    data = open_data(Input(name=str(table), recipe=recipe))
    other = (recipe.steps[0], replace(recipe.steps[1], on=False))
    known = [account.stage is not None for account in accounts_of(other, data)]
    assert known == [True, False]


def test_that_histograms_before_and_after_count_every_value(table: Path) -> None:
    recipe = Recipe.of(planned("log2"), planned("centre"))
    data = open_data(Input(name=str(table), recipe=recipe))
    n_values = 40 * 8 - 30
    for change in data.changes:
        assert change.before.counts.sum() == n_values
        assert change.after.counts.sum() == n_values
    log2, centre = data.changes
    # Counts and logarithms have little in common; both centred and not are logarithms.
    assert log2.before.edges[-1] > 10 * log2.after.edges[-1]
    np.testing.assert_array_equal(centre.before.edges, centre.after.edges)


def test_that_a_recipe_is_saved_and_loaded(
    panel: PreparePanel, actions: Actions, qtbot: QtBot, tmp_path: Path
) -> None:
    recipe = Recipe.of(planned("log2", offset=2.0), planned("centre"))
    prepare(actions, qtbot, recipe)
    panel.save_recipe(tmp_path / "recipe.json")
    idle(actions, qtbot)
    assert read_recipe(tmp_path / "recipe.json") == recipe
    write_recipe(Recipe.of(planned("square_root")), tmp_path / "other.json")
    panel.load_recipe(tmp_path / "other.json")
    idle(actions, qtbot)
    assert keys(panel) == ["square_root"]


def test_that_a_file_that_is_no_recipe_is_refused_and_changes_nothing(
    panel: PreparePanel, actions: Actions, qtbot: QtBot, tmp_path: Path
) -> None:
    prepare(actions, qtbot, Recipe.of(planned("log2")))
    (tmp_path / "no.json").write_text("{}")
    with qtbot.waitSignal(actions.jobs.refused) as told:
        panel.load_recipe(tmp_path / "no.json")
    assert [problem.key for problem in told.args[0]] == ["recipe.unreadable"]
    assert keys(panel) == ["log2"]


def test_that_stopping_shows_the_recipe_that_holds(
    panel: PreparePanel, actions: Actions, qtbot: QtBot
) -> None:
    prepare(actions, qtbot, Recipe.of(planned("log2")))
    begun: list[AnyJob] = []

    def stop(job: AnyJob) -> None:
        begun.append(job)
        actions.jobs.stop()

    actions.jobs.began.connect(stop)
    panel.add_step(STEP["centre"])
    idle(actions, qtbot)
    assert begun
    data = actions.session.data
    assert data is not None
    assert keys(panel) == [step.step.key for step in data.input.recipe.steps]
    assert actions.recipe is data.input.recipe


def test_that_every_step_has_a_form_that_shows_its_defaults(
    panel: PreparePanel, actions: Actions, qtbot: QtBot
) -> None:
    actions.set_recipe(Recipe(steps=tuple(replace(planned(key), on=False) for key in STEP)), "all")
    idle(actions, qtbot)
    for card in panel.cards:
        card.set_open(True)
        params = card.account.planned.params
        assert (card.form is not None) == bool(params.specs())
        if card.form is not None:
            assert card.form.valid
            assert card.form.params == params
