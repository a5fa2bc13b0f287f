"""Exact trustworthiness and continuity for all k = 1..50 | scikit-learn, ZADU; time and memory.

Ours is `neighbour_ranks` and both curves. scikit-learn's `trustworthiness` gives T alone, at one k:
its default of 5. ZADU is given all k at once, `ZADU([{"id": "tnc", "params": {"k": 1}}, …],
values).measure(positions)`, as it then takes distances, neighbours and ranks once for all of them.

Every measurement is a fresh process, which first calls its contestant with 300 items: that imports
it and loads its kernels. Memory is the most that was resident during the call that counts, less
what was resident before. Linux tells both, so the tables need it. What the contestants find is
compared as well, wherever two of them have the same number. All this takes half an hour.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.memory import count_afresh, resident
from benchmarks.processes import Processes, fresh_processes
from benchmarks.timing import Row, Timed, duration, show, show_table, version
from ximstudio.model.arrays import Floats

SEED = 0
N_FEATURES = 50
K = 50
SKLEARN_K = 5
WARM_UP = 300
SMALL, MIDDLE, LARGE = 5000, 20_000, 50_000
ROUNDS = {SMALL: 7, MIDDLE: 3, LARGE: 3}
TIMES_FASTER = {
    (SMALL, "scikit-learn"): 15,
    (SMALL, "ZADU"): 45,
    (MIDDLE, "scikit-learn"): 30,
    (MIDDLE, "ZADU"): 80,
}
TIMES_LESS_MEMORY = {(MIDDLE, "scikit-learn"): 20}
MOST_MEMORY = 1e9
"""Bytes that the whole process may take with LARGE items."""
LARGEST_DIFFERENCE = 1e-12


def falling(n_items: int) -> tuple[Floats, Floats]:
    """One cloud with falling variances, on a map of its first two features with a little noise.

    The features are independent, so that these are its principal axes.
    """
    rng = np.random.default_rng([SEED, n_items])
    values = rng.normal(size=(n_items, N_FEATURES)) * np.linspace(2.0, 0.3, N_FEATURES)
    return values, values[:, :2] + 0.1 * rng.normal(size=(n_items, 2))


def clusters(n_items: int) -> tuple[Floats, Floats]:
    """Twenty such clouds well apart, whose centres a random projection puts on the map."""
    values, positions = falling(n_items)
    rng = np.random.default_rng(SEED)
    centres = 4.0 * rng.normal(size=(20, N_FEATURES))
    drawn = 2.0 * centres @ rng.normal(size=(N_FEATURES, 2))
    which = rng.integers(len(centres), size=n_items)
    return centres[which] + values, drawn[which] + positions


DATA = {"falling variances": falling, "clusters": clusters}


def ours(values: Floats, positions: Floats) -> Floats:
    """T and C for every k, shape (2, K)."""
    from ximstudio.measure.neighbourhoods import continuity, trustworthiness
    from ximstudio.measure.ranks import neighbour_ranks

    ranks = neighbour_ranks(values, positions, (np.inf, np.inf), K)
    return np.stack([trustworthiness(ranks), continuity(ranks)])


def sklearn(values: Floats, positions: Floats) -> Floats:
    """T for one k; the rest is NaN."""
    from sklearn.manifold import trustworthiness

    found = np.full((2, K), np.nan)
    found[0, SKLEARN_K - 1] = trustworthiness(values, positions, n_neighbors=SKLEARN_K)
    return found


def zadu(values: Floats, positions: Floats) -> Floats:
    """T and C for every k, with ZADU's scheduler and defaults."""
    from zadu import ZADU

    wanted = [{"id": "tnc", "params": {"k": k}} for k in range(1, K + 1)]
    scores = ZADU(wanted, values).measure(positions)
    return np.array([[score[of] for score in scores] for of in ("trustworthiness", "continuity")])


CONTESTANTS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "ours": ours,
    "scikit-learn": sklearn,
    "ZADU": zadu,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """One contestant over several rounds: seconds and bytes per round, and T and C once."""

    name: str
    seconds: Floats
    before: Floats
    """Bytes resident before the call."""
    peak: Floats
    """Bytes resident during it, at most."""
    found: Floats

    @property
    def timed(self) -> Timed:
        release = "" if self.name == "ours" else f" {version(self.name)}"
        return Timed(name=self.name + release, seconds=self.seconds)

    @property
    def memory(self) -> Floats:
        return self.peak - self.before


