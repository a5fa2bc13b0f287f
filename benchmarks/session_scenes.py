"""Scenes of `benchmarks.event_loop` with a saved session."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmarks.event_loop_stage import Painted, Stage, Told
from ximstudio.jobs import Task
from ximstudio.model.named_set import NamedSet
from ximstudio.model.selection import Selection
from ximstudio.prepare.input import Input
from ximstudio.session import Data, Run, Session, TrainingPlan, open_data
from ximstudio.session.measuring import measured
from ximstudio.session.plan import usual_plans
from ximstudio.session.training import LiveTraining, Training
from ximstudio.store.files import write_session
from ximstudio.ui.views import VIEWS
from ximstudio.ui.widgets.slices import EventLoopSlices
from ximstudio.views import state_named

SUFFIX = ".xims"
STEPS = 5_000
"""Enough to be seen; nobody judges these maps."""
SEEN = ("map", "positions", "quality", "compare")
"""A view in every pane."""
REST_SECONDS, AHEAD_SECONDS, GLANCE_SECONDS = 0.5, 3.0, 0.1
SCHEMES = ("dark", "light") * 3


def write_worked_on(path: Path, table: str) -> None:
    """A session with the usual four maps of a table: measured, compared, and seen in four panes."""
    data = open_data(Input(name=table))
    session = Session(data=data)
    for plan in usual_plans(session.plan):
        session = session.with_run(_trained(data, plan, session.n_made + 1))
    ids = session.runs[0].matrix.item_ids
    session = replace(
        session,
        compared=tuple(run.key for run in session.runs),
        selection=Selection.of(ids[:20]),
        sets=(NamedSet.of("some", ids[:50]),),
    )
    states = {kind.kind.key: state_named(kind.kind.key).as_values() for kind in VIEWS}
    panes = [{"view": view, "views": states} for view in SEEN]
    write_session(path, session, views={"views": {"split": "4", "panes": panes}, "embed": True})


def _trained(data: Data, plan: TrainingPlan, number: int) -> Run:
    assert data.matrix is not None
    assert data.opened is not None
    if "n_steps" in plan.params.specs():
        plan = plan.with_params(plan.params.replace(n_steps=STEPS))
    training = Training(matrix=data.matrix, plan=plan)
    live = training.work(Task[LiveTraining, LiveTraining](training.work))
    run = Run(
        key=f"run-{number}",
        name=f"{plan.method.name} {number}",
        result=live.result,
        matrix=data.matrix,
        input=data.input,
        seconds=live.seconds,
        curves=live.curves,
        frozen=data.opened.prepared.frozen,
    )
    return measured(run)


def opening(name: str) -> Callable[[Stage], Told]:
    """A session opened from the first page, and once more over itself."""

    def play(stage: Stage) -> Told:
        stage.warm_up()

        def twice() -> None:
            for _ in range(2):
                _open(stage, name)

        return stage.recorded(twice)

    return play


def stepping(name: str) -> Callable[[Stage], Told]:
    """A session that a table takes the place of, and that a step back brings again."""

    def play(stage: Stage) -> Told:
        stage.warm_up()
        _open(stage, name)

        def steps() -> None:
            stage.actions.open(Input(name="sample:yeast"))
            stage.ticker.until(lambda: not stage.actions.session.runs)
            _settle(stage)
            for step in (stage.actions.undo, stage.actions.redo):
                step()
                _settle(stage)

        return stage.recorded(steps)

    return play


def exporting(name: str) -> Callable[[Stage], Told]:
    """The export dialog for the first time, until its figure is seen."""

    def play(stage: Stage) -> Told:
        stage.warm_up()
        _open(stage, name)
        # Nobody is quicker to want it.
        stage.ticker.rest(AHEAD_SECONDS)
        return stage.recorded(lambda: _export(stage))

    return play


def saving_figure(name: str) -> Callable[[Stage], Told]:
    """A figure saved from the export dialog."""

    def play(stage: Stage) -> Told:
        stage.warm_up()
        _open(stage, name)
        _export(stage)
        dialog, exporting = stage.window.exporter.dialog, stage.window.exporter.exporting

        def save() -> None:
            dialog.figure.save_as(stage.folder / f"figure {time.time_ns()}.pdf")
            stage.ticker.until(lambda: not exporting.writing.busy)
            _settle(stage)

        return stage.recorded(save)

    return play


def saving(name: str) -> Callable[[Stage], Told]:
    """The session saved in its file."""

    def play(stage: Stage) -> Told:
        stage.warm_up()
        _open(stage, name)

        def save() -> None:
            stage.window.save()
            stage.ticker.until(lambda: not stage.window.keeping.is_saving)
            _settle(stage)

        return stage.recorded(save)

    return play


def switching(name: str) -> Callable[[Stage], Told]:
    """Light and dark in turn, after every step and every view was seen."""

    def play(stage: Stage) -> Told:
        stage.warm_up()
        _open(stage, name)
        _see_all(stage)
        seen: list[float] = []
        painted = Painted(stage.window)

        def switch() -> Told:
            for scheme in SCHEMES:
                before = painted.count
                began = time.perf_counter()
                stage.window.choose_scheme(scheme)
                stage.ticker.until(lambda: painted.count > before)  # noqa: B023
                seen.append(time.perf_counter() - began)
                _settle(stage)
            what = "light and dark: until the window is painted"
            return {"numbers": {what: (statistics.median(seen), "seconds")}}

        return stage.recorded(switch)

    return play


def _see_all(stage: Stage) -> None:
    """Look at all steps and, in every pane, at all views; end with a view in each."""
    window = stage.window
    for number in range(len(window.page.steps.panels)):
        window.page.steps.open(number)
        stage.ticker.rest(GLANCE_SECONDS)
    for pane, last in zip(window.views.panes, SEEN, strict=True):
        for view in (*(kind.kind.key for kind in VIEWS), last):
            pane.show_view(view)
            stage.ticker.rest(GLANCE_SECONDS)
            stage.drop_rest()
    _settle(stage)


def _open(stage: Stage, name: str) -> None:
    before = stage.actions.session
    stage.window.opening.open_file(stage.folder / name)
    stage.ticker.until(lambda: stage.actions.session is not before)
    _settle(stage)


def _settle(stage: Stage) -> None:
    """Wait until all is seen; what is computed for the measures of the maps ends."""
    stage.ticker.rest(REST_SECONDS)
    stage.drop_rest()
    stage.ticker.until(
        lambda: all(each.idle for each in stage.window.findChildren(EventLoopSlices))
    )
    stage.ticker.rest(REST_SECONDS)


def _export(stage: Stage) -> None:
    stage.window.exporter.button.click()
    dialog = stage.window.exporter.dialog
    stage.ticker.until(lambda: dialog.isVisible() and not dialog.figure.preview.is_blank)
    _settle(stage)
