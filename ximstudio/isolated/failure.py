"""Reasons why a call in a child process gave no result."""

from __future__ import annotations

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
