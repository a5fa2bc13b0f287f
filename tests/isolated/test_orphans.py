"""A child process ends with its parent, however that ends and whatever the child does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]

LIBRARY = """
import sys
from tests.isolated import deeds
from ximstudio import isolated
limits = isolated.CallLimits(memory=2**30, silence=600, work=600)
def report(done):
    if done: print("begun", flush=True)
isolated.run(getattr(deeds, sys.argv[1]), limits=limits, report=report)
"""

PROGRAM = """
import sys
from tests.isolated import hanging_format
sys.exit(hanging_format.main(sys.argv[1]))
"""


def child_of(parent: subprocess.Popen[str]) -> psutil.Process:
    (child,) = psutil.Process(parent.pid).children()
    return child


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
@pytest.mark.parametrize("deed", ["circle", "wait"])
def test_that_a_child_ends_with_its_parent(name: str, deed: str) -> None:
    command = [sys.executable, "-c", LIBRARY, deed]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "begun\n"
        child = child_of(parent)
        parent.send_signal(getattr(signal, name))
        assert parent.wait() != 0
        psutil.wait_procs([child])
        assert not child.is_running()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_that_signals_end_a_command_that_reads_a_file_that_never_ends(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / "endless.xlsx").write_bytes(b"PK\3\4")
    os.mkfifo(tmp_path / "endless.begun")
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "endless.xlsx")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert (tmp_path / "endless.begun").read_text() == "begun"
        child = child_of(parent)
        parent.send_signal(getattr(signal, name))
        assert parent.wait() == 130
        psutil.wait_procs([child])
        assert not child.is_running()
