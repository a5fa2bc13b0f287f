"""Variants of the online step | the plain c-XIM step: blanks, best-match rules, map kernels.

Plain is: no blanks, nearest prototype wins, Cauchy kernel. Nothing here has a target; the table
shows what a choice costs.
"""

from __future__ import annotations

from benchmarks.timing import Contestant, Row, interleaved, show
from benchmarks.trainings import Training, groups
from ximstudio.train.xim_family import XimParams

ROUNDS = 15
STEPS = 1000
SMOOTHED_STEPS = 100
N_ITEMS = 2000


def rows_for(shape: tuple[int, int], n_features: int) -> list[Row]:
    """What each variant costs on one size of map."""
    matrix = groups(N_ITEMS, n_features)
    gappy = groups(N_ITEMS, n_features, blanks=0.05)
    plain = XimParams(shape=shape)
    heskes = XimParams(shape=shape, best_match="heskes")
    divergence = XimParams(shape=shape, best_match="divergence")
    trainings = {
        "plain step": Training.of(matrix, plain, STEPS),
        "5 % blanks": Training.of(gappy, plain, STEPS),
        "t kernel": Training.of(matrix, plain, STEPS, map_kernel="t"),
        "Gaussian kernel": Training.of(matrix, plain, STEPS, map_kernel="gaussian"),
        "no repulsion": Training.of(matrix, XimParams(shape=shape, repulsion=0.0), STEPS),
        "Heskes' best match": Training.of(matrix, heskes, SMOOTHED_STEPS),
        "divergence best match": Training.of(matrix, divergence, SMOOTHED_STEPS),
    }
    reference, *others = interleaved(
        *(
            Contestant(name=name, run=training.run, amount=training.order.size)
            for name, training in trainings.items()
        ),
        rounds=ROUNDS,
    )
    size = f"{shape[0]}×{shape[1]} × {n_features}"
    return [Row(work=f"{other.name}, {size}", ours=other, theirs=reference) for other in others]


def main() -> None:
    """Print the table."""
    rows = [*rows_for((30, 30), 79), *rows_for((50, 50), 50)]
    show("Variants of the online step", rows)


if __name__ == "__main__":
    main()
