"""Work that a person waits for: in the lane, with a progress bar and Ctrl-C."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tqdm import tqdm

from ximstudio.commands.console import EXIT_INTERRUPTED, say, say_interrupted, show
from ximstudio.jobs import Lane, Task
from ximstudio.model.problem import Problem

Outcome = TypeVar("Outcome")

POLL_SECONDS = 0.05
GRACE_SECONDS = 0.5
"""How long an interrupted computation may take to end by itself."""


@dataclass(frozen=True, kw_only=True)
class State:
    """How far the work has come, all of it: the mailbox keeps only the newest one.

    `understood` and `doing` are empty until there is something to say, or a `fraction` to show.
    """

    understood: str = ""
    warnings: tuple[Problem, ...] = ()
    doing: str = ""
    fraction: float = 0.0


def watch(
    work: Callable[[Task[State, Outcome]], Outcome], *, quiet: bool, discard: Callable[[], None]
) -> Outcome:
    """Do the work and show its progress; what it returns.

    In the lane, so that Ctrl-C is answered at once, whatever library is at work. If that does not
    end by itself, the process does, after `discard` has removed what was written.
    """
    task = Lane().start(work)
    try:
        return _watched(task, quiet=quiet)
    except KeyboardInterrupt:
        task.stop()
        if not _ends_soon(task):
            _leave_at_once(discard)
        raise


def _watched(task: Task[State, Outcome], *, quiet: bool) -> Outcome:
    """Say what was understood and show progress until the task ends."""
    understood, warned = quiet, False
    # tqdm stays silent by itself where nobody watches a terminal.
    with tqdm(total=1.0, disable=True if quiet else None, leave=False) as bar:
        bar.bar_format = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
        bar.set_description("Preparing")
        ended = False
        while not ended:
            ended = task.wait(POLL_SECONDS)
            state = task.newest()
            if state is None:
                continue
            if state.understood and not understood:
                bar.clear()
                say(state.understood)
                understood = True
            if state.warnings and not warned:
                bar.clear()
                show(state.warnings)
                warned = True
            if state.doing:
                bar.set_description(state.doing, refresh=False)
                bar.n = state.fraction
                bar.refresh()
    return task.outcome()


def _ends_soon(task: Task[State, Outcome]) -> bool:
    """Whether an interrupted task ends by itself, and nobody interrupts again."""
    try:
        return task.wait(GRACE_SECONDS)
    except KeyboardInterrupt:
        return False


def _leave_at_once(discard: Callable[[], None]) -> None:
    """End the process although the lane is inside a call that cannot be interrupted."""
    discard()
    say_interrupted()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_INTERRUPTED)
