"""Where files are: taken out of what everyone may read, and found again by those who have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ximstudio.load.samples import PREFIX
from ximstudio.prepare.input import Input

FILES = ("node_file",)
"""Parameters of methods that name a file."""


def files_at_hand(name: str, *, beside: Path, known: Iterable[Path] = ()) -> list[str]:
    """All files that a recorded name may mean, with their places; a sample is itself.

    `beside` is the figure, and `known` are files that the program has had open.
    """
    if name.startswith(PREFIX):
        return [name]
    bare = named(name)
    paths = [*(path for path in known if path.name == bare), beside.parent / bare]
    # A name that is none, such as '..', is a folder.
    return list(dict.fromkeys(str(path.absolute()) for path in paths if path.is_file()))


def inputs_at_hand(
    given: Input, *, beside: Path, known: Iterable[Path] = (), table: Path | None = None
) -> Iterator[Input]:
    """The inputs that `given` may be, with files where they are now; none if one is missing.

    `table` is where a person says that the table is. There can be several files of a name: the
    fingerprint of what they give tells which is the one.
    """
    known = tuple(known)

    def places(name: str) -> list[str]:
        return files_at_hand(name, beside=beside, known=known)

    joinings = [places(joining.name) for joining in given.joinings]
    frozen = [] if given.frozen is None else places(given.frozen)
    if not all(joinings) or (given.frozen is not None and not frozen):
        return
    for name in places(given.name) if table is None else [str(table)]:
        yield replace(
            given,
            name=name,
            joinings=tuple(
                replace(joining, name=found[0])
                for joining, found in zip(given.joinings, joinings, strict=True)
            ),
            frozen=frozen[0] if frozen else None,
        )


def without_places(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of a run, or of a comparison, in which files have names only."""
    public = _named_in(record, ("start",))
    if isinstance(public.get("parent"), Mapping):
        public["parent"] = _named_in(public["parent"], ("folder",))
    if isinstance(public.get("parameters"), Mapping):
        public["parameters"] = _named_in(public["parameters"], FILES)
    if isinstance(public.get("methods"), list):
        public["methods"] = [
            without_places(method) for method in public["methods"] if isinstance(method, Mapping)
        ]
    data = public.get("data")
    if isinstance(data, Mapping):
        public["data"] = _data_without_places(data)
    return public


def _data_without_places(data: Mapping[str, Any]) -> dict[str, Any]:
    public = _named_in(data, ("source",))
    if isinstance(public.get("notes"), list):
        # Their sentences name files as they were given.
        public["notes"] = [
            {"key": note["key"]} for note in public["notes"] if isinstance(note, Mapping)
        ]
    if isinstance(public.get("input"), Mapping):
        given = _named_in(public["input"], ("source", "frozen"))
        if isinstance(given.get("joinings"), list | tuple):
            given["joinings"] = [
                _named_in(joining, ("name",))
                for joining in given["joinings"]
                if isinstance(joining, Mapping)
            ]
        public["input"] = given
    return public


def _named_in(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Values in which some that are texts lose their folders."""
    bare = {name: named(values[name]) for name in names if isinstance(values.get(name), str)}
    return {**values, **bare}


def named(source: str) -> str:
    """The name of a file without its folders, of whatever system; samples keep theirs."""
    if source.startswith(PREFIX):
        return source
    return source.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
