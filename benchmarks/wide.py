"""20 000 steps on 72 items × 7129 features, turned there and back | unturned, Orange, MiniSom.

The size of a microarray study of leukaemia, on a map of 30×30. Ours is everything from the table
to prototypes in the data space: moving and turning the items, laying them out, training, turning
back. The others would take minutes to an hour: they are timed over fewer steps and extrapolated.
"""

from __future__ import annotations

from benchmarks.peers import minisom, orange
from benchmarks.timing import Contestant, Row, interleaved, show
from benchmarks.trainings import Training, groups
from ximstudio.model.matrix import Matrix
from ximstudio.train import method_named, train
from ximstudio.train.start import start_prototypes
from ximstudio.train.xim_family import XimParams

ROUNDS = 7
STEPS = 20_000
UNTURNED_STEPS = 200
ORANGE_STEPS = 72
MINISOM_STEPS = 8


def extrapolated(contestant: Contestant, name: str) -> Contestant:
    """The same contestant, its steps counted as a share of all STEPS."""
    return Contestant(name=name, run=contestant.run, amount=contestant.amount / STEPS)


def main() -> None:
    """Print the table."""
    shape = (30, 30)
    matrix = groups(72, 7129)
    params = XimParams(shape=shape, n_steps=STEPS)
    start = start_prototypes(matrix, params.grid, start="pca", seed=0)
    unturned = Training.of(matrix, params, UNTURNED_STEPS, turn=False, start=start)
    turned = Training.of(matrix, params, STEPS, turn=True, start=start)

    def unseen() -> Matrix:
        # A matrix keeps what was once computed of it: every run gets one of its own.
        return matrix.with_values(matrix.values)

    def there_and_back() -> None:
        training = Training.of(unseen(), params, STEPS, turn=True, start=start)
        training.run()
        training.leave()

    whole, steps, public, flat, compiled, small = interleaved(
        Contestant(name="turned", run=there_and_back),
        Contestant(name="its steps alone", run=turned.run),
        Contestant(name="train()", run=lambda: train(unseen(), method_named("c-xim"), params)),
        Contestant(name="unturned, extrapolated", run=unturned.run, amount=UNTURNED_STEPS / STEPS),
        extrapolated(orange(matrix.values, shape, ORANGE_STEPS), "Orange, extrapolated"),
        extrapolated(minisom(matrix.values, shape, MINISOM_STEPS), "MiniSom, extrapolated"),
        rounds=ROUNDS,
    )
    work = "20 000 steps"
    rows = [
        Row(work=work, ours=whole, theirs=flat, at_least=100),
        Row(work=work, ours=whole, theirs=compiled, at_least=600),
        Row(work=work, ours=whole, theirs=small, at_least=3000),
        Row(work=work, ours=whole, theirs=steps),
        Row(work="with checks, start and placing", ours=public, theirs=whole),
    ]
    show("Wide data: 72 × 7129 on 30×30", rows)


if __name__ == "__main__":
    main()
