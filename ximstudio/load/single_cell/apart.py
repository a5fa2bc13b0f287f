"""HDF5 files are read in a process of their own, which may break down without harm.

A few wrong bytes make the HDF5 library (2.0) run in a circle for ever, and nothing in the same
process can end that: it happens with one of some hundred randomly damaged files. The other process
is ended when it is silent for too long or when the person stops the reading.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import psutil

from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.single_cell.hdf5 import UNPACKING, Branch, opened
from ximstudio.load.source import Source
from ximstudio.model.problem import UserError

PATIENCE = 60.0
"""Seconds of silence after which the reading is given up."""

BETWEEN_REPORTS = 0.05
"""Seconds."""

READY, DONE, READ, REFUSED, FAILED = "ready", "done", "read", "refused", "failed"

CHILD = "import sys; sys.path[:] = {path!r}; from ximstudio.load import apart; apart.serve()"

KNOWN_KINDS = {
    frozenset({"matrix", "row_attrs", "col_attrs"}): "a loom file",
    frozenset({"0", "version"}): "a GCTX file",
    frozenset({"assays", "cell.names"}): "an h5Seurat file",
    frozenset({"barcode_idx", "count"}): "a file of molecules (Cell Ranger)",
}


def read(
    source: Source, choices: Choices, report: Report, *, patience: float = PATIENCE
) -> Reading:
    """The table of an HDF5 file, read by another process."""
    with _started(source, choices) as (child, inbox):
        if child is None or _next(inbox, patience)[0] != READY:
            # There is no interpreter to start, as in a program packed into one file.
            return read_here(source, choices, report)
        while True:
            kind, content = _next(inbox, patience)
            if kind == DONE:
                report(content)
            elif kind == READ and isinstance(content, Reading):
                # Made anew, since arrays come out of a pipe as writable ones.
                return replace(content, table=replace(content.table))
            elif kind == REFUSED and isinstance(content, UserError):
                raise content
            else:
                raise _broken(source, content)


def read_here(source: Source, choices: Choices, report: Report) -> Reading:
    """The table of an HDF5 file, read in this process."""
    from ximstudio.load.single_cell import h5ad, tenx_h5

    with opened(source, report) as root:
        report = _after_unpacking(source, report)
        if choices.format in {None, tenx_h5.KEY} and tenx_h5.is_tenx(root):
            return tenx_h5.read_from(root, choices, report)
        if choices.format in {None, h5ad.KEY} and h5ad.is_h5ad(root):
            return h5ad.read_from(root, choices, report)
        raise _unknown(root, choices)


def _after_unpacking(source: Source, report: Report) -> Report:
    return (lambda done: report(UNPACKING + (1 - UNPACKING) * done)) if source.is_packed else report


def serve() -> None:
    """Read what standard input asks for, and answer on standard output: the other process."""
    # A copy, so that nothing that a library prints gets among the answers.
    answers = os.fdopen(os.dup(1), "wb", buffering=1024 * 1024)
    os.dup2(2, 1)

    def tell(kind: str, content: object) -> None:
        pickle.dump((kind, content), answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()

    path, name, choices = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own process
    _limit_memory()
    tell(READY, None)
    last = 0.0

    def report(fraction: float) -> None:
        nonlocal last
        if time.monotonic() - last >= BETWEEN_REPORTS:
            last = time.monotonic()
            tell(DONE, fraction)

    try:
        tell(READ, read_here(Source(name=name, path=path), choices, report))
    except UserError as error:
        tell(REFUSED, error)
    except Exception as error:
        # Whatever it is, the person gets a message.
        tell(FAILED, f"{type(error).__name__}: {error}")


class _Counted:
    """A stream that counts what comes in, so that a slow answer is not taken for silence."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.calls = 0

    def read(self, size: int) -> bytes:
        self.calls += 1
        return self.stream.read(size)

    def readline(self) -> bytes:
        self.calls += 1
        return self.stream.readline()

    def readinto(self, buffer: Any) -> int:
        filled = 0
        view = memoryview(buffer)
        while filled < len(view):
            got = self.stream.readinto(view[filled : filled + 1024 * 1024])  # type: ignore[attr-defined]
            self.calls += 1
            if not got:
                break
            filled += got
        return filled


class _Inbox:
    """The answers of the other process, taken from its pipe by a thread."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.counted = _Counted(stream)
        self.answers: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._take, name="hdf5-answers", daemon=True)
        self.thread.start()

    def _take(self) -> None:
        with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while True:
                self.answers.put(pickle.load(self.counted))  # noqa: S301 - from our own child
        self.answers.put((FAILED, "the HDF5 library broke down on it"))


@contextmanager
def _started(source: Source, choices: Choices) -> Iterator[tuple[Any, _Inbox | None]]:
    """The other process, set to work and ended at last; None if it cannot be started."""
    child = None
    if not getattr(sys, "frozen", False) and sys.executable:
        with contextlib.suppress(OSError):
            child = subprocess.Popen(  # noqa: S603 - the same interpreter, a fixed command
                [sys.executable, "-c", CHILD.format(path=[str(folder) for folder in sys.path])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
    if child is None or child.stdin is None or child.stdout is None:
        yield None, None
        return
    inbox = _Inbox(child.stdout)
    try:
        with contextlib.suppress(OSError):
            # Absolute, since the working folder may change until it is opened.
            path = None if source.path is None else Path(source.path).absolute()
            pickle.dump((path, source.name, choices), child.stdin)
            child.stdin.close()
        yield child, inbox
    finally:
        child.kill()
        child.wait()
        inbox.thread.join()
        with contextlib.suppress(OSError):
            child.stdin.close()
        child.stdout.close()


def _next(inbox: _Inbox | None, patience: float) -> tuple[str, Any]:
    """The next answer; a failure if nothing at all comes for too long."""
    if inbox is None:
        return FAILED, ""
    while True:
        calls = inbox.counted.calls
        try:
            return inbox.answers.get(timeout=patience)
        except queue.Empty:
            if inbox.counted.calls == calls:
                return FAILED, f"the HDF5 library did not come to an end within {patience:g} s"


def _limit_memory() -> None:
    """Let the process have three quarters of the memory that is free, and no more."""
    try:
        import resource

        room = psutil.Process().memory_info().vms + psutil.virtual_memory().available * 3 // 4
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard in {-1, resource.RLIM_INFINITY} or hard > room:
            resource.setrlimit(resource.RLIMIT_AS, (room, hard))
    except (ImportError, OSError, ValueError):
        # Not every system can do that; what is declared is checked before it is read anyway.
        return


def _broken(source: Source, reason: object) -> UserError:
    return UserError(
        key="load.damaged",
        what=f"The file cannot be read: {reason}.",
        where=source.name,
        way_out="The file is damaged or incomplete: fetch or write it again.",
    )


def _unknown(root: Branch, choices: Choices) -> UserError:
    names = root.names()
    kind = next((kind for marks, kind in KNOWN_KINDS.items() if marks <= set(names)), "")
    asked = {"h5ad": "an h5ad file", "10x-h5": "a 10x matrix"}.get(choices.format or "")
    what = f"This is not {asked or 'an h5ad file or a 10x matrix'}"
    return UserError(
        key="load.unknown_hdf5",
        what=f"{what}, but {kind or 'another kind of HDF5 file'}.",
        where=f"{root.file}, which holds: {', '.join(names[:10]) or 'nothing'}",
        way_out="Leave the format open, if you chose it; else write the table as h5ad, TSV or CSV.",
    )
