"""Average linkage of n rows | scipy.cluster.hierarchy.linkage: seconds, stillness, memory, bits.

"Stillness" is the longest time in which another thread could not run: it waits for the GIL, as the
window would. Memory is what is needed beside the distances.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist

from benchmarks.memory import taken_by
from benchmarks.timing import Contestant, duration, interleaved, show_table
from ximstudio.explore.row_order import MOST_ROWS, linked
from ximstudio.model.arrays import Floats

ROUNDS = 5
SIZES = (300, 1000, 3000, MOST_ROWS)
WAYS: dict[str, Callable[[Floats], Floats]] = {
    "ours": linked,
    "scipy": lambda table: np.asarray(hierarchy.linkage(table, "average"), dtype=np.float64),
}


def distances_of(n_rows: int) -> Floats:
    """Distances between random rows."""
    return np.asarray(pdist(np.random.default_rng(0).normal(size=(n_rows, 20))))


def longest_stillness(run: Callable[[], object]) -> float:
    """Seconds between two turns of a thread that asks for one every millisecond, at the most."""
    done, longest = threading.Event(), 0.0

    def work() -> None:
        run()
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        began = time.perf_counter()
        time.sleep(0.001)
        longest = max(longest, time.perf_counter() - began)
    worker.join()
    return longest


def main() -> None:
    """Print the table."""
    rows = []
    for n_rows in SIZES:
        table = distances_of(n_rows)
        ours, theirs = (linkage(table) for linkage in WAYS.values())
        same = np.array_equal(ours[:, [0, 1, 3]], theirs[:, [0, 1, 3]])
        off = float(np.abs(ours[:, 2] / theirs[:, 2] - 1.0).max())

        def run(way: str, table: Floats = table) -> Callable[[], object]:
            return lambda: WAYS[way](table)

        timed = interleaved(*(Contestant(name=way, run=run(way)) for way in WAYS), rounds=ROUNDS)
        for found in timed:
            still = np.median([longest_stillness(run(found.name)) for _ in range(ROUNDS)])
            memory = taken_by(run(found.name)) / 2**20
            agree = f"{'same merges' if same else 'OTHER MERGES'}, heights within {off:.0e}"
            cells = (duration(found.median), duration(float(still)), f"{memory:.0f} MB", agree)
            rows.append((str(n_rows), found.name, *cells))
    headings = ("rows", "linkage", "time", "longest stillness", "memory", "agreement")
    show_table("Average linkage", headings, rows)


if __name__ == "__main__":
    main()
