"""Four maps side by side in the real window: `python -m benchmarks.comparing [part …]`.

Parts are `gestures`, `drawing`, `trials` and `loop`; all of them if none is named. Gestures are
timed from the mouse until all four panels are painted, in the window's thread, in two sizes of the
window; each may take 50 ms. Trials are many maps on all cores against the same maps one after the
other. The loop is the window's while such maps are trained.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest

from benchmarks import comparing_trials, event_loop
from benchmarks.event_loop_stage import Painted, Stage
from benchmarks.screens import screen
from benchmarks.ticks import Waiting
from benchmarks.timing import duration, show_table
from benchmarks.trainings import groups
from ximstudio.jobs import Task
from ximstudio.model.arrays import Floats
from ximstudio.model.matrix import Matrix
from ximstudio.model.selection import Selection
from ximstudio.prepare.input import Input
from ximstudio.session import Run
from ximstudio.session.plan import USUAL
from ximstudio.train import method_named, train
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.views.compare.picture import CompareMemory, CompareRequest
from ximstudio.views.compare.state import CompareState

ROUNDS = 25
WAITING = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
OPENED = "sample:yeast"
"""What is open while runs of other tables are looked at: those are made, not read."""
MOST = 0.050
PATIENCE_SECONDS = 10.0
SIZES = ((1280, 800), (1920, 1080))
TRAINED_FEATURES = 50
"""Maps of wider tables are of so many of their features: here it matters how long looking takes."""
HEADINGS = ("what", "items", "window", "median", "own", "processor", "slowest", "target", "")
DRAWING = ("what", "items", "median", "slowest")


@dataclass(frozen=True, kw_only=True)
class Table:
    """How large a table is.

    With a `whole` one all gestures are timed and have to hold the limit; with others only the
    torch, and nothing is asked of it.
    """

    n_items: int
    n_features: int
    whole: bool = False

    @property
    def name(self) -> str:
        return f"{self.n_items} × {self.n_features}"


TABLES = (
    Table(n_items=5000, n_features=50, whole=True),
    Table(n_items=50_000, n_features=50, whole=True),
    Table(n_items=7129, n_features=38),
    Table(n_items=20_000, n_features=2000),
)


def usual_runs(matrix: Matrix) -> tuple[Run, ...]:
    """The usual four, trained for a moment only."""
    seen = matrix
    if matrix.n_features > TRAINED_FEATURES:
        few = matrix.feature_names[:TRAINED_FEATURES]
        values = np.ascontiguousarray(matrix.values[:, :TRAINED_FEATURES])
        seen = replace(matrix, values=values, feature_names=few)
    runs = []
    for key in USUAL:
        method = method_named(key)
        wanted = {"shape": (30, 30), "n_steps": 3000}
        known = {name: value for name, value in wanted.items() if name in method.params.specs()}
        result = train(seen, method, method.params.from_values(known))
        runs.append(
            Run(
                key=f"run-{key}",
                name=method.name,
                result=result,
                matrix=matrix,
                input=Input(name=OPENED),
            )
        )
    return tuple(runs)


def labelled(matrix: Matrix) -> Matrix:
    """The table with a label of eight classes, as most tables have one."""
    texts = tuple(f"group {'ABCDEFGH'[row % 8]}" for row in range(matrix.n_items))
    return replace(matrix, item_labels={"group": texts})


def compared(stage: Stage, runs: tuple[Run, ...]) -> CompareView:
    """The view with these runs in its panels, painted."""
    keys = tuple(run.key for run in runs)
    if stage.actions.session.data is None:
        stage.open(OPENED)
    stage.store.update("Compare", runs=runs, shown=keys[-1], n_made=len(runs), compared=keys)
    stage.actions.draw()
    stage.window.views.show_panes("1")
    pane = stage.window.views.panes[0]
    pane.show_view("compare")
    view = pane.view
    assert isinstance(view, CompareView)
    stage.ticker.until(lambda: len(view.maps.panels) == len(runs) and stage.jobs.idle)
    stage.ticker.rest(0.3)
    return view


class Hand:
    """Moves the mouse over a panel from item to item, as a person's mouse does it."""

    def __init__(self, view: CompareView, number: int = 1) -> None:
        self._view, self._number = view, number
        self._panel = view.maps.panels[number]
        self._rng = np.random.default_rng(0)

    def aim(self) -> QPoint:
        """Where an item is seen that the mouse is not at."""
        points, canvas = self._panel.points, self._panel.canvas
        before = self._view.maps.lit
        while True:
            item = int(self._rng.integers(len(points)))
            spot = canvas.position_of(points.place_of(item)).toPoint()
            place = canvas.place_of(spot.toPointF())
            there = points.point_at(place.x(), place.y())
            if there >= 0 and before != (self._number, there):
                return spot

    def move(self, spot: QPoint) -> None:
        """Move the mouse there."""
        QTest.mouseMove(self._panel.canvas.viewport(), spot)

    def away(self) -> None:
        """Take the mouse from the panels."""
        QCursor.setPos(self._view.mapToGlobal(QPoint(2, 2)))


