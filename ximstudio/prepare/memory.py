"""File format of learnt recipes: JSON and arrays, never pickled objects.

The file is a zip archive of uncompressed .npy members, like those of numpy's `savez`, and can be
opened with numpy. It is read without trust: no member may be compressed, larger than declared, or
of another type than plain numbers.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ximstudio.files.atomic import appearing, json_bytes
from ximstudio.files.bounded import open_regular, parse_json
from ximstudio.model.npy import NoArrayError, read_array
from ximstudio.model.problem import UserError
from ximstudio.prepare.step import Remembered

RECORD = "record"
SCHEMA = 1
MOST_STEPS = 10_000
MOST_TEXT = 2**30
KINDS = ("<f8", "<i8", "|b1", "|u1")
"""Types of numbers that are written and read."""


def write(path: Path, record: Mapping[str, Any], remembered: Sequence[Remembered]) -> None:
    """Write one file with a record and what every step learnt."""
    arrays: dict[str, NDArray[Any]] = {}
    texts: list[dict[str, list[str]]] = []
    for number, learnt in enumerate(remembered):
        texts.append({})
        for name, array in learnt.items():
            if array.dtype.kind == "U":
                texts[-1][name] = [str(text) for text in array]
            else:
                arrays[f"{number}.{name}"] = array
    whole = {**record, "memory": SCHEMA, "texts": texts}
    arrays[RECORD] = np.frombuffer(json_bytes(json.dumps(whole, ensure_ascii=False)), np.uint8)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression=zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            # A ZipInfo has a fixed date, so that equal content gives equal files.
            entry = zipfile.ZipInfo(f"{name}.npy")
            with archive.open(entry, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
    write_atomically(path, file.getvalue())


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    with appearing(path, key="prepare.unwritable") as unfinished:
        unfinished.write_bytes(content)


def read(path: Path) -> tuple[dict[str, Any], tuple[Remembered, ...]]:
    """Read the record and what every step learnt; refuse any other file."""
    where = str(path)
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as archive:
            members = _members(archive, path.stat().st_size, where)
    except OSError as error:
        raise unreadable(where, error) from None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError) as error:
        if isinstance(error, UserError):
            raise
        raise damaged(where, "it is no archive of ours") from None
    try:
        record = parse_json(members.pop(RECORD).tobytes().decode())
        texts = record["texts"]
        schema = record["memory"]
    except (KeyError, TypeError, ValueError):
        raise damaged(where, "it has no record") from None
    if isinstance(schema, int) and schema > SCHEMA:
        raise UserError(
            key="recipe.newer",
            what=f"The file was written by a newer version of the program (schema {schema}).",
            where=where,
            way_out="Update XIM Studio.",
        )
    if not _right_texts(texts) or schema != SCHEMA:
        raise damaged(where, "its record is not as it was written")
    return record, _sorted_by_step(members, texts, where)


def _members(archive: zipfile.ZipFile, size: int, where: str) -> dict[str, NDArray[Any]]:
    entries = archive.infolist()
    stored = all(entry.compress_type == zipfile.ZIP_STORED for entry in entries)
    # Members may overlap in a crafted archive: together they must fit into the file.
    if not stored or sum(entry.file_size for entry in entries) > size:
        raise damaged(where, "it is compressed")
    return {
        entry.filename.removesuffix(".npy"): _array(archive.read(entry), where) for entry in entries
    }


def _array(content: bytes, where: str) -> NDArray[Any]:
    """Return a member's array; its header is accepted only if it fits the bytes that follow."""
    try:
        return read_array(io.BytesIO(content), len(content), kinds=KINDS)
    except NoArrayError as error:
        raise damaged(where, str(error)) from None


def _right_texts(texts: Any) -> bool:
    return (
        isinstance(texts, list)
        and len(texts) <= MOST_STEPS
        and all(
            isinstance(step, dict)
            and all(isinstance(named, list) for named in step.values())
            and all(isinstance(text, str) for named in step.values() for text in named)
            and all(_room(named) <= MOST_TEXT for named in step.values())
            for step in texts
        )
    )


def _room(named: Sequence[str]) -> int:
    """Return the bytes that numpy takes for texts: each as much as the longest."""
    return 4 * len(named) * max(map(len, named), default=0)


def _sorted_by_step(
    members: Mapping[str, NDArray[Any]], texts: Sequence[Mapping[str, list[str]]], where: str
) -> tuple[Remembered, ...]:
    learnt: list[dict[str, NDArray[Any]]] = [
        {name: np.array(named, dtype=np.str_) for name, named in step.items()} for step in texts
    ]
    for key, array in members.items():
        number, _, name = key.partition(".")
        if not number.isdecimal() or int(number[:9]) >= len(learnt):
            raise damaged(where, f"it has a part '{key[:50]}' that belongs to no step")
        learnt[int(number[:9])][name] = array
    return tuple(learnt)


def damaged(where: str, why: str) -> UserError:
    """Return the error for a file that this program has not written."""
    return UserError(
        key="prepare.damaged",
        what=f"This is no prepared recipe, or it is damaged: {why}.",
        where=where,
        way_out="Prepare the first table again, and save the recipe anew.",
    )


def unreadable(where: str, error: OSError) -> UserError:
    """Return the error for a file that the system cannot read."""
    return UserError(
        key="prepare.unreadable",
        what=f"The file cannot be read: {error.strerror or error}.",
        where=where,
        way_out="Check the path.",
    )
