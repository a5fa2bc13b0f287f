"""Every package that is declared as a dependency is imported somewhere."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.parsed import parsed_modules

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("gui", "umap", "parquet", "r")


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> Iterator[str]:
    extras = PROJECT["optional-dependencies"]
    for requirement in sum((extras[name] for name in EXTRAS), PROJECT["dependencies"]):
        found = re.match(r"[\w.-]+", requirement)
        assert found
        if found[0] != PROJECT["name"]:
            yield found[0]


installed = cache(packages_distributions)


def modules_of(distribution: str) -> set[str]:
    """The top-level modules that an installed distribution brings."""
    return {
        module
        for module, names in installed().items()
        if normalised(distribution) in map(normalised, names)
    }


def imported() -> set[str]:
    """The top-level modules that the package imports, at whatever place.

    Where modules are imported by their names, dotted names count.
    """
    found = set()
    for tree in parsed_modules().values():
        nodes = [*ast.walk(tree)]
        by_name = any(map(is_import_by_name, nodes))
        for node in nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
            elif isinstance(node, ast.Constant) and by_name:
                found.add(str(node.value))
    return {name.split(".")[0] for name in found}


def is_import_by_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module")


def test_that_every_dependency_is_imported() -> None:
    names = imported()
    unused = [each for each in declared() if (known := modules_of(each)) and not known & names]
    assert unused == []


@pytest.mark.parametrize("distribution", ["numpy", "pandas", "PySide6-Essentials", "scikit-learn"])
def test_that_distributions_are_known_by_their_modules(distribution: str) -> None:
    assert distribution in declared()
    assert modules_of(distribution)
