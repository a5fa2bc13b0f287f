"""Other packages ask parameters for facts, and never which class they have."""

from __future__ import annotations

import ast

import pytest

from tests.parsed import parsed_modules
from ximstudio.train import METHODS, Method


def narrowed(tree: ast.Module) -> set[str]:
    """Names in the conditions of isinstance, issubclass and match."""
    found: set[str] = set()
    for node in ast.walk(tree):
        inside: list[ast.expr] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            inside = node.args[1:] if node.func.id in ("isinstance", "issubclass") else []
        elif isinstance(node, ast.MatchClass):
            inside = [node.cls]
        for each in inside:
            found |= {name.id for name in ast.walk(each) if isinstance(name, ast.Name)}
            found |= {name.attr for name in ast.walk(each) if isinstance(name, ast.Attribute)}
    return found


def test_that_no_other_package_asks_for_the_class_of_parameters() -> None:
    modules = parsed_modules()
    homes = {
        node.name: place.split("/")[0]
        for place, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith("Params") and node.name != "Params"
    }
    asking = {
        place
        for place, tree in modules.items()
        for name in narrowed(tree) & set(homes)
        if place.split("/")[0] not in ("train", homes[name])
    }
    assert not asking, "Read a fact of MethodParams instead of asking for a class."


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_the_facts_of_a_method_agree(method: Method) -> None:
    params = method.params().sized(100)
    assert (params.grid is not None) == (method.map_kernel is not None)
    assert params.planned == params.grid
    assert not params.anchored
    assert not params.takes_pins or params.takes_prototypes
    assert not params.takes_prototypes or params.grid is not None
    assert params.length_scale == 1.0
    assert params.step_word == ("epoch" if params.in_epochs or method.key == "umap" else "step")


def test_that_facts_follow_the_values() -> None:
    params = {method.key: method.params for method in METHODS}["c-xim"].from_values(
        {"shape": (3, 4), "anchors": ("1:2=a",)}
    )
    assert params.anchored == {1: "a"}
    assert not params.rare
    assert params.replace(divergence="beta").rare
    epochs = params.replace(algorithm="batch", n_epochs=7, settling=2)
    assert epochs.rare
    assert epochs.in_epochs
    assert epochs.steps_at_most(100) == 9
