"""Limits of memory and time for a call in a child process, and why it gave no result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """Reason why a child process was ended, or ended by itself."""

    DIED = "died"
    """The process broke down: an abort, a segmentation fault, a kill from outside."""
    MEMORY = "memory"
    """It exceeded its memory limit, or got no memory."""
    SILENT = "silent"
    """It computed or waited for too long without progress."""
    SLOW = "slow"
    """It made progress, but took far more time than a file of this size needs."""
    RAISED = "raised"
    """The function raised an exception that is not meant for the user."""


class Failure(Exception):  # noqa: N818  (its causes are named above)
    """A call in a child process that gave no result.

    Parameters
    ----------
    cause
        Kind of failure.
    detail
        Details in a short sentence: the signal, the limit, the exception.
    said
        The last lines that the child wrote on its error stream.
    """

    def __init__(self, cause: Cause, detail: str, said: str = "") -> None:
        super().__init__(f"{cause}: {detail}" + (f"\n{said}" if said else ""))
        self.cause = cause
        self.detail = detail
        self.said = said


class Unavailable(Exception):  # noqa: N818  (of the system, not of the call)
    """No child process can be started; `str` of it is the reason."""


MEGABYTE = 1024 * 1024

BASE_MEMORY = 1024 * MEGABYTE
MEMORY_PER_BYTE = 200
"""A table shrinks to a tenth when compressed, one of zeros to a hundredth."""
SHARE_OF_FREE = 0.75
LEAST_MEMORY = 256 * MEGABYTE

BASE_SILENCE, SILENCE_PER_MEGABYTE = 10.0, 2.0
BASE_WORK, WORK_PER_MEGABYTE = 120.0, 10.0
"""CPU seconds. A slow machine reads a megabyte of the densest format in about one."""
WAITING = 600.0


@dataclass(frozen=True, kw_only=True)
class CallLimits:
    """Limits of a call.

    Time is CPU time: a slow disk, a busy machine or a sleeping laptop must not look like an endless
    loop.

    Parameters
    ----------
    memory
        Bytes of resident memory beyond those of an idle child.
    silence
        CPU seconds between two reports of progress.
    work
        CPU seconds in all.
    waiting
        Seconds on the clock without a report in which hardly any CPU time was used either.
    """

    memory: int
    silence: float
    work: float
    waiting: float = WAITING

    @classmethod
    def for_size(cls, size: int) -> CallLimits:
        """Return the limits for a file of `size` bytes, on this machine at this moment."""
        # Imported here: a child process does not need it at its start.
        import psutil

        megabytes = size / MEGABYTE
        free = int(SHARE_OF_FREE * psutil.virtual_memory().available)
        return cls(
            memory=max(LEAST_MEMORY, min(free, BASE_MEMORY + MEMORY_PER_BYTE * size)),
            silence=BASE_SILENCE + SILENCE_PER_MEGABYTE * megabytes,
            work=BASE_WORK + WORK_PER_MEGABYTE * megabytes,
        )
