"""Runs side by side, as the compare view gets them."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import run_of, showing
from tests.ui.windows import PATIENCE, wait_idle
from ximstudio.session import Run
from ximstudio.session.shown import Shown
from ximstudio.train import method_named
from ximstudio.ui.app.window import MainWindow

FOUR = ("pca", "som", "xom", "c-xim")
QUICK = {"n_steps": 1500, "shape": (6, 8)}


def compared(*runs: Run) -> Shown:
    """Some runs side by side; the first is shown, too."""
    return replace(showing(runs[0], runs), compared=runs)


def four_runs() -> tuple[Run, ...]:
    """The usual four of a small table."""
    return tuple(run_of(key) for key in FOUR)


def plan_quick_methods(window: MainWindow, *keys: str) -> None:
    """Plan small maps of these methods."""
    plan = window.user_actions.session.plan
    parameters = dict(plan.parameters)
    for key in keys:
        params = method_named(key).params
        known = {name: value for name, value in QUICK.items() if name in params.specs()}
        parameters[key] = params.from_values(known)
    window.user_actions.set_plan(replace(plan, parameters=parameters), "Plan")


def wait_series(qtbot: QtBot, window: MainWindow) -> None:
    """Until all that is trained to be compared is there."""
    qtbot.waitUntil(lambda: not window.user_actions.comparison.busy, timeout=PATIENCE)
    wait_idle(qtbot, window)
