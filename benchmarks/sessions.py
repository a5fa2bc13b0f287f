"""Saving and opening a session of 1 GB | the same bytes by numpy's own save and load.

The session holds a table of 100 000 × 1300, which is prepared, trained on and shown by two runs.
All contestants make the system write what they wrote (fsync); files are read from its cache. In a
process of its own: the most memory that is held beyond the session itself while it is saved, beyond
what was held before while it is opened, and how soon both end when the report raises. Keeping by
itself is timed for the first time, and for a change after it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.memory import count_afresh, resident
from benchmarks.processes import fresh_processes
from benchmarks.timing import Contestant, Row, duration, interleaved, show, show_table
from ximstudio.load import Reading
from ximstudio.model.arrays import frozen
from ximstudio.model.selection import Selection
from ximstudio.model.table import Axis, Table
from ximstudio.prepare.input import Input, Labelled, Opened
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Data, Run, Session
from ximstudio.store import read_session, write_session
from ximstudio.store.autosave import Autosave
from ximstudio.train import method_named, train

N_ITEMS, N_FEATURES = 100_000, 1300
ROUNDS = 3


class EnoughError(Exception):
    """Raised by a report."""


def session_of(n_items: int = N_ITEMS, n_features: int = N_FEATURES) -> Session:
    """A table and two maps of it; its values lie in memory once."""
    rng = np.random.default_rng(0)
    values = np.empty((n_items, n_features))
    for row in values:
        row[:] = rng.standard_normal(n_features)
    table = Table(
        values=frozen(values),
        items=Axis(
            names=tuple(f"GENE{number}" for number in range(n_items)),
            labels={"kind": tuple("abc"[number % 3] for number in range(n_items))},
        ),
        features=Axis(names=tuple(f"sample {number}" for number in range(n_features))),
        source="benchmark",
    )
    labelled = Labelled(reading=Reading(table=table, format="text"), table=table)
    wanted = Input(name="benchmark")
    # Not looked at by the doctor: that takes longer than all of this, and is not stored.
    opened = Opened(labelled=labelled, prepared=Recipe().prepare(table))
    data = Data(input=wanted, labelled=labelled, opened=opened, findings=())
    matrix = data.matrix
    assert matrix is not None
    assert matrix.fingerprint
    method = method_named("som")
    params = method.params.from_values({"n_steps": 100, "init": "random"})
    made = train(matrix, method, params)
    runs = tuple(
        Run(key=str(number), name="SOM", result=made, matrix=matrix, input=wanted)
        for number in range(2)
    )
    return Session(data=data, runs=runs, shown="1", n_made=2)


def values_of(session: Session) -> Any:
    """The numbers that make up nearly all of it."""
    assert session.data is not None
    return session.data.labelled.table.dense


def save_plainly(path: Path, values: Any) -> None:
    """As numpy does it, on the disk."""
    with path.open("wb") as file:
        np.save(file, values)
        file.flush()
        os.fsync(file.fileno())


def ended(work: Any) -> float:
    """Seconds from a report that raises in the middle to the end."""
    raised: list[float] = []

    def stop(fraction: float) -> None:
        if fraction > 0.3:
            raised.append(time.perf_counter())
            raise EnoughError

    try:
        work(stop)
    except EnoughError:
        return time.perf_counter() - raised[0]
    raise AssertionError


def memory(folder: Path) -> dict[str, float]:
    """In units of the session: the most that is held beyond it."""
    path = folder / "memory.xims"
    saved = memory_of_saving(path)
    before = count_afresh()
    opened = read_session(path)
    size = float(values_of(opened.session).nbytes)
    opening = resident("VmHWM") - before
    del opened
    stop_opening = ended(lambda report: read_session(path, report))
    return {**saved, "opening": opening / size, "stop_opening": stop_opening}


def memory_of_saving(path: Path) -> dict[str, float]:
    """The same of saving; the session is gone afterwards."""
    session = session_of()
    before = count_afresh()
    write_session(path, session)
    saving = resident("VmHWM") - before
    stop_saving = ended(lambda report: write_session(path, session, report=report))
    return {"saving": saving / values_of(session).nbytes, "stop_saving": stop_saving}


def main() -> None:
    """Print the tables."""
    with fresh_processes() as processes:
        output = processes.run("-m", "benchmarks.sessions", "memory", str(processes.folder)).stdout
        held = json.loads(output.splitlines()[-1])
    session = session_of()
    values = values_of(session)
    with tempfile.TemporaryDirectory(prefix="ximstudio-benchmarks-") as name:
        folder = Path(name)
        ours, plain = folder / "session.xims", folder / "plain.npy"
        saved, as_numpy, opened, loaded = interleaved(
            Contestant(name="save", run=lambda: write_session(ours, session)),
            Contestant(name="np.save", run=lambda: save_plainly(plain, values)),
            Contestant(name="open", run=lambda: read_session(ours)),
            Contestant(name="np.load", run=lambda: np.load(plain)),
            rounds=ROUNDS,
        )
        keeping = Autosave(folder / "recovery")
        began = time.perf_counter()
        keeping.write(session)
        first = time.perf_counter() - began
        changed = replace(session, selection=Selection.of(["GENE1"]))
        began = time.perf_counter()
        keeping.write(changed)
        second = time.perf_counter() - began
    show(
        f"A session of {values.nbytes / 1e9:.2f} GB",
        [
            Row(work="saving", ours=saved, theirs=as_numpy),
            Row(work="opening", ours=opened, theirs=loaded),
        ],
    )
    show_table(
        "Memory beyond the session, in sessions; how soon it ends",
        ("work", "memory", "ends after"),
        [
            ("saving", f"{held['saving']:.3f}", duration(held["stop_saving"])),
            ("opening", f"{held['opening']:.3f}", duration(held["stop_opening"])),
        ],
    )
    show_table(
        "Keeping it by itself",
        ("first", "after a change"),
        [(duration(first), duration(second))],
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(memory(Path(sys.argv[2]))))
    else:
        main()
