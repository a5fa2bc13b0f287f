"""Run work in the background with a progress bar and Ctrl-C."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from ximstudio.commands.console import EXIT_INTERRUPTED, say, say_interrupted, show
from ximstudio.files.atomic_folder import NewFolder
from ximstudio.jobs import Lane, Task
from ximstudio.load.run import RECORD
from ximstudio.model.problem import Problem, UserError

Outcome = TypeVar("Outcome")

POLL_SECONDS = 0.05
GRACE_SECONDS = 0.5
"""Seconds that an interrupted computation may take to end by itself."""


@dataclass(frozen=True, kw_only=True)
class State:
    """Complete progress of the work: the mailbox keeps only the newest state.

    `understood` and `doing` are empty until there is a message, or a `fraction` to show.
    """

    understood: str = ""
    warnings: tuple[Problem, ...] = ()
    doing: str = ""
    fraction: float = 0.0


def watch(
    work: Callable[[Task[State, Outcome]], Outcome], *, quiet: bool, discard: Callable[[], None]
) -> Outcome:
    """Run the work, show its progress, and return its result.

    It runs in the background so that Ctrl-C works at once, whatever library is running. If the work
    does not end by itself, the process ends after `discard` has removed the output.
    """
    task = Lane().start(work)
    try:
        return _watched(task, quiet=quiet)
    except KeyboardInterrupt:
        task.stop()
        if not _ends_soon(task):
            _leave_at_once(discard)
        raise


def fill_folder(
    place: Path,
    work: Callable[[Path, Task[State, Outcome]], Outcome],
    options: Namespace,
    *,
    needed: Iterable[Path],
) -> tuple[Outcome, Path]:
    """Watch work that fills a folder, and keep that; return the result and the full path.

    `options` are --force and --quiet, and `needed` are files that the folder must not replace.
    """
    with NewFolder(place, replace=options.force, needed=needed) as folder:
        outcome = watch(
            lambda task: work(folder.path, task), quiet=options.quiet, discard=folder.discard
        )
        folder.keep()
    return outcome, folder.place


def needed_of(run: Path, data: str | None) -> list[Path]:
    """Return the files of a run, and its table if given: output must not replace them."""
    return [run / RECORD, *([] if data is None else [Path(data)])]


@contextmanager
def refusing_unwritable(place: Path) -> Iterator[None]:
    """Refuse an output file whose folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise UserError(
            key="export.unwritable",
            what=f"The output cannot be written: {error.strerror}.",
            where=str(place),
            way_out="Give a file in a folder where you may write, with --out.",
        ) from None


def _watched(task: Task[State, Outcome], *, quiet: bool) -> Outcome:
    """Print what was read and show progress until the task ends."""
    understood, warned = quiet, False
    # tqdm is silent without a terminal.
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
    """Return whether an interrupted task ends by itself without another Ctrl-C."""
    try:
        return task.wait(GRACE_SECONDS)
    except KeyboardInterrupt:
        return False


def _leave_at_once(discard: Callable[[], None]) -> None:
    """End the process although the background thread is in a call that cannot be interrupted."""
    discard()
    say_interrupted()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_INTERRUPTED)


def free_file(path: Path, *, replaced: bool) -> Path:
    """Return the full path; refuse an existing one, unless it is a file that may be `replaced`."""
    path = path.resolve()
    if path.is_dir() or (path.exists() and not replaced):
        raise UserError(
            key="export.exists",
            what="The output file exists already and was not changed.",
            where=str(path),
            way_out="Give another file with --out, or add --force to replace it (folders are "
            "never replaced).",
        )
    return path
