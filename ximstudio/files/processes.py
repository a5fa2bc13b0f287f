"""Identify this machine and its processes, to find out later whether a process still runs."""

from __future__ import annotations

import hashlib
import os
import platform

import psutil

SAME = 60
"""Seconds by which two start times of one process may differ: clocks are adjusted."""


def machine() -> str:
    """Return an id of this machine: machines may share folders and have equal process numbers."""
    return hashlib.sha256(platform.node().encode()).hexdigest()[:8]


def this_process() -> str:
    """Return machine, number and start time of this process, which together are unique."""
    return f"{machine()}-{os.getpid()}-{int(psutil.Process().create_time())}"


def is_alive(pid: int, begun: int) -> bool:
    """Return whether the process of this number and start time still runs on this machine."""
    try:
        return abs(psutil.Process(pid).create_time() - begun) <= SAME
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        # It belongs to another user: treated as alive, so that its files are left alone.
        return True