def measure_once(name: str, data: str, n_items: int) -> str:
    """In a process of its own: one contestant's time, memory and findings, as JSON."""
    contestant = CONTESTANTS[name]
    values, positions = DATA[data](n_items)
    contestant(values[:WARM_UP], positions[:WARM_UP])
    before = count_afresh()
    began = time.perf_counter()
    found = contestant(values, positions)
    seconds = time.perf_counter() - began
    return json.dumps((seconds, before, resident("VmHWM"), found.tolist()))


def measured(processes: Processes, data: str, n_items: int, names: list[str]) -> list[Measured]:
    """The contestants in turn, round after round."""
    outcomes: dict[str, list[tuple[float, float, float, Floats]]] = {name: [] for name in names}
    for number in range(ROUNDS[n_items]):
        for turn in range(len(names)):
            name = names[(number + turn) % len(names)]
            arguments = ("-m", "benchmarks.neighbourhoods", name, data, str(n_items))
            outcomes[name].append(json.loads(processes.run(*arguments).stdout))
    return [
        Measured(
            name=name,
            seconds=np.array([outcome[0] for outcome in rounds]),
            before=np.array([outcome[1] for outcome in rounds]),
            peak=np.array([outcome[2] for outcome in rounds]),
            found=np.array(rounds[0][3]),
        )
        for name, rounds in outcomes.items()
    ]


def memory_row(work: str, mine: Measured, theirs: Measured, at_least: float | None) -> list[str]:
    """Memory of two contestants as cells of a table."""
    ratio = float(np.median(theirs.memory / mine.memory))
    return [
        work,
        theirs.timed.name,
        megabytes(mine.memory),
        megabytes(theirs.memory),
        f"{ratio:.3g}× less",
        *(("", "") if at_least is None else (f"≥ {at_least:g}", verdict(ratio >= at_least))),
    ]


def equality_row(work: str, mine: Measured, theirs: Measured) -> list[str]:
    """How far the numbers of two contestants differ, as cells of a table."""
    apart = np.abs(mine.found - theirs.found)
    largest = float(np.nanmax(apart))
    return [
        work,
        theirs.timed.name,
        str(np.count_nonzero(~np.isnan(apart))),
        f"{largest:.1e}",
        f"≤ {LARGEST_DIFFERENCE:g}",
        verdict(largest <= LARGEST_DIFFERENCE),
    ]


def large_row(work: str, mine: Measured) -> list[str]:
    """Time and memory of ours alone, as cells of a table."""
    whole = float(np.median(mine.peak))
    return [
        work,
        duration(mine.timed.median),
        megabytes(mine.memory),
        megabytes(mine.peak),
        f"< {MOST_MEMORY / 1e6:.0f} MB",
        verdict(whole < MOST_MEMORY),
    ]


def megabytes(amounts: Floats) -> str:
    """The median of several amounts of memory."""
    return f"{float(np.median(amounts)) / 1e6:.0f} MB"


def verdict(holds: bool) -> str:
    """A word for the last column."""
    return "holds" if holds else "MISSED"


def main() -> None:
    """Print the tables."""
    times: list[Row] = []
    memories, equalities, large = [], [], []
    with fresh_processes() as processes:
        # Writes bytecode and, where they are new, compiles kernels.
        for name in CONTESTANTS:
            processes.run("-m", "benchmarks.neighbourhoods", name, "clusters", str(WARM_UP))
        for n_items in (SMALL, MIDDLE):
            for data in DATA:
                work = f"{n_items} × {N_FEATURES}, {data}"
                mine, *peers = measured(processes, data, n_items, list(CONTESTANTS))
                for peer in peers:
                    key = (n_items, peer.name)
                    times.append(
                        Row(
                            work=work,
                            ours=mine.timed,
                            theirs=peer.timed,
                            at_least=TIMES_FASTER[key],
                        )
                    )
                    memories.append(memory_row(work, mine, peer, TIMES_LESS_MEMORY.get(key)))
                    equalities.append(equality_row(work, mine, peer))
        for data in DATA:
            (mine,) = measured(processes, data, LARGE, ["ours"])
            large.append(large_row(f"{LARGE} × {N_FEATURES}, {data}", mine))
    show("T and C for all k = 1..50: time", times)
    show_table(
        "T and C for all k = 1..50: memory beyond imports and data",
        ("work", "against", "ours", "theirs", "ratio", "target", ""),
        memories,
    )
    show_table(
        "T and C: largest difference of what both find",
        ("work", "against", "numbers", "apart", "target", ""),
        equalities,
    )
    show_table(
        "T and C for all k = 1..50, many items",
        ("work", "time", "memory", "whole process", "target", ""),
        large,
    )


if __name__ == "__main__":
    if sys.argv[1:]:
        print(measure_once(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    else:
        main()
