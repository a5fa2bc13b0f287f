"""Stability in the window: a run made again, its ridges, its null map, and how items wander."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.ui.compared import plan_quick_methods
from tests.ui.windows import (
    LONG,
    PATIENCE,
    run_shown,
    shown_window,
    train_one,
    wait_idle,
    with_sample,
)
from ximstudio.maps.cells import tiles
from ximstudio.maps.sides import sides
from ximstudio.model.result import PrototypeMap
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.views.compare.stability_page import StabilityPage
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.views.compare.stability_picture import KEPT, SEEN, STEPS, VERDICTS, verdict

pytestmark = pytest.mark.usefixtures("dressed")


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = with_sample(qtbot, shown_window(qtbot))
    train_one(qtbot, window)
    window.views.pane.show_view("compare")
    wait_idle(qtbot, window)
    yield window
    window.close()


def page_of(window: MainWindow) -> StabilityPage:
    window.views.pane.show_view("compare")
    view = window.views.pane.view
    assert isinstance(view, CompareView)
    view.pages.button("stability").click()
    return view.stability


def made_again(qtbot: QtBot, window: MainWindow, *, way: str = "seeds") -> StabilityPage:
    page = page_of(window)
    page.times.setCurrentIndex(0)
    page.way.button(way).click()
    page.begin.click()
    assert page.stop.isVisible()
    qtbot.waitUntil(lambda: not window.user_actions.stability.busy, timeout=PATIENCE)
    wait_idle(qtbot, window)
    return page


def test_that_more_wander_never_makes_a_better_verdict() -> None:
    words = [verdict(wander)[0] for wander in np.linspace(0.0, 2.0, 201)]
    assert list(dict.fromkeys(words)) == [word for _, word, _ in VERDICTS]


@pytest.mark.parametrize("way", ["seeds", "parts"])
def test_that_a_run_is_made_again(qtbot: QtBot, window: MainWindow, way: str) -> None:
    page = made_again(qtbot, window, way=way)
    run = run_shown(window)
    found = run.stability
    assert found is not None
    assert (found.runs, found.share) == (5, 1.0 if way == "seeds" else 0.95)
    assert found.wander.shape == (186,)
    assert found.null is not None
    assert page.null.isVisible()
    assert f"Retrained {found.runs} times" in page.summary.text()
    word, _ = verdict(float(np.nanmean(found.wander)))
    assert f"The map is {word}" in page.summary.text()
    # Both maps in the same colours for the same heights.
    assert page.bar.limits == (page._picture.low, page._picture.high)  # type: ignore[union-attr]

    assert window.user_actions.undoes == f"Retrain {run.name} 5 times"
    window.user_actions.undo()
    assert run_shown(window).stability is None
    wait_idle(qtbot, window)
    assert page.empty.isVisible()


def test_that_ridges_lie_between_their_nodes_and_are_as_broad_as_their_share(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = made_again(qtbot, window)
    found, model = run_shown(window).stability, run_shown(window).result.model
    assert found is not None
    assert found.ridges is not None
    assert isinstance(model, PrototypeMap)
    picture = page._picture
    assert picture is not None
    assert picture.own is not None
    by_pair = {
        tuple(sorted(pair)): share
        for pair, share in zip(
            found.ridges.edges.tolist(), found.ridges.shares.tolist(), strict=True
        )
    }
    every = sides(tiles(model.grid))
    expected = {
        tuple(line.ravel().tolist()): by_pair[tuple(pair)]
        for line, pair in zip(every.lines, every.pairs.tolist(), strict=True)
        if by_pair.get(tuple(pair), 0.0) >= SEEN
    }
    drawn = {
        tuple(line.ravel().tolist()): share
        for line, share in zip(picture.own.lines, picture.own.shares.tolist(), strict=True)
    }
    assert expected
    assert drawn == expected
    broadest = STEPS[-1][1]
    kept = sum(share >= KEPT for share in drawn.values())
    assert page.own.ridges.widths.get(broadest, 0) == kept
    for line, pair in zip(every.lines[:50], every.pairs[:50], strict=True):
        middle = model.grid.nodes[pair].mean(axis=0)
        np.testing.assert_allclose(line.mean(axis=0), middle, atol=1e-9)


def test_that_wander_is_a_colour_here_and_elsewhere(qtbot: QtBot, window: MainWindow) -> None:
    window.views.pane.show_view("positions")
    view = window.views.pane.view
    assert isinstance(view, PositionsView)
    wait_idle(qtbot, window)
    keys = [choice.key for choice in view.colouring.choices]
    assert "wander" not in keys

    page = made_again(qtbot, window)
    page.look.button("wander").click()
    assert not page.null.isVisible()
    assert page.own.points.isVisible()
    found = run_shown(window).stability
    assert found is not None
    window.views.pane.show_view("positions")
    wait_idle(qtbot, window)
    view.colouring.choose("wander")
    wait_idle(qtbot, window)
    picture = view._picture
    assert picture is not None
    assert picture.values is not None
    np.testing.assert_array_equal(picture.values, found.wander)

    # A run that was not made again has other colours.
    window.user_actions.set_seed(5)
    train_one(qtbot, window)
    assert view._picture is not None
    assert view._picture.by != "wander"


def test_that_a_method_without_nodes_has_wander_alone(qtbot: QtBot, window: MainWindow) -> None:
    plan_quick_methods(window, "xom")
    window.user_actions.choose_method("xom")
    train_one(qtbot, window)
    page = made_again(qtbot, window)
    found = run_shown(window).stability
    assert found is not None
    assert found.ridges is None
    assert not page.null.isVisible()
    assert not page.look.isVisible()
    assert page.own.points.isVisible()


def test_that_making_it_again_can_be_stopped(qtbot: QtBot, window: MainWindow) -> None:
    run = run_shown(window)
    # As long as no test waits.
    params = run.result.params.replace(n_steps=LONG)
    longer = replace(run, result=replace(run.result, params=params))
    window.user_actions.stability.begin(longer, runs=5, share=1.0)
    qtbot.waitUntil(lambda: window.jobs.series is not None, timeout=PATIENCE)
    page = page_of(window)
    page.stop.click()
    wait_idle(qtbot, window)
    assert run_shown(window).stability is None
    assert not window.user_actions.stability.busy


def test_that_runs_that_could_not_be_made_are_told(qtbot: QtBot, window: MainWindow) -> None:
    page = made_again(qtbot, window)
    picture = page._picture
    assert picture is not None
    found = replace(picture.found, n_made=4, ridges=None, null=None)
    page.draw(replace(picture, found=found, null=None))
    assert "Retrained 4 times" in page.summary.text()
    assert "1 more could not be trained" in page.summary.text()
    assert page.null.isHidden()


def test_that_a_method_without_chance_says_so(qtbot: QtBot, window: MainWindow) -> None:
    plan_quick_methods(window, "pca")
    window.user_actions.choose_method("pca")
    train_one(qtbot, window)
    page = made_again(qtbot, window)
    assert "does not depend on the seed" in page.summary.text()
    page = made_again(qtbot, window, way="parts")
    assert "does not depend" not in page.summary.text()
    assert "wander by" in page.summary.text()
