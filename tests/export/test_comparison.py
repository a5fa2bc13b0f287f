"""A comparison on paper: what is bold, what is blank, what is spelled out."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tests.measure.comparisons import N_ITEMS, compared
from ximstudio.export.comparison import markdown, write_means, write_runs, write_wander
from ximstudio.load import Reading
from ximstudio.measure.comparison import Comparison
from ximstudio.model import Matrix
from ximstudio.model.table import Table
from ximstudio.prepare.input import Labelled, Opened
from ximstudio.prepare.recipe import Planned, Recipe, planned
from ximstudio.train import METHODS

UNKNOWN = np.nan
# Two runs of two methods; the first measure is better higher, the second lower, the third neither.
VALUES = [
    [[0.80, 0.20, 1.0], [0.82, 0.22, 1.0]],
    [[0.70, 0.20, 2.0], [0.72, 0.22, UNKNOWN]],
]
NAMES = tuple(f"g{number}" for number in range(N_ITEMS))
MATRIX = Matrix(
    values=np.arange(2.0 * N_ITEMS).reshape(N_ITEMS, 2),
    item_ids=NAMES,
    feature_names=("a", "b"),
    item_labels={"kind": NAMES, "c-xim": NAMES},
    source="some/where/a_b|c.csv",
)


def opened(*steps: Planned) -> Opened:
    table = Table.of(MATRIX)
    labelled = Labelled(reading=Reading(table=table, format="text"), table=table)
    return Opened(labelled=labelled, prepared=Recipe.of(*steps).prepare(table))


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cells(comparison: Comparison) -> dict[str, list[str]]:
    """The lines of the Markdown table by the name of the measure."""
    lines = markdown(comparison, opened()).splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    return {row[0].partition(" (")[0]: row[1:] for row in rows if row[0].startswith("M")}


def test_that_the_best_mean_is_bold_and_the_direction_stated() -> None:
    found = cells(compared(VALUES))
    first, second = (method.name for method in METHODS[:2])
    assert found["Measure"] == ["better is", first, second]
    assert found["Measure 0"] == ["higher", "**0.810 (0.014)**", "0.710 (0.014)"]
    assert found["Measure 1"] == ["lower", "**0.210 (0.014)**", "**0.210 (0.014)**"]
    assert found["Measure 2"] == ["–", "1.00 (0.00)", "2.00"]


def test_that_the_page_spells_out_the_protocol_and_what_differs_from_defaults() -> None:
    params = (METHODS[0].params.from_texts({"shape": "6x8"}), METHODS[1].params())
    page = markdown(compared(VALUES, params=params, errors=0.002), opened())
    for text in (
        "# Comparison of methods: a\\_b\\|c.csv\n",
        "20 samples × 2 measurements",
        "2 times on 19 of the 20 samples (share 0.95)",
        "seeds 7 to 8",
        f"- {METHODS[0].name}: defaults, except shape=6x8\n",
        f"- {METHODS[1].name}: defaults\n",
        "from 1 of 2 runs",
        "standard error up to 0.002",
    ):
        assert text in page
    assert "missing values." not in page
    assert "Prepared" not in page
    prepared = markdown(compared(VALUES), opened(planned("log2"), planned("centre")))
    assert "1. Take the logarithm" in prepared
    assert "\n2. " in prepared
    one_run = markdown(compared([[[0.5]]]), opened())
    assert "trained once" in one_run
    assert "without standard deviation" in one_run


def test_that_means_have_a_line_per_method_and_what_is_unknown_is_blank(tmp_path: Path) -> None:
    write_means(tmp_path / "table.csv", compared(VALUES))
    first, second = read(tmp_path / "table.csv")
    keys = ["measure_0", "measure_1", "measure_2", "wander"]
    assert list(first) == ["method", *(f"{key}_{part}" for key in keys for part in ("mean", "sd"))]
    assert first["method"] == METHODS[0].key
    assert float(first["measure_0_mean"]) == np.mean([0.80, 0.82])
    assert float(first["measure_0_sd"]) == np.std([0.80, 0.82], ddof=1)
    assert (second["measure_2_mean"], second["measure_2_sd"]) == ("2.0", "")
    assert (first["wander_mean"], first["wander_sd"]) == ("0.25", "")


def test_that_every_run_is_written_with_seed_size_and_error_of_sampling(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs.csv", compared(VALUES, errors=[0.0, 0.01, 0.0]))
    rows = read(tmp_path / "runs.csv")
    assert [(row["method"], row["run"], row["seed"]) for row in rows] == [
        (method.key, run, seed) for method in METHODS[:2] for run, seed in (("1", "7"), ("2", "8"))
    ]
    assert list(rows[0])[3:] == ["items", "measure_0", "measure_1", "measure_1_error", "measure_2"]
    assert list(rows[3].values())[3:] == ["19", "0.72", "0.22", "0.01", ""]


def test_that_wander_is_written_per_item_with_its_labels(tmp_path: Path) -> None:
    write_wander(tmp_path / "wander.csv", compared(VALUES), MATRIX)
    rows = read(tmp_path / "wander.csv")
    methods = [method.key for method in METHODS[:2]]
    assert list(rows[0]) == ["id", *methods, "kind", "label_c-xim"]
    assert [row["id"] for row in rows] == list(NAMES)
    assert rows[3] == {"id": "g3", methods[0]: "0.25", methods[1]: "0.25", "kind": "g3"} | {
        "label_c-xim": "g3"
    }
    write_wander(tmp_path / "one.csv", compared([[[0.5]]]), MATRIX)
    assert read(tmp_path / "one.csv")[3][methods[0]] == ""
