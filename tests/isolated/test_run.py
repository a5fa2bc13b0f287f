"""Functions in a child process: results, refusals, and every way in which a child can go wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from tests.isolated import deeds
from ximstudio import isolated
from ximstudio.isolated import CallLimits, Cause, Failure, Unavailable
from ximstudio.isolated.messages import Incoming
from ximstudio.model import UserError

ROOM = 256 * 1024 * 1024
LIMITS = CallLimits(memory=ROOM, silence=30.0, work=60.0)
SHORT = CallLimits(memory=ROOM, silence=0.5, work=60.0)


def run(function: Any, *arguments: Any, limits: CallLimits = LIMITS, report: Any = None) -> Any:
    return isolated.run(function, *arguments, limits=limits, report=report or (lambda _: None))


def failure(function: Any, limits: CallLimits = LIMITS) -> Failure:
    with pytest.raises(Failure) as caught:
        run(function, limits=limits)
    return caught.value


@pytest.fixture
def anew() -> Iterator[None]:
    """No child from before, and none for the next test."""
    isolated.close()
    yield
    isolated.close()


def test_that_a_function_runs_in_another_process_and_reports() -> None:
    heard: list[float] = []
    assert run(deeds.process_id, report=heard.append) != os.getpid()
    assert 0.5 in heard


@pytest.mark.usefixtures("anew")
def test_that_the_child_is_kept_for_the_next_call_and_ended_at_last() -> None:
    first = run(deeds.process_id)
    assert run(deeds.process_id) == first
    with pytest.raises(UserError):
        run(deeds.refuse)
    assert run(deeds.process_id) == first
    isolated.close()
    assert not psutil.pid_exists(first)
    assert run(deeds.process_id) != first


@pytest.mark.usefixtures("anew")
def test_that_a_child_that_ended_while_idle_is_replaced() -> None:
    first = run(deeds.process_id)
    process = psutil.Process(first)
    process.kill()
    psutil.wait_procs([process])
    assert run(deeds.process_id) != first


@pytest.mark.usefixtures("anew")
def test_that_a_child_is_started_ahead_and_then_used() -> None:
    isolated.warm_up(["ximstudio.load.source", "no.such.module"])
    (child,) = [each for each in psutil.Process().children() if isolated.COMMAND in each.cmdline()]
    assert run(deeds.process_id) == child.pid


@pytest.mark.usefixtures("anew")
def test_that_a_large_child_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ximstudio.isolated.process.KEPT_MEMORY", 0)
    first = run(deeds.process_id)
    assert not psutil.pid_exists(first)


def test_that_arrays_come_back_as_they_were() -> None:
    found = run(deeds.arrays, 300_000)
    np.testing.assert_array_equal(found["values"], np.arange(300_000.0))
    np.testing.assert_array_equal(found["fixed"], np.arange(300_000.0)[::-1])
    assert found["values"].flags.writeable
    assert not found["fixed"].flags.writeable
    assert found["names"][:2] == ("0", "1")


def test_that_messages_give_other_threads_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickle is read in frames, by Python code, between which the window can go on."""
    read = Incoming.read
    pieces: list[int] = []

    def noticed(self: Incoming, size: int) -> bytes:
        pieces.append(size)
        return read(self, size)

    monkeypatch.setattr(Incoming, "read", noticed)
    names = [f"name {number}" for number in range(200_000)]
    assert run(deeds.echo, names) == names
    assert len(pieces) > 20
    assert max(pieces) < 200_000


def test_that_refusals_pass_and_other_exceptions_are_told() -> None:
    with pytest.raises(UserError) as caught:
        run(deeds.refuse)
    assert caught.value.keys == ("test.refused",)
    found = failure(deeds.stumble)
    assert found.cause is Cause.RAISED
    assert found.detail.startswith("KeyError")
    assert "stumbled" in found.said


