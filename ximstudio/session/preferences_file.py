"""JSON files of settings and presets that several windows change at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from ximstudio.files.atomic import atomic_file, json_bytes
from ximstudio.files.bounded import parse_json, read_bounded
from ximstudio.model.problem import Problem, Severity

Values: TypeAlias = dict[str, Any]

LARGEST = 64 * 1024 * 1024
"""Bytes beyond which a file holds no preferences."""
PATIENCE = 1.0
"""Seconds to wait for another window that is writing: it takes a few milliseconds."""


class PreferencesFile:
    """A JSON object on disk, edited in place: what an edit does not name stays as it is.

    Each change reads the file again, edits what it finds, and replaces the file as a whole, while
    other processes wait. So windows that are open at the same time keep each other's changes, and
    entries of later versions survive. A file that cannot be read as an object is set aside under
    another name before the first change, never overwritten; `trouble` then says so.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: Problem | None = None
        """What was wrong with the file, for the user; None if nothing was."""

    def read(self) -> Values:
        """The object in the file; an empty one if there is no file, or none that can be read."""
        return self._read() or {}

    def change(self, edit: Callable[[Values], Mapping[str, Any]]) -> Values:
        """Replace the object by what `edit` makes of it; OSError leaves it as it was."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with _turn(self.path):
            found = self._read()
            if found is None and self.trouble is not None and self.path.exists():
                self.path.replace(_free(self.path))
            changed = dict(edit(found or {}))
            with atomic_file(self.path) as file:
                file.write(json_bytes(json.dumps(changed, indent=1, ensure_ascii=False)))
        return changed

    def _read(self) -> Values | None:
        self.trouble = None
        try:
            found = parse_json(read_bounded(self.path, LARGEST).decode("utf-8-sig"))
            if not isinstance(found, dict):
                raise ValueError("it holds no settings")
        except FileNotFoundError:
            return None
        except OSError as error:
            self.trouble = _unread(self.path, error.strerror or str(error))
            return None
        except ValueError as error:
            self.trouble = _unread(self.path, str(error))
            return None
        return found


@contextmanager
def _turn(path: Path) -> Iterator[None]:
    """Be the only process that changes the file; after a while, go on without."""
    # Late: it takes a tenth of a second to import, and reading does without.
    from filelock import FileLock

    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        lock.acquire(timeout=PATIENCE)
    except (TimeoutError, NotImplementedError):
        # A window that was stopped while it wrote, or a disk without locks.
        yield
        return
    try:
        yield
    finally:
        lock.release()


def _free(path: Path) -> Path:
    """A name beside the file that nothing has yet."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.unreadable-{number}{path.suffix}")).exists():
        number += 1
    return aside


def _unread(path: Path, why: str) -> Problem:
    return Problem(
        key="preferences.unreadable",
        what=f"Saved preferences could not be read: {why}.",
        where=str(path),
        way_out="Repair the file or delete it. It is set aside, not overwritten, when something"
        " new is saved.",
        severity=Severity.WARNING,
    )
