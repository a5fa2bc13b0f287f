"""A new entry of a registry is one line: dummies pass every contract and appear everywhere.

Modules take registries over when they are imported, so a dummy is added at the start of another
process, by a plugin of pytest in `tests/contract/dummies/`.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.qt_probe import CHECKOUT

pytestmark = pytest.mark.thorough

CONTRACTS = {
    "check": ("tests/contract/test_checks.py",),
    "clustering": (
        "tests/contract/test_clusterings.py",
        "tests/export/test_figure_work.py",
        "tests/ui/dialogs/test_clusters_dialog.py",
    ),
    "divergence": ("tests/contract/test_divergences.py", "tests/train/test_divergences.py"),
    "format": ("tests/contract/test_formats.py",),
    "mapping": (
        "tests/place/test_new_items.py",
        "tests/contract/test_methods_text.py",
        "tests/contract/test_structures.py",
    ),
    "measure": ("tests/contract/test_measures.py",),
    "method": (
        "tests/contract/test_methods.py",
        "tests/contract/test_methods_text.py",
        "tests/contract/test_parameter_facts.py",
        "tests/contract/test_views_live.py",
        "tests/train/test_finished.py",
        "tests/train/test_repeatability.py",
    ),
    "step": (
        "tests/contract/test_steps.py",
        "tests/contract/test_methods_text.py",
        "tests/ui/widgets/test_forms.py",
    ),
}
"""By kind: the tests that run over its registry."""
ALSO = {
    "mapping": "c-xim-mapping or in_every_way",
}
"""By kind: tests that go through the registry without a case of its own for the dummy."""


@pytest.mark.parametrize("kind", CONTRACTS)
def test_that_a_dummy_passes_every_contract_and_appears(kind: str) -> None:
    plugin = f"tests.contract.dummies.{kind}"
    seen = f"tests/contract/dummies/seen_{kind}.py"
    wanted = f"dummy or {ALSO[kind]}" if kind in ALSO else "dummy"
    options = ("-p", "no:cacheprovider", "-p", plugin, "-q", "-rA", "-k", wanted)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *CONTRACTS[kind], seen],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    passed = [line for line in done.stdout.splitlines() if line.startswith("PASSED ")]
    for path in (*CONTRACTS[kind], seen):
        assert any(path in line for line in passed), path
