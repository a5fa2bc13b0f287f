"""The compared runs, and training those that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.compared import FOUR, plan_quick_methods, wait_series
from tests.ui.hands import click
from tests.ui.windows import (
    LONG,
    PATIENCE,
    sample_data,
    shown_window,
    take_ready,
    train_one,
    wait_idle,
    with_sample,
)
from ximstudio.load import Choices
from ximstudio.model.metric import metric_of
from ximstudio.model.problem import Problem
from ximstudio.prepare.input import Input
from ximstudio.session import open_data
from ximstudio.session.plan import plan_alike, usual_plans, usual_title
from ximstudio.train import method_named
from ximstudio.ui.actions.comparison import MapComparison
from ximstudio.ui.actions.series import MOST_PANELS
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.views.compare.state import MEASURES

pytestmark = pytest.mark.usefixtures("dressed")

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = with_sample(qtbot, shown_window(qtbot))
    plan_quick_methods(window, *FOUR)
    yield window
    window.close()


@pytest.fixture
def comparison(window: MainWindow) -> MapComparison:
    return window.user_actions.comparison


def shown_keys(comparison: MapComparison) -> tuple[str, ...]:
    return comparison.keys


def busy(comparison: MapComparison) -> bool:
    return comparison.busy


def repeats(comparison: MapComparison) -> bool:
    return comparison.is_repeating


def methods_compared(window: MainWindow) -> list[str]:
    return [run.result.method for run in window.user_actions.session.compared_runs]


def plan_long(window: MainWindow, key: str) -> None:
    """Plan a map that no test waits for."""
    plan = window.user_actions.session.plan
    params = plan.with_method(key).params.replace(n_steps=LONG)
    window.user_actions.set_plan(replace(plan, parameters={**plan.parameters, key: params}), "Plan")


def test_that_the_usual_four_are_trained_measured_and_taken_back_as_one_step(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    before = window.user_actions.session
    comparison.train_usual()
    assert comparison.awaited == ("PCA", "SOM", "XOM", "c-XIM")
    wait_series(qtbot, window)

    session = window.user_actions.session
    assert methods_compared(window) == list(FOUR)
    assert [run.name for run in session.runs] == ["PCA 1", "SOM 2", "XOM 3", "c-XIM 4"]
    assert session.run is session.runs[-1]
    assert len({run.key for run in session.runs}) == len(FOUR)
    for run in session.runs:
        assert run.evidence is not None
        assert {"trustworthiness", "spearman", "label_agreement"} <= set(run.measures)

    assert window.user_actions.undoes == usual_title()
    window.user_actions.undo()
    assert window.user_actions.session.runs == before.runs == ()
    assert not comparison.keys
    window.user_actions.redo()
    assert methods_compared(window) == list(FOUR)


def test_that_t_sne_joins_the_comparison_at_one_click(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    plan_quick_methods(window, "t-sne")
    comparison.train_usual()
    wait_series(qtbot, window)
    window.views.pane.show_view("compare")
    view = window.views.pane.view
    assert isinstance(view, CompareView)
    assert view.usual.text() == view.usual.accessibleName() == "Compare PCA, SOM, XOM, c-XIM"
    assert set(view.joining) == {"t-sne", "umap"}
    joins = view.joining["t-sne"]
    assert joins.isVisible()
    joins.click()
    assert not joins.isEnabled()
    wait_series(qtbot, window)
    assert methods_compared(window) == [*FOUR, "t-sne"]
    assert not joins.isEnabled()
    comparison.set_compared(comparison.keys[-1], on=False)
    assert joins.isEnabled()


def test_that_a_run_that_is_there_already_is_not_trained_again(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    train_one(qtbot, window)
    (own,) = window.user_actions.session.runs
    comparison.train_usual()
    wait_series(qtbot, window)
    assert methods_compared(window) == list(FOUR)
    assert [run.result.method for run in window.user_actions.session.runs] == ["c-xim", *FOUR[:3]]
    assert window.user_actions.session.compared_runs[-1].result is own.result
    assert window.user_actions.session.shown == own.key

    comparison.train_usual()
    assert not comparison.busy


def test_that_methods_are_planned_alike_unless_a_person_planned_them(window: MainWindow) -> None:
    plan = window.user_actions.session.plan
    alone = replace(plan, parameters={plan.method_key: plan.params.replace(metric="correlation")})
    for one in usual_plans(alone):
        params = one.params
        if "shape" in params.specs():
            assert params.shape == (6, 8)  # type: ignore[attr-defined]
        assert params.metric == "correlation"  # type: ignore[attr-defined]
    own = method_named("som").params().replace(shape=(4, 5))
    told = replace(alone, parameters={**alone.parameters, "som": own})
    assert plan_alike(told, "som").params == own.replace(metric="correlation")


@pytest.mark.parametrize("metric", ["correlation", "cosine", "euclidean"])
def test_that_all_methods_are_compared_in_the_metric_that_was_chosen(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison, metric: str
) -> None:
    # All four were looked at before, by another distance.
    params = window.user_actions.session.plan.params
    for earlier in ("cosine", metric):
        window.user_actions.set_params(params.replace(metric=earlier))
    comparison.train_usual()
    wait_series(qtbot, window)
    runs = window.user_actions.session.compared_runs
    assert [run.result.method for run in runs] == list(FOUR)
    assert {metric_of(run.result.params) for run in runs} == {metric}
    window.views.pane.show_view("compare")
    (view,) = window.findChildren(CompareView)
    click(view.pages.button(MEASURES))
    wait_idle(qtbot, window)
    table = view.measures.table.model()
    names = [table.headerData(n, Qt.Orientation.Horizontal) for n in range(table.columnCount())]
    assert names == [run.name for run in runs]
    assert not view.measures.others.isVisible()
    quality = view.measures.picture.quality
    assert quality.table is not None
    rows = [row.key for row in quality.table.rows]
    for column, run in enumerate(runs):
        card = window.runs.cards[run.key]
        assert metric.casefold() in card.start.full.casefold()
        shown = str(table.index(rows.index("trustworthiness"), column).data()).split()[0]
        assert card.numbers["trustworthiness"].text().split()[-1] == shown


def test_that_methods_which_cannot_compare_by_distances_given_are_named_and_left_out(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison, tmp_path: Path
) -> None:
    names = [f"g{number}" for number in range(12)]
    lines = [
        ",".join((name, *(f"{abs(one - other) ** 0.5:.4f}" for other in range(12))))
        for one, name in enumerate(names)
    ]
    table = tmp_path / "distances.csv"
    table.write_text("\n".join((",".join(("gene", *names)), *lines)), encoding="utf-8")
    window.user_actions.use_table(open_data(Input(name=str(table), choices=Choices(items="rows"))))
    params = method_named("c-xim").params.from_values({"metric": "precomputed", "shape": (4, 4)})
    window.user_actions.set_params(params)
    told: list[tuple[Problem, ...]] = []
    window.jobs.refused.connect(told.append)
    comparison.train_usual()
    wait_series(qtbot, window)
    assert methods_compared(window) == ["som", "c-xim"]
    assert [problem.key for problems in told for problem in problems] == ["compare.metric"]
    comparison.train_method("umap")
    assert told[-1][0].key == "compare.metric"
    assert not comparison.busy


def test_that_a_series_can_be_stopped_and_keeps_what_is_there(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    plan_long(window, "c-xim")
    plan_long(window, "xom")
    comparison.train_usual()
    qtbot.waitUntil(lambda: "pca" in methods_compared(window), timeout=PATIENCE)
    window.status.cancel.click()
    wait_idle(qtbot, window)
    assert not comparison.busy
    assert "pca" in methods_compared(window)
    assert "c-xim" not in methods_compared(window)


def test_that_training_goes_on_beside_a_series(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    plan_long(window, "xom")
    comparison.train_method("xom")
    qtbot.waitUntil(lambda: window.jobs.series is not None, timeout=PATIENCE)
    window.train()
    qtbot.waitUntil(lambda: len(window.user_actions.session.runs) == 1, timeout=PATIENCE)
    assert comparison.awaited == ("XOM",)
    assert comparison.fraction < 1.0
    comparison.stop()
    wait_idle(qtbot, window)


def test_that_what_is_drawn_is_drawn_again_only_when_a_run_has_come(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, told = [], []
    monkeypatch.setattr(comparison, "_draw", lambda: drawn.append(len(comparison.keys)))
    comparison.changed.connect(lambda: told.append(comparison.fraction))
    plan_long(window, "xom")
    comparison.train_usual()
    qtbot.waitUntil(lambda: len(comparison.keys) == 3, timeout=PATIENCE)
    # News that come while the last one trains.
    before = len(told)
    qtbot.waitUntil(lambda: len(told) > before + 5, timeout=PATIENCE)
    assert len(drawn) <= 1 + 3
    comparison.stop()
    wait_idle(qtbot, window)


def test_that_deleting_a_run_lets_the_others_come(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    comparison.train_usual()
    qtbot.waitUntil(lambda: bool(comparison.keys), timeout=PATIENCE)
    (gone, *_) = comparison.keys
    window.user_actions.delete_run(gone)
    assert comparison.busy
    wait_series(qtbot, window)
    assert len(comparison.keys) == 3
    names = [run.name for run in window.user_actions.session.runs]
    train_one(qtbot, window)
    assert window.user_actions.session.runs[-1].name not in names


def test_that_taking_back_what_has_made_nothing_yet_ends_it(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    for seed in (1, 2):
        window.user_actions.set_seed(seed)
        comparison.set_compared(take_ready(qtbot, window), on=True)
    for key in FOUR[1:]:
        plan_long(window, key)
    comparison.train_usual()
    assert comparison.busy
    assert window.user_actions.undoes == usual_title()
    window.user_actions.undo()
    assert not busy(comparison)
    wait_idle(qtbot, window)
    assert len(comparison.keys) == 2


def test_that_the_same_is_not_trained_twice(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    comparison.train_method("som")
    comparison.train_method("som")
    wait_series(qtbot, window)
    assert len(window.user_actions.session.runs) == 1


def test_that_a_run_that_a_person_shows_stays_shown(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    plan_long(window, "c-xim")
    comparison.train_usual()
    # Two may come at once.
    qtbot.waitUntil(lambda: len(comparison.keys) in (2, 3), timeout=PATIENCE)
    first = comparison.keys[0]
    window.user_actions.show_run(first)
    qtbot.waitUntil(lambda: len(comparison.keys) == 3, timeout=PATIENCE)
    assert window.user_actions.session.shown == first
    comparison.stop()
    wait_idle(qtbot, window)


def test_that_runs_that_differ_in_their_seed_are_repeated_as_one(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    for seed in (3, 1):
        window.user_actions.set_seed(seed)
        comparison.set_compared(take_ready(qtbot, window), on=True)
    comparison.repeat(2, 0.9)
    wait_idle(qtbot, window)
    judged = window.user_actions.session.judged
    assert judged is not None
    assert len(judged.comparison.entries) == 1
    assert judged.comparison.seed == 1
    runs = window.user_actions.session.compared_runs
    assert [judged.number_of(run) for run in runs] == [0, 0]


def test_that_what_comes_late_leaves_steps_that_can_be_done_again(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    comparison.set_compared(take_ready(qtbot, window), on=True)
    window.user_actions.set_seed(9)
    comparison.repeat(2, 0.9)
    window.user_actions.undo()
    assert window.user_actions.redoes == "Change seed"
    wait_idle(qtbot, window)
    assert window.user_actions.session.judged is not None
    assert window.user_actions.redoes == "Change seed"


def test_that_taking_the_step_back_or_another_table_ends_the_series(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    plan_long(window, "xom")
    for end in (window.user_actions.undo, lambda: window.user_actions.use_table(sample_data())):
        comparison.train_usual()
        qtbot.waitUntil(lambda: bool(window.user_actions.session.compared), timeout=PATIENCE)
        end()
        assert not comparison.busy
        wait_idle(qtbot, window)
        assert window.user_actions.session.compared == ()


def test_that_a_method_that_cannot_be_trained_is_told_and_the_others_come(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = window.user_actions.session.plan
    nowhere = plan.with_method("som").params.replace(lattice="table", node_file="gone.csv")
    window.user_actions.set_plan(
        replace(plan, parameters={**plan.parameters, "som": nowhere}), "Plan"
    )
    monkeypatch.setattr("ximstudio.session.plan.USUAL", ("som", "pca"))
    told: list[tuple[Problem, ...]] = []
    window.jobs.refused.connect(told.append)
    comparison.train_usual()
    wait_series(qtbot, window)
    assert methods_compared(window) == ["pca"]
    assert len(told) == 1
    assert not comparison.busy


def test_that_runs_are_ticked_put_led_and_removed(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    keys = []
    for seed in range(3):
        window.user_actions.set_seed(seed)
        keys.append(train_one(qtbot, window))
    one, two, three = keys
    QTest.mouseClick(window.runs.cards[one].tick, LEFT)
    QTest.mouseClick(window.runs.cards[two].tick, LEFT)
    assert shown_keys(comparison) == (one, two)
    assert window.runs.cards[two].tick.isChecked()
    assert not window.runs.cards[three].tick.isChecked()

    comparison.replace_run(one, three)
    assert shown_keys(comparison) == (three, two)
    comparison.replace_run(two, three)
    assert shown_keys(comparison) == (two, three)
    comparison.align_to(three)
    assert shown_keys(comparison) == (three, two)
    comparison.set_compared(three, on=False)
    assert shown_keys(comparison) == (two,)
    window.user_actions.undo()
    assert shown_keys(comparison) == (three, two)
    window.user_actions.delete_run(three)
    assert shown_keys(comparison) == (two,)
    QTest.mouseClick(window.runs.cards[two].tick, LEFT)
    assert shown_keys(comparison) == ()


def test_that_there_are_no_more_panels_than_can_be_seen(
    window: MainWindow, comparison: MapComparison
) -> None:
    comparison.show((f"run-{number}" for number in range(9)), "Compare many")
    assert len(window.user_actions.session.compared) == MOST_PANELS


def test_that_a_run_too_many_is_refused_and_not_ticked(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    for seed in range(MOST_PANELS + 1):
        window.user_actions.set_seed(seed)
        take_ready(qtbot, window)
    told: list[tuple[Problem, ...]] = []
    window.jobs.refused.connect(told.append)
    cards = list(window.runs.cards.values())
    for card in cards:
        card.tick.click()
    assert [card.tick.isChecked() for card in cards] == [True] * MOST_PANELS + [False]
    assert [problem.key for problem in told[0]] == ["compare.panels"]
    assert len(comparison.keys) == MOST_PANELS
    comparison.train_method("pca")
    assert len(told) == 2
    assert not comparison.busy


def test_that_what_is_asked_for_meanwhile_comes_after(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    comparison.train_method("som")
    comparison.train_method("pca")
    comparison.train_method("xom")
    assert comparison.awaited == ("SOM", "PCA", "XOM")
    wait_series(qtbot, window)
    assert methods_compared(window) == ["som", "pca", "xom"]
    assert [run.name for run in window.user_actions.session.runs] == ["SOM 1", "PCA 2", "XOM 3"]


def test_that_a_method_comes_into_the_panel_it_was_asked_for(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    comparison.train_method("pca")
    wait_series(qtbot, window)
    comparison.train_method("som")
    wait_series(qtbot, window)
    comparison.train_method("xom", comparison.keys[0])
    wait_series(qtbot, window)
    assert methods_compared(window) == ["xom", "som"]


def test_that_repeating_ends_with_the_table(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    comparison.train_method("som")
    wait_series(qtbot, window)
    comparison.repeat(500, 0.9)
    assert repeats(comparison)
    window.user_actions.undo()
    assert not repeats(comparison)
    wait_idle(qtbot, window)
    assert window.user_actions.session.judged is None


def test_that_methods_are_repeated_on_parts_of_the_data(
    qtbot: QtBot, window: MainWindow, comparison: MapComparison
) -> None:
    for key in ("pca", "som"):
        comparison.train_method(key)
        wait_series(qtbot, window)
    comparison.repeat(3, 0.9)
    assert repeats(comparison)
    wait_idle(qtbot, window)
    judged = window.user_actions.session.judged
    assert judged is not None
    assert judged.comparison.n_runs == 3
    assert judged.comparison.items.shape == (3, round(0.9 * 186))
    som = window.user_actions.session.compared_runs[1]
    wander = judged.wander_of(som)
    assert wander is not None
    assert len(wander) == 186
    assert window.user_actions.undoes == "Repeat the comparison 3 times"
    assert not repeats(comparison)

    # The table has means and deviations of it, as long as it is of these runs.
    window.views.pane.show_view("compare")
    wait_idle(qtbot, window)
    view = window.views.pane.view
    assert isinstance(view, CompareView)
    view.pages.button("measures").click()
    assert view.measures.which.value == "repeated"
    assert "Means of 3 runs" in view.measures.hint.text()
    model = view.measures.table.model()
    row = [one.definition.key for one in judged.comparison.summaries].index("trustworthiness")
    summary = judged.comparison.summaries[row]
    text = model.data(model.index(row, 1))
    assert text == f"{summary.means[1]:.3f} ({summary.deviations[1]:.3f})"
    view.measures.which.button("one").click()
    assert model.data(model.index(2, 1)) == f"{som.measures['trustworthiness'].value:.3f}"
    window.user_actions.undo()
    wait_idle(qtbot, window)
    assert not view.measures.which.isVisible()
