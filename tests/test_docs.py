"""Commands in the documents work, and links point to existing files."""

from __future__ import annotations

import re
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ximstudio.cli import main
from ximstudio.export.item_sheet import ABOUT_MEASURES
from ximstudio.export.table_kinds import TABLES
from ximstudio.files.csv_table import DIALECTS
from ximstudio.frames import MapFrames
from ximstudio.load import load
from ximstudio.load.format import FORMATS
from ximstudio.measure.catalogue import MEASURES, WANDER, Definition
from ximstudio.place import MAPPINGS
from ximstudio.train import METHODS
from ximstudio.train.divergences import DIVERGENCES

CHECKOUT = Path(__file__).parent.parent
PAGES = [CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md", *CHECKOUT.glob("docs/**/*.md")]


def examples(page: str) -> list[str]:
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


def test_that_the_readmes_example_runs() -> None:
    (example,) = examples("README.md")
    table = load("sample:yeast").values[::4]
    names = {"table": table, "new_items": table[:3]}
    exec(example.replace("(30, 30)", "(5, 5)"), names)
    assert names["xim"].positions_.shape == (47, 2)  # type: ignore[attr-defined]


def test_that_the_guides_examples_of_frames_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitting, opening = examples("docs/guide/python.md")[:2]
    monkeypatch.chdir(tmp_path)
    matrix = load("sample:yeast").items(range(60))
    table = pd.DataFrame(matrix.values, matrix.item_ids, matrix.feature_names)
    table.to_csv("mytable.csv")
    names: dict[str, Any] = {}
    exec(fitting.replace("(30, 30)", "(4, 6)"), names)
    assert names["positions"].index.tolist() == table.index.tolist()
    assert main(["run", "mytable.csv", "--out", "mymap", "--quiet", "--set", "shape=4x6"]) == 0
    exec(opening, names)
    assert names["run"].items.index.tolist() == table.index.tolist()


def test_that_the_guide_lists_every_frame() -> None:
    text = (CHECKOUT / "docs" / "guide" / "python.md").read_text(encoding="utf-8")
    frames = [name for name, kind in vars(MapFrames).items() if isinstance(kind, cached_property)]
    listed = re.findall(r"^\| `(\w+[a-z])` \| ", text, flags=re.MULTILINE)
    assert listed == [name for name in frames if not name.startswith("_")]


def test_that_the_guides_step_by_step_example_runs() -> None:
    example = next(text for text in examples("docs/guide/python.md") if "checkpoints(" in text)
    names: dict[str, object] = {}
    exec(example.replace("(20, 20)", "(5, 5)"), names)
    half, whole = names["half"], names["whole"]
    assert 0 < half.step <= half.n_steps  # type: ignore[attr-defined]
    assert np.isfinite(whole.positions).all()  # type: ignore[attr-defined]


def test_that_the_guides_example_of_maps_from_maps_runs() -> None:
    example = next(text for text in examples("docs/guide/python.md") if "part_of" in text)
    names: dict[str, Any] = {}
    for large, small in {"(20, 20)": "(5, 5)", "(30, 40)": "(6, 8)"}.items():
        example = example.replace(large, small)
    exec(example, names)
    assert len(names["finer"].item_ids) == len(names["more"].item_ids) == 186
    assert names["part"].parent.result_hash == names["result"].hash


def test_that_the_guides_example_of_reading_a_figure_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from matplotlib.figure import Figure

    from ximstudio.export.provenance import Provenance
    from ximstudio.figures.files import save_figure

    (example,) = examples("docs/guide/figures.md")
    run = {"method": "som", "seed": 7, "parameters": {"shape": [3, 4]}}
    save_figure(Figure(), tmp_path / "map.pdf", None, Provenance(figure={}, runs=(run,)))
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    assert capsys.readouterr().out == "som 7 {'shape': [3, 4]}\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_that_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_that_every_link_to_a_heading_leads_to_one(page: Path) -> None:
    for target, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
        aim = page.parent / target if target else page
        headings = re.findall(r"^#+ (.*)$", aim.read_text(encoding="utf-8"), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}
        assert heading in anchors, (target, heading)


def test_that_equations_name_functions_and_tests_that_exist() -> None:
    text = (CHECKOUT / "docs" / "equations.md").read_text(encoding="utf-8")
    tests = "".join(path.read_text(encoding="utf-8") for path in CHECKOUT.glob("tests/**/*.py"))
    for name in re.findall(r"`(test_that_\w+)`", text):
        assert f"def {name}(" in tests, name
    for module, name in re.findall(r"`(\w+\.\w+)\.(\w+)`", text):
        assert hasattr(import_module(f"ximstudio.{module}"), name), (module, name)


def test_that_the_guide_lists_every_method() -> None:
    text = (CHECKOUT / "docs" / "guide" / "methods.md").read_text(encoding="utf-8")
    for method in METHODS:
        assert f"| {method.name} |" in text


def test_that_the_guide_lists_every_format() -> None:
    text = (CHECKOUT / "docs" / "guide" / "data.md").read_text(encoding="utf-8")
    rows = text.split("| format | key |")[1].split("\n\n")[0].splitlines()[2:]
    keys = [key for row in rows for key in re.findall(r"`([^`]+)`", row.split(" | ")[1])]
    assert sorted(keys) == sorted(entry.key for entry in FORMATS)


def test_that_the_guide_lists_every_divergence() -> None:
    text = (CHECKOUT / "docs" / "guide" / "methods.md").read_text(encoding="utf-8")
    for divergence in DIVERGENCES:
        assert f"\n| `{divergence.key}`" in text, divergence.key


def test_that_the_guide_lists_every_way_to_place_items() -> None:
    text = (CHECKOUT / "docs" / "guide" / "methods.md").read_text(encoding="utf-8")
    for rule in MAPPINGS:
        assert f"| `{rule.key}` | {rule.about} |" in text, rule.key


def test_that_the_guide_lists_every_table_and_format() -> None:
    text = (CHECKOUT / "docs" / "guide" / "tables.md").read_text(encoding="utf-8")
    for table in TABLES:
        assert f"| `{table.key}` | {table.name} |" in text
    for dialect in DIALECTS:
        assert f"| `{dialect.key}` |" in text
    for name in ABOUT_MEASURES:
        assert f"`{name}`" in text


def row_of(measure: Definition) -> str:
    """A measure as docs/guide/measures.md shows it."""
    low, high = (
        f"{bound:g}".replace("inf", "∞").replace("-", "−") for bound in (measure.low, measure.high)
    )
    formula = measure.definition.replace("|", "\\|")
    cells = (measure.title, f"{low} … {high}", measure.direction, formula, measure.reference)
    return f"| {' | '.join(cells)} |"


def test_that_the_guide_lists_every_measure_as_it_is_defined() -> None:
    text = (CHECKOUT / "docs" / "guide" / "measures.md").read_text(encoding="utf-8")
    table = text.split("| measure | range |")[1].splitlines()[2:]
    assert table == [row_of(measure) for measure in (*MEASURES, WANDER)]


def test_that_the_examples_of_making_again_and_of_the_methods_text_run() -> None:
    (again,) = examples("docs/guide/reproducing.md")
    names: dict[str, Any] = {}
    exec(again.replace("(20, 20)", "(5, 5)").replace("(12, 12)", "(4, 4)"), names)
    assert names["some"].result.parent.result_hash == names["first"].result.hash
    (text,) = examples("docs/guide/methods-text.md")
    exec(text.replace("(20, 20)", "(5, 5)"), names)
    assert names["text"].references