def test_that_a_breakdown_is_told_with_the_last_words() -> None:
    found = failure(deeds.abort)
    assert found.cause is Cause.DIED
    assert "SIGABRT" in found.detail
    assert "last words" in found.said
    found = failure(deeds.leave)
    assert found.cause is Cause.DIED
    assert "3" in found.detail


def test_that_nothing_a_library_prints_gets_among_the_answers() -> None:
    assert run(deeds.chatter) == "heard"


def test_that_an_endless_loop_is_ended() -> None:
    assert failure(deeds.circle, SHORT).cause is Cause.SILENT


def test_that_progress_without_an_end_is_ended() -> None:
    endless = CallLimits(memory=ROOM, silence=30.0, work=0.5)
    assert failure(deeds.go_round, endless).cause is Cause.SLOW


def test_that_waiting_without_an_end_is_ended() -> None:
    waiting = CallLimits(memory=ROOM, silence=30.0, work=30.0, waiting=0.3)
    assert failure(deeds.wait, waiting).cause is Cause.SILENT


@pytest.mark.parametrize("deed", [deeds.fill, deeds.reserve, deeds.starve])
def test_that_memory_is_limited(deed: Any) -> None:
    found = failure(deed, CallLimits(memory=128 * 1024 * 1024, silence=30.0, work=60.0))
    assert found.cause is Cause.MEMORY


def test_that_a_library_that_is_refused_memory_says_how_much_it_asked_for() -> None:
    assert "96 GB" in failure(deeds.starve).detail


def test_that_a_result_that_finds_no_room_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    free = psutil.virtual_memory()._replace(available=1024)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: free)
    with pytest.raises(Failure) as caught:
        run(deeds.arrays, 300_000)
    assert caught.value.cause is Cause.MEMORY


class Cancelled(Exception):
    pass


@pytest.mark.parametrize("deed", [deeds.circle, deeds.wait, deeds.fill])
@pytest.mark.usefixtures("anew")
def test_that_a_cancel_ends_the_child_whatever_it_does(deed: Any) -> None:
    children: list[psutil.Process] = []

    def cancel(fraction: float) -> None:
        children[:] = psutil.Process().children()
        if fraction > 0 or deed is deeds.fill:
            raise Cancelled

    with pytest.raises(Cancelled):
        run(deed, limits=CallLimits(memory=2**40, silence=60, work=60), report=cancel)
    assert children
    assert not any(child.is_running() for child in children)


def test_that_a_child_does_not_start_children_of_its_own() -> None:
    outer, inner = run(deeds.nested)
    assert outer == inner != os.getpid()


@pytest.mark.parametrize(
    "command",
    [["/nowhere/python"], [sys.executable, "-c", "raise SystemExit('not today')"]],
    ids=["no program", "ends at once"],
)
@pytest.mark.usefixtures("anew")
def test_that_there_may_be_no_child_at_all(
    monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setattr(isolated, "command", lambda: command)
    with pytest.raises(Unavailable) as caught:
        run(deeds.process_id)
    if len(command) > 1:
        assert "not today" in str(caught.value)


def test_that_a_packaged_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert isolated.command() == [sys.executable, isolated.COMMAND]


def test_that_the_program_is_a_child_when_asked_to_be(tmp_path: Path) -> None:
    """By either entry, wherever it is started: what lies there is not imported."""
    (tmp_path / "pickle.py").write_text("raise SystemExit('imported from here')")
    code = "import sys; from ximstudio.cli import main; sys.exit(main())"
    for command in (isolated.command(), [sys.executable, "-P", "-c", code, isolated.COMMAND]):
        ended = subprocess.run(command, input=b"", capture_output=True, cwd=tmp_path, check=False)
        assert (ended.returncode, ended.stderr) == (0, b"")


def test_that_children_end_by_themselves_when_nobody_needs_them() -> None:
    code = (
        "from ximstudio.isolated import child; child.IDLE = 0.05\n"
        "from ximstudio import isolated; isolated.serve()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as child:
        assert child.wait() != 0
