"""Choosing among 50 000 items in the real window: `python -m benchmarks.exploring`.

From the gesture to the painted window, in the window's thread: what a selection, a hover and other
colours take, with two views side by side. Each may take 50 ms.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import Qt

from benchmarks.event_loop_scenes import MANY, write_files
from benchmarks.event_loop_stage import Painted, Stage
from benchmarks.screens import screen
from benchmarks.timing import duration, show_table
from ximstudio.model.arrays import Floats
from ximstudio.model.selection import Selection
from ximstudio.ui.views.common.canvas_view import CanvasView
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.views.positions.picture import FEATURE

ROUNDS = 25
MOST = 0.050
HEADINGS = ("what", "median", "processor", "slowest", "target", "")


def timed(
    stage: Stage, views: Sequence[CanvasView[Any, Any]], change: Callable[[int], object]
) -> Floats:
    """Seconds from a change until these views are painted, by the clock and the processor, (2, R).

    The first two are left out.
    """
    seconds = np.empty((2, ROUNDS + 2))
    painted = [Painted(view.canvas.viewport()) for view in views]
    for number in range(ROUNDS + 2):
        before = [each.count for each in painted]
        began, began_cpu = time.perf_counter(), time.thread_time()
        change(number)
        while any(each.count == count for each, count in zip(painted, before, strict=True)):
            stage.application.processEvents()
        seconds[:, number] = time.perf_counter() - began, time.thread_time() - began_cpu
        stage.ticker.rest(0.02)
        stage.idle()
    return seconds[:, 2:]


def row(what: str, seconds: Floats) -> tuple[str, ...]:
    """A line of the table."""
    wall, cpu = np.median(seconds, axis=1).tolist()
    return (
        what,
        duration(wall),
        duration(cpu),
        duration(float(seconds[0].max())),
        f"≤ {duration(MOST)}",
        "holds" if wall <= MOST else "MISSED",
    )


def rows(stage: Stage) -> list[tuple[str, ...]]:
    """All that is timed."""
    stage.warm_up()
    stage.open(MANY)
    stage.actions.choose_method("som")
    stage.plan(shape=(20, 30), n_steps=60_000)
    stage.window.train()
    stage.ticker.until(lambda: bool(stage.actions.session.runs))
    stage.drop_rest()
    stage.window.views.show_panes("2")
    stage.idle()
    one, other = (pane.view for pane in stage.window.views.panes[:2])
    assert isinstance(one, MapView)
    assert isinstance(other, PositionsView)
    run = stage.actions.session.run
    assert run is not None
    ids, rng = run.matrix.item_ids, np.random.default_rng(0)
    chosen = [Selection.where(rng.random(len(ids)) < share, ids) for share in (0.1, 0.5, 0.01)]
    selecting = stage.actions.selecting
    angles = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    middle, size = run.result.positions.mean(axis=0), run.result.positions.std(axis=0)
    features = run.matrix.feature_names

    def lasso(number: int) -> None:
        around = middle + (0.5 + 0.1 * (number % 5)) * size * circle
        other.canvas.enclosed.emit(around, Qt.KeyboardModifier.NoModifier)

    def recolour(number: int) -> None:
        before = other._picture
        other.colouring.choose(FEATURE, features[number % len(features)])
        other.wanted.emit()
        stage.ticker.until(lambda: other._picture is not before)

    some = "select a tenth, a half or a hundredth"
    both = (one, other)
    return [
        row(some, timed(stage, both, lambda number: selecting.select(chosen[number % 3]))),
        row("lasso of 200 corners around most", timed(stage, both, lasso)),
        row("take it back", timed(stage, both, lambda _: stage.actions.undo())),
        row("hover an item", timed(stage, (other,), lambda number: other.hover(7 * number))),
        row("hover a node", timed(stage, (one,), one.hover)),
        row("colour by another feature", timed(stage, (other,), recolour)),
    ]


def main() -> None:
    """Print the table."""
    with screen() as settings, tempfile.TemporaryDirectory() as folder:
        os.environ.update(settings)
        write_files(Path(folder), [MANY])
        stage = Stage(Path(folder))
        found = rows(stage)
        platform = stage.application.platformName()
        stage.close()
    show_table(f"Choosing among 50 000 items, two views ({platform})", HEADINGS, found)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
