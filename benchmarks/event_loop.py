"""Gaps of the window's event loop while it works: `python -m benchmarks.event_loop [scenario …]`.

Every scenario is a fresh process with the real window, on the screen there is or on a private one,
and is repeated; tables show medians over the rounds. A gap is the time between two ticks of a timer
of 4 ms: the window's thread could not answer a person during it. "Own" gaps leave out the time in
which the thread was ready and other processes had all cores; "busy" is the most that it computed in
one; "bystander" is the worst gap, at the same time, of a process that only ticks. With `--stacks`
one round of the scenarios is run and what the threads are doing is told whenever the window is
silent for 50 ms.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.event_loop_scenes import SCENES, write_files
from benchmarks.event_loop_stage import Stage, Told
from benchmarks.processes import Processes, fresh_processes
from benchmarks.screens import screen
from benchmarks.ticks import Gaps, stacks_told
from benchmarks.timing import duration, show_table

ROUNDS = 3
P99, WORST, LATENCY, FRAME_RATE, SLOWER = 0.05, 0.1, 0.1, 30.0, 1.25
"""What is asked for, in seconds, frames per second, and times."""

GAPS = (
    "while",
    "ticks",
    "p99",
    "own",
    "worst",
    "own",
    "busy",
    "bystander",
    "others",
    "frames/s",
    "",
)
LATENCIES = ("from the click until it has ended", "median", "worst", "target", "")
NUMBERS = ("what", "median", "rounds", "target", "")


def old_label(
    processes: Processes, scene: str, folder: Path, *, stacks: bool, **settings: str
) -> Told:
    """What a fresh process tells of one scene; of `stacks` where errors are told."""
    arguments = ("--scene", scene, str(folder), *(("--stacks",) if stacks else ()))
    try:
        output = processes.run("-m", "benchmarks.event_loop", *arguments, **settings)
    except subprocess.CalledProcessError as error:
        print(error.stderr, file=sys.stderr)
        raise
    if stacks:
        print(output.stderr, file=sys.stderr)
    told: Told = json.loads(output.stdout.splitlines()[-1])
    return told


def gap_row(name: str, rounds: Sequence[Told]) -> tuple[str, ...]:
    """One line of the table of gaps."""
    gaps = [Gaps.of_values(told["gaps"]) for told in rounds]

    def middle(of: Callable[[Gaps], float]) -> float:
        return float(np.median([of(each) for each in gaps]))

    p99 = middle(lambda each: float(np.quantile(each.seconds, 0.99)))
    own_p99 = middle(lambda each: float(np.quantile(each.own, 0.99)))
    worst = middle(lambda each: float(each.seconds.max()))
    own_worst = middle(lambda each: float(each.own.max()))
    frames = [told["frames"] for told in rounds if told.get("frames")]
    if p99 <= P99 and worst <= WORST:
        verdict = "holds"
    else:
        verdict = "holds, own" if own_p99 <= P99 and own_worst <= WORST else "MISSED"
    return (
        name,
        str(round(np.median([len(each.seconds) for each in gaps]))),
        duration(p99),
        duration(own_p99),
        duration(worst),
        duration(own_worst),
        duration(middle(lambda each: float(each.busy.max()))),
        duration(float(np.median([told["bystander"] for told in rounds]))),
        f"{np.median([told['others'] for told in rounds]):.1f} cores",
        f"{np.median(frames):.0f}" if frames else "",
        verdict,
    )


def latency_rows(rounds: Mapping[str, Sequence[Told]]) -> list[tuple[str, ...]]:
    """How soon things end that a person ends."""
    found: dict[str, list[float]] = defaultdict(list)
    for several in rounds.values():
        for told in several:
            for what, seconds in told.get("latencies", {}).items():
                found[what] += seconds
    return [
        (
            what,
            duration(float(np.median(seconds))),
            duration(max(seconds)),
            f"≤ {duration(LATENCY)}",
            _kept(seconds),
        )
        for what, seconds in found.items()
    ]


def _kept(seconds: Sequence[float]) -> str:
    if max(seconds) <= LATENCY:
        return "holds"
    return "median holds" if np.median(seconds) <= LATENCY else "MISSED"


def number_rows(rounds: Mapping[str, Sequence[Told]]) -> list[tuple[str, ...]]:
    """All that is neither a gap nor the end of something."""
    rows: list[tuple[str, ...]] = []
    for several in rounds.values():
        for what, (_, kind) in several[0].get("numbers", {}).items():
            values = [float(told["numbers"][what][0]) for told in several]
            target, holds = TARGETS[kind]
            rows.append(
                (
                    what,
                    shown(float(np.median(values)), kind),
                    ", ".join(shown(value, kind) for value in values),
                    target,
                    "" if holds is None else "holds" if holds(np.median(values)) else "MISSED",
                )
            )
    return rows


TARGETS: Mapping[str, tuple[str, Callable[[Any], bool] | None]] = {
    "rate": (f"≥ {FRAME_RATE:g} per second", lambda rate: rate >= FRAME_RATE),
    "slower": (f"≤ {SLOWER:g} times", lambda ratio: ratio <= SLOWER),
    "hover": ("at once, ≤ 20 ms", lambda seconds: seconds <= 0.02),
    "seconds": ("", None),
}
"""Kind of a number → what is asked of it."""


def shown(value: float, kind: str) -> str:
    """A number with its unit."""
    if kind == "rate":
        return f"{value:.0f} per second"
    return f"{value:.2f} times" if kind == "slower" else duration(value)


def in_this_process(name: str, folder: Path, *, stacks: bool) -> None:
    """Play one scene and print what it tells."""
    stage = Stage(folder)
    with stacks_told(stage.ticker) if stacks else nullcontext():
        told = SCENES[name].play(stage)
    stage.close()
    print(json.dumps(told))


def main(arguments: Sequence[str] = ()) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("scenario", nargs="*", help=", ".join(SCENES))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--scene", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.scene:
        in_this_process(asked.scene[0], Path(asked.scene[1]), stacks=asked.stacks)
        return
    chosen = asked.scenario or list(SCENES)
    rounds: dict[str, list[Told]] = defaultdict(list)
    with screen() as settings, fresh_processes() as processes:
        write_files(processes.folder, {file for name in chosen for file in SCENES[name].files})
        # Not while something is timed: the window starts it, too, where kernels are missing.
        processes.run("-c", "from ximstudio.session import precompile; precompile.main()")
        for number in range(1 if asked.stacks else asked.rounds):
            for name in chosen:
                more = dict(settings)
                if SCENES[name].cold:
                    more["NUMBA_CACHE_DIR"] = str(processes.folder / f"kernels {number}")
                began = time.perf_counter()
                told = old_label(processes, name, processes.folder, stacks=asked.stacks, **more)
                rounds[name].append(told)
                spent = duration(time.perf_counter() - began)
                print(f"round {number + 1}: {name}, {spent}", file=sys.stderr)
    where = next(iter(rounds.values()))[0]["platform"]
    rows = [gap_row(SCENES[name].about, several) for name, several in rounds.items()]
    show_table(f"Event loop ({where}; p99 ≤ 50 ms, worst ≤ 100 ms)", GAPS, rows)
    show_table("Stop, pause and cancel", LATENCIES, latency_rows(rounds))
    show_table("Frames, hovering, training", NUMBERS, number_rows(rounds))


if __name__ == "__main__":
    main(sys.argv[1:])
