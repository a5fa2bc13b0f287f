"""Codes for missing values, limits of detection, and classes among the measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tests.contract.troublesome.case import Case

NAN = float("nan")
GENES = tuple(f"YAL{number:03}W" for number in range(1, 41))
SAMPLES = tuple(f"patient {number}" for number in range(1, 9))
RNG = np.random.default_rng(20)
LOGS = (RNG.uniform(5, 11, (40, 1)) + RNG.normal(0, 0.6, (40, 8))).round(2)
COUNTS = RNG.poisson(RNG.gamma(1.0, 150.0, (40, 1)) + 4, (40, 8)).astype(np.float64)
PLACES = ((0, 1), (3, 3), (3, 4), (17, 0), (30, 7), (39, 2))


def _csv(
    corner: str, columns: Sequence[str], names: Sequence[str], cells: Sequence[Sequence[str]]
) -> bytes:
    rows = [(corner, *columns), *((name, *row) for name, row in zip(names, cells, strict=True))]
    return "\n".join(",".join(row) for row in rows).encode()


def _written(values: np.ndarray, spelt: Callable[[float], str] = "{:g}".format) -> list[list[str]]:
    return [[spelt(float(value)) for value in row] for row in values]


def _tuples(values: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(value) for value in row) for row in values)


def _coded(name: str, trouble: str, start: np.ndarray, codes: Sequence[str]) -> Case:
    """Genes whose values are spelt in these ways where they are missing, one after the other."""
    cells, truth = _written(start), start.copy()
    for number, place in enumerate(PLACES):
        cells[place[0]][place[1]] = codes[number % len(codes)]
        truth[place] = NAN
    return Case(
        name=name,
        content=_csv("gene", SAMPLES, GENES, cells),
        trouble=trouble,
        items=GENES,
        features=SAMPLES,
        values=_tuples(truth),
    )


def _wines() -> tuple[tuple[str, ...], np.ndarray, tuple[str, ...]]:
    """Chemistry of wines in units of their own, and the class of each."""
    centres = {"alcohol": 13.0, "malic acid": 2.3, "ash": 2.4, "magnesium": 99.0, "proline": 746.0}
    kinds = tuple(str(number % 3 + 1) for number in range(45))
    values = np.column_stack(
        [RNG.normal(centre, centre / 6, 45) + centre / 9 for centre in centres.values()]
    )
    return tuple(centres), values.round(2), kinds


def _classed(name: str, header: str, trouble: str, *, first: bool = False) -> Case:
    """The wines with a column of classes."""
    features, values, kinds = _wines()
    names = tuple(f"wine {number}" for number in range(1, 46))
    cells = [
        [kind, *row] if first else [*row, kind]
        for kind, row in zip(kinds, _written(values), strict=True)
    ]
    columns = (header, *features) if first else (*features, header)
    return Case(
        name=name,
        content=_csv("id", columns, names, cells),
        trouble=trouble,
        items=names,
        features=features,
        item_labels={header: kinds},
        values=_tuples(values),
    )


def _clinical() -> Case:
    """Patients with whole numbers throughout, and codes in columns of different units."""
    n = 60
    values = np.column_stack(
        [
            RNG.integers(21, 81, n),
            RNG.integers(70, 200, n),
            RNG.integers(15, 600, n),
            RNG.normal(32, 6, n).round(1),
        ]
    ).astype(np.float64)
    outcome = tuple(str(number) for number in RNG.integers(0, 2, n))
    cells, truth = _written(values), values.copy()
    for row, column in ((2, 1), (9, 1), (30, 1), (11, 3), (40, 3)):
        cells[row][column], truth[row, column] = "999", NAN
    names = tuple(f"P{number:03}" for number in range(n))
    features = ("age", "glucose", "insulin", "BMI")
    return Case(
        name="codes_clinical_999.csv",
        content=_csv(
            "patient",
            (*features, "Outcome"),
            names,
            [[*row, kind] for row, kind in zip(cells, outcome, strict=True)],
        ),
        trouble="999 stands for missing values in two columns, and the last column is an outcome.",
        items=names,
        features=features,
        item_labels={"Outcome": outcome},
        values=_tuples(truth),
    )


CASES = (
    _coded("codes_9999.csv", "-9999 stands for missing values among logarithms.", LOGS, ["-9999"]),
    _coded("codes_999.csv", "999 and 9999 stand for missing values.", LOGS, ["999", "9999"]),
    _coded("codes_minus_one.csv", "-1 stands for missing values among counts.", COUNTS, ["-1"]),
    _coded(
        "codes_filler.csv", "Fillers of programs stand for missing values.", LOGS, ["1e30", "1e308"]
    ),
    _coded(
        "codes_words.csv",
        "Missing values are spelt in six ways.",
        LOGS,
        ["ND", "n.d.", "#N/A", "—", "Undetermined", "NaN()"],
    ),
    _coded(
        "codes_word_and_number.csv",
        "A word that is not known and a number stand for missing values.",
        LOGS,
        ["lost", "-999"],
    ),
    _coded("codes_limits.csv", "Some values are limits.", LOGS, ["<0.05", "< 0.1", ">14"]),
    _classed("codes_target.csv", "target", "The last column is the class."),
    _classed(
        "codes_class_first.csv", "kind of grape", "The first column looks like codes.", first=True
    ),
    _clinical(),
)
