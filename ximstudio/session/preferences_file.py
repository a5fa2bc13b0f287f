"""Folders of the user's settings and data, and JSON files safe to change from several windows."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import platformdirs

from ximstudio.files.atomic import atomic_file, json_bytes
from ximstudio.files.bounded import parse_json, read_bounded
from ximstudio.model.problem import Problem, Severity

SETTINGS_FOLDER = "XIMSTUDIO_SETTINGS"
"""Environment variable that moves all of it, for tests and for portable installations."""


def settings_folder() -> Path:
    """Folder of settings and presets."""
    return _moved() or platformdirs.user_config_path("ximstudio", appauthor=False)


def data_folder() -> Path:
    """Folder of autosaves and of pasted tables, which have no file of their own."""
    return _moved() or platformdirs.user_data_path("ximstudio", appauthor=False)


def _moved() -> Path | None:
    folder = os.environ.get(SETTINGS_FOLDER)
    return Path(folder) if folder else None


Values: TypeAlias = dict[str, Any]

LARGEST = 64 * 1024 * 1024
"""Larger files, in bytes, are not preferences."""
PATIENCE = 1.0
"""Seconds to wait for another window that is writing, which takes a few milliseconds."""


class PreferencesFile:
    """A JSON object on disk, edited in place: entries that an edit does not name stay.

    Each change reads the file again, edits it, and replaces it atomically, while other processes
    wait. So windows that are open at the same time keep each other's changes, and entries of later
    versions survive. An unreadable file is renamed before the first change, never overwritten;
    `trouble` then describes the problem.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: Problem | None = None
        """The problem with the file, for the user; None if there was none."""

    def read(self) -> Values:
        """Read the object; an empty one if there is no file, or an unreadable one."""
        return self._read() or {}

    def change(self, edit: Callable[[Values], Mapping[str, Any]]) -> Values:
        """Replace the object by the result of `edit`; an OSError leaves it unchanged."""
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
    """Lock the file against other processes; after a while, continue without."""
    # Imported late: it takes a tenth of a second, and reading does not need it.
    from filelock import FileLock

    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        lock.acquire(timeout=PATIENCE)
    except (TimeoutError, NotImplementedError):
        # A window was stopped while it wrote, or the disk has no locks.
        yield
        return
    try:
        yield
    finally:
        lock.release()


def _free(path: Path) -> Path:
    """Unused name for setting the file aside."""
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
