"""One online c-XIM step | MiniSom's and Orange's SOM step, and one pass over the prototypes.

The kernel is called as the driver calls it, over a whole short training. The last rows show what
the public driver adds: checks, start, checkpoints about 30 times a second.
"""

from __future__ import annotations

from collections import deque

from benchmarks.peers import memory_pass, minisom, orange
from benchmarks.timing import Contestant, Row, interleaved, show
from benchmarks.trainings import Training, groups
from ximstudio.model.matrix import Matrix
from ximstudio.train import checkpoints, method_named
from ximstudio.train.xim_family import XimParams

ROUNDS = 31
STEPS = 2000
PEER_STEPS = 200
N_ITEMS = 2000


def rows_for(shape: tuple[int, int], n_features: int) -> list[Row]:
    """Comparisons on one size of map."""
    work = f"step, {shape[0]}×{shape[1]} × {n_features}"
    matrix = groups(N_ITEMS, n_features)
    training = Training.of(matrix, XimParams(shape=shape), STEPS)
    ours, small, compiled, memory = interleaved(
        Contestant(name="c-XIM step", run=training.run, amount=STEPS),
        minisom(matrix.values, shape, PEER_STEPS),
        orange(matrix.values, shape, PEER_STEPS),
        memory_pass(training.prototypes, STEPS),
        rounds=ROUNDS,
    )
    return [
        Row(work=work, ours=ours, theirs=small, at_least=25),
        Row(work=work, ours=ours, theirs=compiled, at_least=10),
        Row(work=work, ours=ours, theirs=memory, at_most=3),
        driver_row(f"driver, {work}", matrix, shape),
    ]


def driver_row(work: str, matrix: Matrix, shape: tuple[int, int]) -> Row:
    """The public driver, with as many steps as it takes by itself, against its own kernel."""
    params = XimParams(shape=shape)
    n_steps = params.steps_for(matrix.n_items)
    method = method_named("c-xim")
    training = Training.of(matrix, params, n_steps)

    def drive() -> None:
        # A matrix keeps what was once computed of it: every run gets one of its own.
        unseen = matrix.with_values(matrix.values)
        deque(checkpoints(unseen, method, params), maxlen=1)

    driver, bare = interleaved(
        Contestant(name="driver", run=drive, amount=n_steps),
        Contestant(name="kernel alone", run=training.run, amount=n_steps),
        rounds=5,
    )
    return Row(work=work, ours=driver, theirs=bare)


def main() -> None:
    """Print the table."""
    rows = [*rows_for((30, 30), 79), *rows_for((50, 50), 50)]
    show("One online step", rows)


if __name__ == "__main__":
    main()
