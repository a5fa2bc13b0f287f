"""Detect that a file changes while it is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from ximstudio.load.source import Source, changed
from ximstudio.model.problem import UserError

State: TypeAlias = tuple[tuple[str, int, int, int], ...]
"""Name, inode, size and modification time of every file that a source consists of."""


@contextmanager
def noticing_changes(source: Source) -> Iterator[None]:
    """Refuse the result of the context if the file has changed meanwhile.

    So is a refusal, whatever it says: half of an old and half of a new file look damaged.
    """
    before = _state(source.path)
    try:
        yield
    except UserError:
        _refuse_change(source, before)
        raise
    _refuse_change(source, before)


def _state(path: Path | None) -> State | None:
    """Return the present state of the files; None if there are none, or no access to them."""
    if path is None:
        return None
    try:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        found = [(file.name, file.stat()) for file in files]
    except OSError:
        return None
    return tuple((name, stat.st_ino, stat.st_size, stat.st_mtime_ns) for name, stat in found)


def _refuse_change(source: Source, before: State | None) -> None:
    if _state(source.path) != before:
        raise changed(source.name)
