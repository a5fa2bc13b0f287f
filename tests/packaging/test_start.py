"""The bootstrap decides rightly what to install and what to say, without a network."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

from tests.qt_probe import CHECKOUT, load_start


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The bootstrap of an empty checkout in a path with a space."""
    checkout = tmp_path / "a checkout"
    (checkout / "packaging").mkdir(parents=True)
    (checkout / "pyproject.toml").write_text("[project]")
    (checkout / "packaging" / "constraints.txt").write_text("numpy==2.4.6")
    start = load_start()
    monkeypatch.setattr(start, "CHECKOUT", checkout)
    monkeypatch.setattr(start, "ENVIRONMENT", checkout / ".venv")
    return start


class Runner:
    """Stands in for all other programs: notes what is run and fails what it is told to."""

    def __init__(self, *failing: str) -> None:
        self.failing = failing
        self.commands: list[str] = []

    def __call__(self, command: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        line = " ".join(command)
        self.commands.append(line)
        return subprocess.CompletedProcess(command, any(word in line for word in self.failing), "")

    def has_run(self, words: str) -> bool:
        return any(words in command for command in self.commands)


def pretend_to_run(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, *, failing: Sequence[str] = ()
) -> Runner:
    runner = Runner(*failing)
    monkeypatch.setattr(start, "run_quietly", runner)
    return runner


def pretend_to_have(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, *, modules: Sequence[str], apt: bool = False
) -> None:
    monkeypatch.setattr(start, "is_importable", modules.__contains__)
    monkeypatch.setattr(start, "may_use_apt", lambda: apt)


@pytest.fixture
def installed(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The bootstrap of a checkout that is set up to run, but not to be tested."""
    pretend_to_run(start, monkeypatch)
    python: Path = start.environment_python()
    python.parent.mkdir(parents=True)
    python.touch()
    start.build_environment(python, "gui")
    return start


# Which Python


def test_that_an_old_python_is_named_together_with_the_one_that_is_needed(
    start: ModuleType,
) -> None:
    with pytest.raises(start.SetupError, match=r"3\.11 or newer.*3\.9"):
        start.require_python((3, 9))


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (4, 0)])
def test_that_a_newer_python_is_accepted(start: ModuleType, version: tuple[int, int]) -> None:
    start.require_python(version)


def test_that_an_old_python_can_read_the_file() -> None:
    source = (CHECKOUT / "packaging" / "start.py").read_text(encoding="utf-8")

    ast.parse(source, feature_version=(3, 8))


# What counts as set up


def test_that_a_fresh_checkout_is_not_set_up(start: ModuleType) -> None:
    assert not start.is_set_up("gui")


def test_that_a_finished_installation_is_not_repeated(installed: ModuleType) -> None:
    assert installed.is_set_up("gui")


def test_that_an_interrupted_update_is_not_taken_as_finished(
    installed: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(installed, "install", interrupt)
    with pytest.raises(KeyboardInterrupt):
        installed.build_environment(installed.environment_python(), "dev")

    assert not installed.is_set_up("gui")


def test_that_the_tools_of_a_developer_include_the_program(installed: ModuleType) -> None:
    assert not installed.is_set_up("dev")

    installed.build_environment(installed.environment_python(), "dev")

    assert installed.is_set_up("dev")
    assert installed.is_set_up("gui")


@pytest.mark.parametrize("file", ["pyproject.toml", "packaging/constraints.txt"])
def test_that_a_changed_requirement_asks_for_an_update(installed: ModuleType, file: str) -> None:
    (installed.CHECKOUT / file).write_text("something else")

    assert not installed.is_set_up("gui")


def test_that_another_python_asks_for_an_update(
    installed: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "dotted", lambda _: "3.99")

    assert not installed.is_set_up("gui")


def test_that_a_copied_checkout_is_set_up_anew(
    installed: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = installed.CHECKOUT.with_name("a copy")
    shutil.copytree(installed.CHECKOUT, copy)
    monkeypatch.setattr(installed, "CHECKOUT", copy)
    monkeypatch.setattr(installed, "ENVIRONMENT", copy / ".venv")

    assert not installed.is_set_up("gui")


def test_that_an_environment_whose_python_is_gone_is_not_set_up(installed: ModuleType) -> None:
    installed.environment_python().unlink()

    assert not installed.is_set_up("gui")


# How it is set up


def test_that_pip_steps_in_where_uv_fails(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = pretend_to_run(start, monkeypatch, failing=["-m uv"])

    start.install(Path("python"), "gui")

    assert runner.commands[-1].startswith("python -m pip install")
    assert runner.commands[-1].endswith("-e .[gui]")


def test_that_a_failed_installation_shows_what_pip_printed(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(command: Sequence[str], *_: object, **__: object) -> object:
        return subprocess.CompletedProcess(command, 1, "no such version")

    monkeypatch.setattr(start, "run_quietly", fail)
    with pytest.raises(start.SetupError):
        start.install(Path("python"), "gui")
    assert "no such version" in capsys.readouterr().err


def test_that_a_python_with_venv_makes_the_environment_itself(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_to_have(start, monkeypatch, modules=["venv", "ensurepip", "pip"])
    runner = pretend_to_run(start, monkeypatch)

    start.create_environment()

    assert len(runner.commands) == 1
    assert runner.has_run("-m venv")


def test_that_virtualenv_stands_in_for_a_missing_ensurepip(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_to_have(start, monkeypatch, modules=["venv", "pip"], apt=True)
    runner = pretend_to_run(start, monkeypatch)

    start.create_environment()

    assert runner.has_run("pip install --target")
    assert runner.has_run("-m virtualenv")
    assert not runner.has_run("apt-get")


def test_that_root_gets_venv_from_the_system_when_pip_is_missing_too(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_to_have(start, monkeypatch, modules=["venv"], apt=True)
    runner = pretend_to_run(start, monkeypatch)

    start.create_environment()

    assert runner.has_run("apt-get install")
    assert runner.commands[-1].startswith(f"{sys.executable} -m venv")


def test_that_a_user_is_told_how_to_get_venv_when_pip_is_missing_too(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_to_have(start, monkeypatch, modules=["venv"], apt=False)
    runner = pretend_to_run(start, monkeypatch)

    with pytest.raises(start.SetupError, match=r"sudo apt-get install .*python3\.\d+-venv$"):
        start.create_environment()
    assert not runner.commands


def test_that_a_read_only_folder_is_named(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root may write anywhere, so the answer of the system is set rather than provoked.
    monkeypatch.setattr(os, "access", lambda *_: False)

    with pytest.raises(start.SetupError, match="a checkout"):
        start.build_environment(start.environment_python(), "gui")


# Where results go


def test_that_results_never_go_into_a_folder_that_exists(start: ModuleType, tmp_path: Path) -> None:
    names = []
    for _ in range(3):
        folder = start.free_folder(tmp_path, "output")
        folder.mkdir()
        names.append(folder.name)

    assert names == ["output", "output-2", "output-3"]


def test_that_a_dangling_link_counts_as_taken(start: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "output").symlink_to(tmp_path / "nowhere")

    assert start.free_folder(tmp_path, "output").name == "output-2"


# What it says about Qt


def test_that_one_sentence_names_the_missing_library_and_the_command(start: ModuleType) -> None:
    advice = start.qt_advice("libGL.so.1 is missing")

    assert "libGL.so.1" in advice
    assert "\n" not in advice
    assert advice.endswith(start.apt_line(start.QT_PACKAGES))


def test_that_the_apt_line_can_be_pasted_as_it_is(start: ModuleType) -> None:
    line = start.apt_line(["libgl1", "libegl1"])

    assert line == "sudo apt-get install -y --no-install-recommends libgl1 libegl1"


@pytest.mark.usefixtures("qt_without_libgl")
def test_that_the_library_that_qt_misses_is_found_out() -> None:
    assert load_start().qt_problem(Path(sys.executable)) == "libGL.so.1 is missing"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Only Linux lacks libraries.")
def test_that_a_user_without_rights_is_told_and_nothing_is_installed(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pretend_to_have(start, monkeypatch, modules=[], apt=False)
    runner = pretend_to_run(start, monkeypatch, failing=["probe-qt"])

    start.provide_qt(Path("python"))

    assert not runner.has_run("apt-get")
    assert capsys.readouterr().out.count("sudo apt-get install") == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Only Linux lacks libraries.")
def test_that_root_gets_the_libraries_and_goes_on_when_that_fails(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pretend_to_have(start, monkeypatch, modules=[], apt=True)
    runner = pretend_to_run(start, monkeypatch, failing=["probe-qt", "apt-get"])

    start.provide_qt(Path("python"))

    assert runner.has_run("apt-get install -y --no-install-recommends libgl1")
    assert capsys.readouterr().out.count("sudo apt-get install") == 1


# Commands and their exit codes


def test_that_the_exit_code_of_a_program_passes_through(start: ModuleType, tmp_path: Path) -> None:
    command = (sys.executable, "-c", "raise SystemExit(7)")

    assert start.exit_code(command, cwd=tmp_path) == 7


def test_that_all_checks_run_and_the_first_failure_decides(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = {"mypy": 3, "pytest": 5}
    monkeypatch.setattr(start, "set_up", lambda _: Path("python"))
    monkeypatch.setattr(start, "exit_code", lambda command, **_: codes.get(command[2], 0))

    assert start.main(["test"]) == 3
    assert capsys.readouterr().out.splitlines()[-1] == "Failed: mypy, pytest."


def test_that_the_quick_checks_are_all_checks_with_fewer_tests(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[Sequence[str]] = []

    def note(command: Sequence[str], **_: object) -> int:
        commands.append(command)
        return 0

    monkeypatch.setattr(start, "set_up", lambda _: Path("python"))
    monkeypatch.setattr(start, "exit_code", note)

    assert start.main(["test"]) == 0
    whole, commands = commands, []
    assert start.main(["test", "quick"]) == 0
    assert commands == [*whole[:-1], (*whole[-1], *start.QUICK_TESTS)]
    assert start.main(["test", "quick", "-x"]) == 0
    assert commands[-1] == ("python", "-m", "pytest", "quick", "-x")


def test_that_the_quick_tests_are_kernels_contracts_and_a_story() -> None:
    folders = [word for word in load_start().QUICK_TESTS if word.startswith("tests/")]

    assert all((CHECKOUT / folder).exists() for folder in folders)
    assert folders[:2] == ["tests/kernels", "tests/contract"]
    assert "story" in folders[-1]


def test_that_an_interruption_ends_with_130(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: str) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(start, "set_up", interrupt)

    assert start.main(["setup"]) == 130


def test_that_an_unknown_command_shows_the_usage(
    start: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start.main(["tset"]) == 2
    assert "start.py test" in capsys.readouterr().err