def timed(
    stage: Stage,
    view: CompareView,
    change: Callable[[int], object],
    prepare: Callable[[int], object] = lambda _: None,
) -> Floats:
    """Seconds from a change until all panels are painted, (3, R).

    By the clock, by the clock but for the time in which others had all cores, and by the processor.
    The first two rounds are left out.
    """
    seconds, waiting = np.empty((3, ROUNDS + 2)), Waiting()
    painted = [Painted(panel.canvas.viewport()) for panel in view.maps.panels]
    for number in range(ROUNDS + 2):
        prepare(number)
        before = [each.count for each in painted]
        began = np.array([time.perf_counter(), waiting.seconds(), time.thread_time()])
        change(number)
        while any(each.count == count for each, count in zip(painted, before, strict=True)):
            stage.application.processEvents(WAITING)
            if time.perf_counter() - began[0] > PATIENCE_SECONDS:
                raise TimeoutError("not all panels are painted")
        ended = np.array([time.perf_counter(), waiting.seconds(), time.thread_time()])
        wall, waited, cpu = ended - began
        seconds[:, number] = wall, wall - waited, cpu
        stage.ticker.rest(0.03)
        stage.idle()
    return seconds[:, 2:]


def moves(stage: Stage, view: CompareView) -> Floats:
    """Seconds from moving the mouse to another item until all panels are painted."""
    hand, spots = Hand(view), [QPoint()]

    def aim(_: int) -> None:
        spots[0] = hand.aim()

    found = timed(stage, view, lambda _: hand.move(spots[0]), aim)
    assert view.maps.lit is not None
    hand.away()
    stage.ticker.until(lambda: view.maps.lit is None)
    return found


def gestures(stage: Stage, view: CompareView, table: Table) -> dict[str, Floats]:
    """Seconds that each gesture takes."""
    maps = view.maps
    maps.torch.setChecked(True)
    found = {"torch": moves(stage, view)}
    maps.torch.setChecked(False)
    if not table.whole:
        return found
    ids, rng = maps.panels[0].picture.matrix.item_ids, np.random.default_rng(1)  # type: ignore[union-attr]
    chosen = [Selection.where(rng.random(len(ids)) < share, ids) for share in (0.1, 0.5, 0.01)]
    angles = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    panel = maps.panels[3]
    places = panel.picture.places  # type: ignore[union-attr]

    def lasso(number: int) -> None:
        around = places.mean(axis=0) + (0.5 + 0.1 * (number % 5)) * places.std(axis=0) * circle
        panel.canvas.enclosed.emit(around, Qt.KeyboardModifier.NoModifier)

    selecting = stage.actions.selecting
    found["hover"] = moves(stage, view)
    found["select a tenth, a half or a hundredth"] = timed(
        stage, view, lambda number: selecting.select(chosen[number % 3])
    )
    found["lasso of 200 corners in one panel"] = timed(stage, view, lasso)
    selecting.clear()
    stage.idle()
    return found | {"morph slider": morphs(stage, view)}


