"""Without the system libraries of Qt, window tests are skipped at home and fail in CI."""

import subprocess
import sys

import pytest

from tests.qt_probe import CHECKOUT

WINDOW_TEST = "tests/ui/app/test_qt_starts.py"
OTHER_TEST = "tests/packaging/test_start.py::test_that_an_old_python_can_read_the_file"


def run_pytest(*tests: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-ra", *tests]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("qt_without_libgl")
def test_that_window_tests_are_skipped_with_the_command_that_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CI", raising=False)

    finished = run_pytest(WINDOW_TEST, OTHER_TEST)

    assert finished.returncode == pytest.ExitCode.OK, finished.stdout
    assert "1 passed, 1 skipped" in finished.stdout
    assert "sudo apt-get install" in finished.stdout


@pytest.mark.usefixtures("qt_without_libgl")
def test_that_a_run_without_window_tests_is_never_green_in_ci(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "true")

    finished = run_pytest(WINDOW_TEST, OTHER_TEST)

    assert finished.returncode == pytest.ExitCode.INTERRUPTED, finished.stdout
    assert "sudo apt-get install" in finished.stdout


@pytest.mark.usefixtures("qt_without_libgl")
def test_that_other_tests_do_not_need_qt_even_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")

    finished = run_pytest(OTHER_TEST)

    assert finished.returncode == pytest.ExitCode.OK, finished.stdout
