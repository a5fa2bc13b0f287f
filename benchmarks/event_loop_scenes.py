"""Scenes of `benchmarks.event_loop`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent

from benchmarks import comparing_scenes, session_scenes
from benchmarks.event_loop_stage import Painted, Stage, Told
from benchmarks.reading import write_table
from ximstudio.jobs import Task
from ximstudio.session import Data
from ximstudio.train import checkpoints
from ximstudio.ui.dialogs.importing.dialog import ImportDialog
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView

LARGE, MIDDLE, MANY = "20000x500.csv", "5000x50.csv", "50000x10.csv"
SAMPLE_SESSION, SESSION, LARGE_SESSION = "yeast.xims", "2467x79.xims", "20000x50.xims"
TRAINED_SECONDS = 6.0
"""How long a training is watched."""
CLICKS = 5
"""How often each button is pressed."""
PACE_SECONDS, TURNS = 2.0, 3
"""How long, and how often in turns, a training is timed with its live map and without."""
MOVES = 150
"""Frames of panning and zooming."""


def write_files(folder: Path, names: Iterable[str]) -> None:
    """The tables and sessions of the scenes."""
    for name in names:
        if name == LARGE:
            write_table(folder / name, 20_000)
        elif name.endswith(session_scenes.SUFFIX):
            _write_session(folder, name)
        else:
            n_items, n_features = (int(part) for part in name.removesuffix(".csv").split("x"))
            _write_groups(folder / name, n_items, n_features)


def _write_session(folder: Path, name: str) -> None:
    """A session of the sample, or of a table of the size that its name says."""
    if name == SAMPLE_SESSION:
        session_scenes.write_worked_on(folder / name, "sample:yeast")
        return
    table = f"{name.removesuffix(session_scenes.SUFFIX)}.csv"
    write_files(folder, [table])
    session_scenes.write_worked_on(folder / name, str(folder / table))


def _write_groups(path: Path, n_items: int, n_features: int) -> None:
    """Eight groups, with a label that names them."""
    rng = np.random.default_rng(2)
    groups = rng.integers(0, 8, n_items)
    values = 3.0 * rng.normal(size=(8, n_features))[groups] + rng.normal(size=(n_items, n_features))
    with path.open("w") as file:
        head = ("gene", "group", *(f"sample {number}" for number in range(n_features)))
        file.write(",".join(head) + "\n")
        for number, (group, row) in enumerate(zip(groups.tolist(), values.tolist(), strict=True)):
            cells = ",".join(f"{value:.3f}" for value in row)
            file.write(f"GENE{number},group {'ABCDEFGH'[group]},{cells}\n")


def nothing(stage: Stage) -> Told:
    """An empty window at rest: what the others are to be compared with."""
    stage.warm_up()
    return stage.recorded(lambda: stage.ticker.rest(3.0))


def training(name: str, shape: tuple[int, int], size: str) -> Callable[[Stage], Told]:
    """Training and its live map; then stop, pause, and how much looking costs."""

    def play(stage: Stage) -> Told:
        stage.warm_up()
        data = stage.open(name)
        stage.plan(shape=shape, n_steps=20_000_000)
        view = stage.window.views.panes[0].view
        assert isinstance(view, MapView)
        painted = Painted(view.canvas.viewport())

        def watch() -> Told:
            stage.train()
            before = painted.count
            stage.ticker.rest(TRAINED_SECONDS)
            return {"frames": (painted.count - before) / TRAINED_SECONDS}

        told = stage.recorded(watch)
        pauses, stops = _pauses(stage), _stops(stage)
        slower = _slower(stage, data)
        return told | {
            "latencies": {f"pause, {size}": pauses, f"stop, {size}": stops},
            "numbers": {f"training is longer with its live map, {size}": (slower, "slower")},
        }

    return play


def _pauses(stage: Stage) -> list[float]:
    found = []
    for _ in range(CLICKS):
        stage.ticker.rest(0.1)
        found.append(stage.ended_after(stage.window.bar.pause.click))
        stage.window.train()
        stage.ticker.until(lambda: stage.jobs.current is not None)
        stage.ticker.rest(0.3)
    return found


def _stops(stage: Stage) -> list[float]:
    found = []
    for number in range(CLICKS):
        found.append(stage.ended_after(stage.window.bar.stop.click))
        stage.drop_rest()
        if number < CLICKS - 1:
            stage.train()
            stage.ticker.rest(0.3)
    return found


def _slower(stage: Stage, data: Data) -> float:
    """How many times as long a step takes with everything that is shown; in turns with it alone."""
    paces = [(_pace_alone(stage, data), _pace_seen(stage)) for _ in range(TURNS)]
    alone, seen = np.median(paces, axis=0)
    return float(alone / seen)


def _pace_seen(stage: Stage) -> float:
    """Steps per second of a training, with everything that is shown of it."""
    stage.train()
    stage.ticker.rest(0.3)
    live = stage.actions.live
    assert live is not None
    before, began = live.step, live.seconds
    stage.ticker.rest(PACE_SECONDS)
    live = stage.actions.live
    assert live is not None
    pace = (live.step - before) / (live.seconds - began)
    stage.ended_after(stage.window.bar.stop.click)
    stage.drop_rest()
    return pace


def _pace_alone(stage: Stage, data: Data) -> float:
    """Steps per second in the lane while nobody looks."""
    plan = stage.actions.session.plan
    paces: list[float] = []

    def work(task: Task[float, None]) -> None:
        assert data.matrix is not None
        first = None
        for checkpoint in checkpoints(data.matrix, plan.method, plan.params, seed=plan.seed):
            task.check()
            now = time.perf_counter()
            if first is None:
                first = (now, checkpoint.step)
            elif now - first[0] > PACE_SECONDS:
                paces.append((checkpoint.step - first[1]) / (now - first[0]))
                return

    stage.jobs.start(Job(label="Training alone", work=work))
    stage.idle()
    return paces[0]


def reading(stage: Stage) -> Told:
    """The import dialog on a large file, from choosing it until the data panel shows it."""
    stage.warm_up()
    path = stage.folder / LARGE
    stage.window.bar.reading.setChecked(True)
    latencies = []
    for number in range(CLICKS):
        stage.window.opening.open_file(path)
        (dialog,) = ImportDialog._open
        stage.ticker.until(lambda: bool(stage.jobs.running))
        stage.ticker.rest(0.25 * (1 + number))
        if stage.jobs.running:
            latencies.append(stage.ended_after(dialog.reject))
        else:
            dialog.reject()
    stage.idle()
    stage.ticker.rest(0.3)

    def play() -> Told:
        began = time.perf_counter()
        stage.window.opening.open_file(path)
        (dialog,) = ImportDialog._open
        stage.ticker.until(dialog.ok.isEnabled)
        read = time.perf_counter() - began
        stage.ticker.rest(0.3)
        began = time.perf_counter()
        dialog.ok.click()
        stage.ticker.until(lambda: stage.actions.session.data is not None)
        opened = time.perf_counter() - began
        stage.idle()
        stage.ticker.rest(0.5)
        return {
            "numbers": {
                "20 000 × 500: until the preview": (read, "seconds"),
                "20 000 × 500: from Open to the data panel": (opened, "seconds"),
            }
        }

    return stage.recorded(play) | {"latencies": {"cancel, reading 20 000 × 500": latencies}}


def measuring(stage: Stage) -> Told:
    """The measures of a map, and what views show of them."""
    stage.warm_up()
    stage.open(MIDDLE)
    stage.plan(shape=(60, 60), n_steps=20_000)
    stage.window.train()
    stage.ticker.until(lambda: bool(stage.actions.session.runs) and bool(stage.actions.measuring))
    latencies = []
    for number in range(CLICKS):
        stage.ticker.until(lambda: stage.jobs.current is not None)
        stage.ticker.rest(0.05 + 0.2 * number)
        if stage.jobs.current is not None:
            latencies.append(stage.ended_after(stage.window.status.cancel.click))
        stage.idle()
        stage.actions.measure(stage.actions.session.runs[-1])
    stage.jobs.stop()
    stage.idle()

    def play() -> None:
        stage.actions.measure(stage.actions.session.runs[-1])
        stage.idle()
        stage.window.views.panes[0].show_view("quality")
        stage.idle()
        stage.ticker.rest(0.3)

    return stage.recorded(play) | {"latencies": {"cancel, measuring 5000 × 50": latencies}}


def first_use(stage: Stage) -> Told:
    """The first minute on a machine: nothing is compiled yet."""

    def play() -> Told:
        began = time.perf_counter()
        stage.open("sample:yeast")
        stage.plan(shape=(30, 30), n_steps=300_000)
        stage.train()
        spent = time.perf_counter() - began
        stage.ticker.until(lambda: bool(stage.actions.session.runs))
        stage.idle()
        return {"numbers": {"first use: until the first map is seen": (spent, "seconds")}}

    stage.window.show()
    # Nobody is quicker to choose a sample.
    stage.ticker.rest(1.0)
    return stage.recorded(play)


def positions(stage: Stage) -> Told:
    """Panning, zooming and hovering over many points."""
    stage.warm_up()
    stage.open(MANY)
    stage.actions.choose_method("som")
    stage.plan(shape=(20, 30), n_steps=60_000)
    stage.window.train()
    stage.ticker.until(lambda: bool(stage.actions.session.runs))
    pane = stage.window.views.panes[0]
    stage.drop_rest()

    def play() -> Told:
        pane.show_view("positions")
        view = pane.view
        assert isinstance(view, PositionsView)
        stage.idle()
        stage.ticker.rest(0.3)
        rate = _moved(stage, view)
        pointed = _pointed(stage, view)
        return {
            "frames": rate,
            "numbers": {
                "50 000 points: pan and zoom": (rate, "rate"),
                "50 000 points: hover, median": (float(np.median(pointed)), "hover"),
                "50 000 points: hover, worst": (max(pointed), "seconds"),
            },
        }

    return stage.recorded(play)


def _moved(stage: Stage, view: PositionsView) -> float:
    """Frames per second while the canvas is panned and zoomed, as fast as it goes."""
    painted = Painted(view.canvas.viewport())
    bounds: QRectF = view.points.boundingRect()
    began = time.perf_counter()
    for number in range(MOVES):
        turn = 0.1 * number
        size = 0.7 + 0.25 * np.sin(turn)
        width, height = bounds.width() * size, bounds.height() * size
        left = bounds.left() + (bounds.width() - width) * (0.5 + 0.4 * np.cos(turn))
        top = bounds.top() + (bounds.height() - height) * (0.5 + 0.4 * np.sin(turn))
        wanted = painted.count + 1
        view.canvas.view.setRange(QRectF(left, top, width, height), padding=0.0)
        while painted.count < wanted:
            stage.application.processEvents()
    return MOVES / (time.perf_counter() - began)


def _pointed(stage: Stage, view: PositionsView) -> list[float]:
    """Seconds from moving the mouse until the card says who is there, and is painted."""
    rng = np.random.default_rng(3)
    target = view.canvas.viewport()
    found = []
    for item in rng.choice(len(view.points), 60, replace=False).tolist():
        place = view.canvas.position_of(view.points.place_of(item))
        if not target.rect().contains(place.toPoint()):
            continue
        none = Qt.MouseButton.NoButton
        moved = QMouseEvent(
            QEvent.Type.MouseMove,
            place,
            QPointF(target.mapToGlobal(place.toPoint())),
            none,
            none,
            Qt.KeyboardModifier.NoModifier,
        )
        began = time.perf_counter()
        stage.application.sendEvent(target, moved)
        stage.application.processEvents()
        assert view.points.hovered >= 0
        found.append(time.perf_counter() - began)
        stage.ticker.rest(0.02)
    return found


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Something that happens in the window; a `cold` one has nothing compiled."""

    about: str
    play: Callable[[Stage], Told]
    files: tuple[str, ...] = ()
    cold: bool = False