def morphs(stage: Stage, view: CompareView) -> Floats:
    """Seconds from a step of the slider until the panels that it moves are painted."""
    slider, first = view.maps.morph, view.maps.panels[0].canvas.viewport()

    def step(number: int) -> None:
        slider.setValue((slider.value() + 7) % slider.maximum() or 3 + number)
        # The first panel, which the others move to, does not change.
        first.update()

    found = timed(stage, view, step)
    slider.setValue(0)
    return found


def gesture_row(what: str, table: Table, size: tuple[int, int], seconds: Floats) -> tuple[str, ...]:
    """A line of the table."""
    wall, own, cpu = np.median(seconds, axis=1).tolist()
    verdict = "holds" if wall <= MOST else "holds, own" if own <= MOST else "MISSED"
    return (
        what,
        table.name,
        f"{size[0]}×{size[1]}",
        duration(wall),
        duration(own),
        duration(cpu),
        duration(float(seconds[0].max())),
        f"≤ {duration(MOST)}" if table.whole else "",
        verdict if table.whole else "",
    )


def show_gestures(stage: Stage, tables: Sequence[Table] = TABLES) -> None:
    """Print what gestures take."""
    rows = []
    for table in tables:
        matrix = labelled(groups(table.n_items, table.n_features))
        view = compared(stage, usual_runs(matrix))
        for size in SIZES:
            stage.window.resize(*size)
            stage.ticker.rest(0.5)
            found = gestures(stage, view, table)
            rows += [gesture_row(what, table, size, each) for what, each in found.items()]
    platform = stage.application.platformName()
    show_table(f"Until four panels are painted ({platform})", HEADINGS, rows)


def drawn_after(stage: Stage, request: Callable[[], CompareRequest]) -> Floats:
    """Seconds that pictures of all panels take in the lane."""
    seconds: list[float] = []
    shown = stage.actions.shown
    assert shown is not None
    for _ in range(5):
        made = request()

        def work(_: Task[float, None], made: CompareRequest = made) -> None:
            began = time.perf_counter()
            made(shown)
            seconds.append(time.perf_counter() - began)

        stage.jobs.start(Job(label="Drawing", work=work, quiet=True))
        stage.idle()
    return np.array(seconds)


def show_drawing(stage: Stage, tables: Sequence[Table] = TABLES) -> None:
    """Print how long pictures take in the lane, and the window to show them."""
    rows = []
    for table in tables:
        if not table.whole:
            continue
        view = compared(stage, usual_runs(labelled(groups(table.n_items, table.n_features))))
        kept = view.request()
        assert isinstance(kept, CompareRequest)
        shown = stage.actions.shown
        assert shown is not None
        picture = kept(shown)
        found = {
            "pictures, nothing known": drawn_after(
                stage, lambda: CompareState().request(CompareMemory())
            ),
            "pictures, maps turned before": drawn_after(stage, lambda: kept),  # noqa: B023
            "window shows them, until painted": timed(
                stage,
                view,
                lambda _: view.draw(picture),  # noqa: B023
            )[0],
        }
        rows += [
            (what, table.name, duration(float(np.median(each))), duration(float(each.max())))
            for what, each in found.items()
        ]
    show_table("Opening the view", DRAWING, rows)


def main(arguments: Sequence[str] = ()) -> None:
    """Print the tables."""
    parts = set(arguments) or {"gestures", "drawing", "trials", "loop"}
    if parts & {"gestures", "drawing"}:
        with screen() as settings, tempfile.TemporaryDirectory() as folder:
            os.environ.update(settings)
            stage = Stage(Path(folder))
            stage.warm_up()
            if "gestures" in parts:
                show_gestures(stage)
            if "drawing" in parts:
                show_drawing(stage)
            stage.close()
    if "trials" in parts:
        comparing_trials.main()
    if "loop" in parts:
        event_loop.main(["sweep", "usual"])


if __name__ == "__main__":
    main(sys.argv[1:])
