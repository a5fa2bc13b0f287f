"""Names for this machine and its processes that tell later whether a process still runs."""

from __future__ import annotations

import hashlib
import os
import platform

import psutil

SAME = 60
"""Seconds by which two accounts of when a process began may differ: clocks are set right."""


def machine() -> str:
    """Folders may be shared by machines, and their processes have the same numbers."""
    return hashlib.sha256(platform.node().encode()).hexdigest()[:8]


def this_process() -> str:
    """Machine, number and beginning of this process: no other has all three."""
    return f"{machine()}-{os.getpid()}-{int(psutil.Process().create_time())}"


def is_alive(pid: int, begun: int) -> bool:
    """Whether the process of this number that began then still runs on this machine."""
    try:
        return abs(psutil.Process(pid).create_time() - begun) <= SAME
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        # Somebody else's: as good as any reason to leave what is theirs alone.
        return True
