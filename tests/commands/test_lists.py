"""`ximstudio methods`, `ximstudio samples`, and what help costs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ximstudio.cli import main
from ximstudio.train import METHODS


def test_that_every_method_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    said = capsys.readouterr().out
    for method in METHODS:
        assert f"{method.key} " in said


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.key)
def test_that_a_methods_page_names_all_its_parameters(
    method: object, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = next(entry for entry in METHODS if entry is method)
    assert main(["methods", chosen.key]) == 0
    said = capsys.readouterr().out
    for name in chosen.params.specs():
        assert f"  {name}=" in said


def test_that_methods_as_json_tell_symbol_default_bounds_help_and_equation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["methods", "c-xim", "--json"]) == 0
    (method,) = json.loads(capsys.readouterr().out)
    repulsion = next(entry for entry in method["parameters"] if entry["name"] == "repulsion")
    assert repulsion["symbol"] == "η"
    assert repulsion["default"] == 0.25
    assert repulsion["equation"] == "TR 24"
    assert repulsion["bounds"]
    assert repulsion["help"]


def test_that_samples_are_listed_with_their_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["samples"]) == 0
    said = capsys.readouterr().out
    assert "sample:yeast" in said
    assert "Eisen" in said


def test_that_help_waits_for_no_slow_library() -> None:
    code = (
        "import sys\n"
        "from ximstudio.cli import parser\n"
        "parser().format_help()\n"
        "slow = {'numba', 'pandas', 'scipy', 'sklearn', 'matplotlib', 'PySide6'}\n"
        "print(*(slow & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "")


def test_that_the_whole_command_line_works_with_qt_blocked(tmp_path: object) -> None:
    code = (
        "import sys\n"
        "for name in ('PySide6', 'pyqtgraph', 'shiboken6'):\n"
        "    sys.modules[name] = None\n"
        "from ximstudio.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    options = ["run", "sample:yeast", "--set", "shape=4x4", "--set", "n_steps=100"]
    done = subprocess.run(
        [sys.executable, "-c", code, *options, "--out", f"{tmp_path}/out", "--figure", "map.svg"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
