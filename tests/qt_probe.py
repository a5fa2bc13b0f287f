"""Lets the tests under tests/ui run off-screen, or says why they cannot.

Loaded early (``-p tests.qt_probe``), because pytest-qt ends the whole run with an INTERNALERROR
where the system libraries of Qt are missing. Then only the window tests are skipped, or, where CI
is set, fail: a run without them must not be green there.

Test modules under tests/ui import Qt as they like. A conftest.py there imports it inside its
fixtures, since pytest reads that file before it asks this one.
"""

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
WINDOW_TESTS = CHECKOUT / "tests" / "ui"

ADVICE = pytest.StashKey[str]()


def load_start() -> ModuleType:
    """Returns packaging/start.py as a module; PyPI's "packaging" keeps it from a plain import."""
    spec = importlib.util.spec_from_file_location("start", CHECKOUT / "packaging" / "start.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    # Who wants to watch the windows sets it to xcb, wayland, cocoa or windows.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    start = load_start()
    problem = start.qt_problem(Path(sys.executable), platforms=("offscreen",))
    if problem is None:
        return
    early_config.stash[ADVICE] = start.qt_advice(problem)
    # Not blocked from the start: without pytest-qt's options, --strict-config refuses "qt_api".
    if early_config.pluginmanager.has_plugin("pytest-qt"):
        early_config.pluginmanager.unregister(name="pytest-qt")


def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Module | None:
    if ADVICE in parent.config.stash and module_path.is_relative_to(WINDOW_TESTS):
        return ModuleWithoutQt.from_parent(parent, path=module_path)
    return None


class ModuleWithoutQt(pytest.Module):
    """A module of window tests that is not even imported, because its first line needs Qt."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        advice = self.config.stash[ADVICE]
        if os.environ.get("CI", "false") in {"", "0", "false"}:
            pytest.skip(advice)
        raise self.CollectError(advice)