SCENES: Mapping[str, Scene] = {
    "nothing": Scene(about="at rest", play=nothing),
    "sample": Scene(
        about="training 30×30 on 186×79", play=training("sample:yeast", (30, 30), "30×30 on 186×79")
    ),
    "middle": Scene(
        about="training 60×60 on 5000×50",
        play=training(MIDDLE, (60, 60), "60×60 on 5000×50"),
        files=(MIDDLE,),
    ),
    "reading": Scene(about="opening 20 000×500", play=reading, files=(LARGE,)),
    "measuring": Scene(about="measuring 5000×50", play=measuring, files=(MIDDLE,)),
    "first": Scene(about="first use, nothing compiled", play=first_use, cold=True),
    "positions": Scene(about="50 000 positions", play=positions, files=(MANY,)),
    "sweep": Scene(
        about="sweeping 12 maps of 5000×50", play=comparing_scenes.sweep, files=(MIDDLE,)
    ),
    "usual": Scene(about="the usual four on 5000×50", play=comparing_scenes.usual, files=(MIDDLE,)),
    "open yeast": Scene(
        about="opening a session, 186×79",
        play=session_scenes.opening(SAMPLE_SESSION),
        files=(SAMPLE_SESSION,),
    ),
    "open": Scene(
        about="opening a session, 2467×79",
        play=session_scenes.opening(SESSION),
        files=(SESSION,),
    ),
    "open large": Scene(
        about="opening a session, 20 000×50",
        play=session_scenes.opening(LARGE_SESSION),
        files=(LARGE_SESSION,),
    ),
    "steps": Scene(
        about="a table in its place, undo, redo",
        play=session_scenes.stepping(SESSION),
        files=(SESSION,),
    ),
    "export": Scene(
        about="the export dialog, first", play=session_scenes.exporting(SESSION), files=(SESSION,)
    ),
    "figure": Scene(
        about="saving a figure", play=session_scenes.saving_figure(SESSION), files=(SESSION,)
    ),
    "scheme": Scene(
        about="light and dark, all views built",
        play=session_scenes.switching(SESSION),
        files=(SESSION,),
    ),
    "save": Scene(about="saving a session", play=session_scenes.saving(SESSION), files=(SESSION,)),
}
