"""Registries: every entry is found under its own key, and imported when it is used."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import pytest

from ximstudio.model.problem import UserError
from ximstudio.model.registry import Keyed, Registry, named
from ximstudio.prepare.steps import STEPS
from ximstudio.train import METHODS, Method
from ximstudio.train.som import METHOD as SOM


@pytest.mark.parametrize("entries", [METHODS, STEPS], ids=["methods", "steps"])
def test_that_every_entry_has_the_key_under_which_it_is_listed(entries: Registry[Keyed]) -> None:
    assert [entry.key for entry in entries] == list(entries.keys)
    assert len(entries) == len(entries.keys)


def test_that_a_registry_is_a_sequence() -> None:
    assert METHODS[3] is SOM
    assert METHODS[2:4] == (METHODS[2], SOM)
    assert SOM in METHODS


@pytest.mark.parametrize("entries", [METHODS, tuple(METHODS)], ids=["registry", "tuple"])
def test_that_an_entry_is_found_by_its_key(entries: Sequence[Method]) -> None:
    assert named("method", "som", entries) is SOM
    with pytest.raises(UserError):
        named("method", "somm", entries)


def test_that_one_method_is_imported_without_the_others() -> None:
    code = (
        "import sys; from ximstudio.train import method_named; method_named('pca');"
        "print(*(name for name in sys.modules if name.startswith('ximstudio.train.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True
    )
    names = done.stdout.split()
    assert "ximstudio.train.pca" in names
    assert not {"ximstudio.train.umap", "ximstudio.train.xim"} & set(names)
