"""Scenes of `benchmarks.event_loop` while many maps are trained in parallel."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QAbstractButton

from benchmarks.event_loop_stage import Stage, Told
from ximstudio.measure.sweep import SweepAxis
from ximstudio.session.plan import USUAL
from ximstudio.train import method_named
from ximstudio.ui.views.compare.view import CompareView

TABLE = "5000x50.csv"
AXES = (
    SweepAxis("repulsion", (0.1, 0.25, 0.5, 0.75)),
    SweepAxis("shape", ((15, 15), (20, 20), (25, 25))),
)
"""Twelve maps."""
STEPS = 30_000
STOPS = (0.1, 0.5, 1.0, 2.0, 4.0)
"""Seconds after which a series is stopped: while maps are trained, and while they are measured."""
PATIENCE_SECONDS = 500.0


def sweep(stage: Stage) -> Told:
    """A sweep with its gallery; then how soon it stops."""
    view, actions = _view(stage, "sweep"), stage.actions

    def begin() -> None:
        actions.parameter_sweep.begin(actions.session.plan, AXES)

    told = stage.recorded(lambda: _watched(stage, begin, lambda: actions.parameter_sweep.busy))
    stops = _stops(stage, begin, view.sweep.stop)
    return told | {
        "latencies": {"stop, a sweep of 12 maps": stops},
        "numbers": {"a sweep of 12 maps of 5000 × 50": (told.pop("spent"), "seconds")},
    }


def usual(stage: Stage) -> Told:
    """The usual four with their panels, as they come."""
    view, comparison = _view(stage, "maps"), stage.actions.comparison
    told = stage.recorded(lambda: _watched(stage, view.usual.click, lambda: comparison.busy))
    return told | {"numbers": {"the usual four on 5000 × 50": (told.pop("spent"), "seconds")}}


def _view(stage: Stage, page: str) -> CompareView:
    """The view on one of its pages, with a table and short trainings planned."""
    stage.warm_up()
    stage.open(TABLE)
    plan = stage.actions.session.plan
    parameters = dict(plan.parameters)
    for key in USUAL:
        params = method_named(key).params()
        if "n_steps" in params.specs():
            parameters[key] = params.replace(n_steps=STEPS)
    stage.actions.set_plan(replace(plan, parameters=parameters), "Plan")
    stage.actions.choose_method("c-xim")
    pane = stage.window.views.panes[0]
    pane.show_view("compare")
    view = pane.view
    assert isinstance(view, CompareView)
    view.pages.button(page).click()
    stage.idle()
    return view


def _watched(stage: Stage, begin: Callable[[], object], busy: Callable[[], bool]) -> Told:
    began = time.perf_counter()
    begin()
    stage.ticker.until(lambda: not busy(), PATIENCE_SECONDS)
    spent = time.perf_counter() - began
    stage.idle()
    stage.ticker.rest(0.3)
    return {"spent": spent}


def _stops(stage: Stage, begin: Callable[[], object], button: QAbstractButton) -> list[float]:
    """Seconds from Stop until nothing of the series is at work any more."""
    found = []
    for seconds in STOPS:
        begin()
        stage.ticker.until(lambda: stage.jobs.series is not None)
        stage.ticker.rest(seconds)
        job = stage.jobs.series
        if job is None:
            continue
        began = time.perf_counter()
        button.click()
        stage.ticker.until(lambda job=job: stage.jobs.series is not job)  # type: ignore[misc]
        found.append(time.perf_counter() - began)
        stage.idle()
    return found
