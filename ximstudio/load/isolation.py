"""Read files that foreign libraries parse in a child process."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from ximstudio import isolated
from ximstudio.isolated import CallLimits, Cause, Failure, Unavailable
from ximstudio.load.account import note
from ximstudio.load.reading import Report
from ximstudio.load.source import Source
from ximstudio.model.problem import UserError

LOG = logging.getLogger(__name__)

READERS = (
    "ximstudio.load.workbook.excel",
    "ximstudio.load.single_cell.h5ad",
    "python_calamine",
    "h5py",
)
"""Modules that a child process may import before it knows what to read."""

Outcome = TypeVar("Outcome", bound=Any)
"""A `Reading`, an `Annotation`, or whatever else has `notes`."""


def read_isolated(
    read: Callable[..., Outcome],
    source: Source,
    *arguments: Any,
    report: Report,
    limits: CallLimits | None = None,
) -> Outcome:
    """Call ``read(source, *arguments, report)`` in a child process.

    What it returns has `notes`. If there can be no child process the file is read in this one, and
    a note says so.
    """
    limits = CallLimits.for_size(source.size) if limits is None else limits
    try:
        return isolated.run(read, source.resolved, *arguments, limits=limits, report=report)
    except Failure as failure:
        LOG.warning("Reading %s: %s", source.name, failure)
        raise _refusal(failure, source) from None
    except Unavailable as reason:
        LOG.warning("Reading %s without protection: %s", source.name, reason)
        outcome = read(source, *arguments, report)
        why = str(reason).splitlines()[0] if str(reason) else "no reason given"
        unprotected = note(
            "unprotected",
            "The file was read without protection against damaged files, which can make the program"
            f" hang or fill the memory: no process of its own could be started ({why}).",
            source.name,
            "Open only files that you trust here; a new installation of XIM Studio may help.",
        )
        return replace(outcome, notes=(*outcome.notes, unprotected))


def warm_up() -> None:
    """Start a child process, so that the first file need not wait for it."""
    isolated.warm_up(READERS)


def _refusal(failure: Failure, source: Source) -> UserError:
    """Return the message about a file that a child process could not read."""
    if failure.cause is Cause.MEMORY:
        return UserError(
            key="load.too_large",
            what=f"Reading this file of {_size_text(source.size)} takes too much memory:"
            f" {failure.detail}.",
            where=source.name,
            way_out="The file may be damaged, or have a cell far outside its table (Ctrl+End in a"
            " spreadsheet shows the last one). If it is intact, write the table as CSV,"
            " close other programs, take a part of the table, or use a larger machine.",
        )
    what = {
        Cause.DIED: "The library that reads it crashed",
        Cause.SILENT: "The library that reads it does not finish",
        Cause.SLOW: "Reading takes far longer than for other files of this size",
    }.get(failure.cause, "It cannot be read")
    # The child's last line of output, where it says more than the cause.
    said = failure.said.splitlines()[-1][:200] if failure.said else ""
    last_line = f" ({said})" if said and failure.cause is Cause.DIED else ""
    return UserError(
        key="load.damaged",
        what=f"{what}: {failure.detail}{last_line}.",
        where=source.name,
        way_out="The file is damaged, incomplete or of an unknown kind: fetch or write it again.",
    )


def _size_text(size: int) -> str:
    return f"{size / 2**20:.1f} MB" if size > 2**20 else f"{size / 2**10:.0f} kB"
