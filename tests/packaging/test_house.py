"""Figures that the layout of the package must keep."""

from __future__ import annotations

import ast
import importlib.util
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.parsed import parsed_modules

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def house() -> ModuleType:
    """packaging/house.py; a package of that name keeps it from a plain import."""
    spec = importlib.util.spec_from_file_location("house", CHECKOUT / "packaging" / "house.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["house"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def ours(house: ModuleType) -> Any:
    """The package of this checkout, parsed once."""
    return house.House(CHECKOUT)


@pytest.fixture(scope="module")
def imported(house: ModuleType, ours: Any) -> frozenset[str]:
    """Modules of the package that `ximstudio run` without a figure imports."""
    names: frozenset[str] = house.imported_by_run(ours)
    return names


def test_that_a_run_without_a_figure_imports_few_modules(imported: frozenset[str]) -> None:
    assert 100 < len(imported) < 250


@pytest.mark.parametrize("package", ["figures", "views", "export", "ui", "report"])
def test_that_a_run_without_a_figure_imports_nothing_of(
    package: str, imported: frozenset[str]
) -> None:
    prefix = f"ximstudio.{package}"
    assert not [name for name in imported if name == prefix or name.startswith(f"{prefix}.")]


def test_that_docstrings_do_not_open_with_a_question_word(house: ModuleType, ours: Any) -> None:
    texts = house.definition_texts(parsed_modules().values())
    assert house.questions_among(texts) == []
    assert house.question_openings(ours) == 0.0


def test_that_a_question_is_found_below_functions_classes_and_constants(house: ModuleType) -> None:
    source = """
    LIMIT = 3
    'How many there are.'

    class Table:
        'What is read.'

        width: int
        'Number of columns.'

        def named(self):
            'Whether it has a name.'
    """
    texts = list(house.definition_texts([ast.parse(textwrap.dedent(source))]))
    assert len(texts) == 4
    assert len(house.questions_among(texts)) == 3


@pytest.mark.parametrize(
    ("figure", "number"),
    [
        ("files that lie flat in ui/", 0),
        ("modules in ui/ without Qt", 0),
        # views/__init__.py and ui/views/__init__.py
        ("modules that name the heat map, its own aside", 2),
        # ui/runtime/job_slot.py
        ("modules that drop jobs they replace", 1),
    ],
)
def test_that_what_has_one_place_is_nowhere_else(
    figure: str, number: int, house: ModuleType, ours: Any
) -> None:
    assert house.FIGURES[figure](ours) == number


def test_that_few_names_stand_for_two_classes(house: ModuleType, ours: Any) -> None:
    assert house.repeated_classes(ours) < 5


def test_that_no_modules_import_each_other_in_a_circle(house: ModuleType, ours: Any) -> None:
    assert house.in_cycles(ours) == 0


def test_that_every_module_is_imported_by_another_one(house: ModuleType, ours: Any) -> None:
    assert house.without_importers(ours) == []


def test_that_a_module_without_importers_is_found(house: ModuleType, tmp_path: Path) -> None:
    package = tmp_path / "ximstudio"
    (package / "load").mkdir(parents=True)
    for name, text in {
        "__main__": "from ximstudio.cli import main",
        "cli": "import ximstudio.load",
        "load/__init__": "LATE = 'formats'",
        "load/formats": "LATE = 'csv'",
        "load/csv": "",
        "load/gallery": "",
    }.items():
        (package / f"{name}.py").write_text(text)
    assert house.without_importers(house.House(tmp_path)) == ["ximstudio.load.gallery"]
