"""Files that a session refers to, identified by their contents wherever they are now."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING

from ximstudio.load.reading import Report, silent
from ximstudio.load.samples import sample_of
from ximstudio.model.npy import PIECE
from ximstudio.model.problem import UserError
from ximstudio.model.words import grouped
from ximstudio.prepare.input import Input
from ximstudio.session.session import Session

if TYPE_CHECKING:
    from ximstudio.session.run import Run


@dataclass(frozen=True, kw_only=True)
class File:
    """A file, or a folder of files, as it was when the session was saved.

    Parameters
    ----------
    name
        Its name in the session's input.
    beside
        Its path relative to the folder of the session; '' if there is none.
    size
        Size in bytes.
    fingerprint
        SHA-256 of its contents.
    """

    name: str
    beside: str
    size: int
    fingerprint: str


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A file that is not where it was, or, if `changed`, has other contents."""

    file: File
    changed: bool = False


def files_of(wanted: Input, folder: Path, report: Report = silent) -> tuple[File, ...]:
    """Describe all files of an input as they are now; an unreadable one is refused."""
    names = _names_of(wanted)
    found = []
    for number, name in enumerate(names):
        path = _path_of(name)
        part = part_of(report, number / len(names), (number + 1) / len(names))
        try:
            size, fingerprint = _size(path), fingerprint_of(path, part)
        except OSError as error:
            raise UserError(
                key="session.reference",
                what="A file that the session refers to cannot be read:"
                f" {error.strerror or error}.",
                where=name,
                way_out="Save the session with its data.",
            ) from None
        file = File(name=name, beside=_beside(path, folder), size=size, fingerprint=fingerprint)
        found.append(file)
    return tuple(found)


def fingerprint_of(path: Path, report: Report = silent) -> str:
    """SHA-256 of a file, or of the names and contents of the files in a folder."""
    total = max(_size(path), 1)
    done = 0
    sha = hashlib.sha256()
    for each in _files_in(path):
        if each != path:
            name = os.fsencode(each.name)
            sha.update(b"file" + len(name).to_bytes(8, "little") + name)
            sha.update(each.stat().st_size.to_bytes(8, "little"))
        with each.open("rb") as file:
            while piece := file.read(PIECE):
                sha.update(piece)
                done += len(piece)
                report(min(done / total, 1.0))
    return sha.hexdigest()


def found_again(
    file: File, folder: Path, moved: Mapping[str, Path], report: Report = silent
) -> Path | Missing:
    """Find a file where the user says, where it was, or in the same place relative to the session.

    If the user names a file with other contents, it is refused.
    """
    if file.name in moved:
        return _given(file, Path(moved[file.name]), report)
    changed = False
    places = [_path_of(file.name)]
    if file.beside:
        places.append(Path(os.path.normpath(folder / file.beside)))
    for place in dict.fromkeys(places):
        try:
            if _is_same(file, place, report):
                return place
        except OSError:
            continue
        changed = True
    return Missing(file=file, changed=changed)


def moved_input(wanted: Input, places: Mapping[str, str]) -> Input:
    """Return the input with its files at their new places: old name → new name."""
    return replace(
        wanted,
        name=places.get(wanted.name, wanted.name),
        joinings=tuple(
            replace(each, name=places.get(each.name, each.name)) for each in wanted.joinings
        ),
        frozen=None if wanted.frozen is None else places.get(wanted.frozen, wanted.frozen),
    )


def with_moved_inputs(session: Session, places: Mapping[str, str]) -> Session:
    """Return the session with the files of its runs at their new places."""

    def moved(run: Run) -> Run:
        return replace(run, input=moved_input(run.input, places))

    return replace(session, runs=tuple(map(moved, session.runs))) if places else session


def _given(file: File, path: Path, report: Report) -> Path:
    try:
        size = _size(path)
        same = _is_same(file, path, report)
    except OSError as error:
        raise UserError(
            key="session.no_file",
            what=f"The file cannot be read: {error.strerror or error}.",
            where=str(path),
            way_out="Choose the file that was moved.",
        ) from None
    if not same:
        # For a folder, a file dialog can only name a file in it.
        with suppress(OSError):
            if _is_same(file, path.parent, report):
                return path.parent
        raise UserError(
            key="session.other_file",
            what=f"This is not the file of the session: it has {grouped(size)}"
            f" bytes instead of {grouped(file.size)}."
            if size != file.size
            else "This is not the file of the session: its contents are different.",
            where=f"{path} (fingerprint of the file '{file.name}': {file.fingerprint[:16]}…)",
            way_out="Choose the original file, or open this one as a new table.",
        )
    return path


def _is_same(file: File, path: Path, report: Report) -> bool:
    """Compare a file with its description; the size settles most cases quickly."""
    return _size(path) == file.size and fingerprint_of(path, report) == file.fingerprint


def _names_of(wanted: Input) -> Sequence[str]:
    frozen = () if wanted.frozen is None else (wanted.frozen,)
    names = (wanted.name, *(joining.name for joining in wanted.joinings), *frozen)
    return tuple(dict.fromkeys(names))


def _path_of(name: str) -> Path:
    sample = sample_of(name)
    return Path(name) if sample is None else sample.path


def _beside(path: Path, folder: Path) -> str:
    """Relative POSIX path from the session's folder to the file."""
    try:
        return Path(os.path.relpath(path.absolute(), folder.absolute())).as_posix()
    except ValueError:
        # Another drive.
        return ""


def _files_in(path: Path) -> Iterator[Path]:
    """Yield the file, or the files in the folder; OSError for anything else, such as a device."""
    if path.is_dir():
        yield from sorted(each for each in path.iterdir() if each.is_file())
    elif path.is_file():
        yield path
    else:
        raise FileNotFoundError(ENOENT, "there is no such file")


def _size(path: Path) -> int:
    return sum(each.stat().st_size for each in _files_in(path))


def part_of(report: Report, begin: float, end: float) -> Report:
    """Return the report of a part of the work, from `begin` to `end`."""
    return lambda fraction: report(begin + (end - begin) * fraction)
