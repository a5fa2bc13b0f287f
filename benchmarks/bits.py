"""Hashes of a table of maps, one line each: the same before and after a change that moves code.

`python -m benchmarks.bits > before.txt`, then the same after the change, then compare the files.
Bits depend on processor and versions, so both have to be printed on one machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.trainings import groups
from ximstudio.load import read
from ximstudio.measure.catalogue import MEASURES
from ximstudio.measure.evidence import MapEvidence
from ximstudio.model.matrix import Matrix
from ximstudio.train import METHODS, train

SHORT: dict[str, Any] = {"shape": (8, 7), "n_steps": 3000, "n_epochs": 8}
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"algorithm": "batch"},
    {"lattice": "hexagonal", "toroidal": True, "shape": (8, 6)},
    {"metric": "correlation"},
    {"best_match": "heskes"},
    {"best_match": "divergence"},
    {"divergence": "jensen-shannon"},
    {"algorithm": "batch", "divergence": "renyi"},
)


def matrices() -> Iterator[tuple[str, Matrix]]:
    """Tables that take different ways through training: with blanks, full, and wide."""
    yield "yeast", read("sample:yeast").table.matrix()
    yield "groups", groups(300, 12)
    yield "wide", groups(40, 90)


def main() -> None:
    """Print a line for every map, and the hash of its measures."""
    for name, matrix in matrices():
        for method in METHODS:
            known = method.params.specs()
            for variant in VARIANTS:
                changes = {key: value for key, value in variant.items() if key in known}
                if changes != variant:
                    continue
                short = {key: value for key, value in SHORT.items() if key in known}
                print(name, method.key, variant, _outcome(matrix, method, short | changes))


def _outcome(matrix: Matrix, method: Any, changes: dict[str, Any]) -> str:
    try:
        result = train(matrix, method, method.params(**changes), seed=3)
    except ValueError as refused:
        return f"refused: {getattr(refused, 'keys', refused)}"
    evidence = MapEvidence(matrix=matrix, result=result)
    values = [f"{measure.key}={measure.of(evidence)!r}" for measure in MEASURES]
    return f"{result.hash} {' '.join(values)}"


if __name__ == "__main__":
    main()
