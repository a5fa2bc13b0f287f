"""Remove folders from records that others may read, and find such files again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ximstudio.load.samples import PREFIX
from ximstudio.prepare.input import Input

FILES = ("node_file",)
"""Parameters of methods that name a file."""


def files_at_hand(name: str, *, beside: Path, known: Iterable[Path] = ()) -> list[str]:
    """Find all files that a recorded name may mean; a sample stays itself.

    `beside` is the figure, and `known` are files that the program has opened.
    """
    if name.startswith(PREFIX):
        return [name]
    bare = named(name)
    paths = [*(path for path in known if path.name == bare), beside.parent / bare]
    # A name such as '..' is a folder.
    return list(dict.fromkeys(str(path.absolute()) for path in paths if path.is_file()))


def inputs_at_hand(
    given: Input, *, beside: Path, known: Iterable[Path] = (), table: Path | None = None
) -> Iterator[Input]:
    """Yield the inputs that `given` may be, with files at their present places.

    Nothing is yielded if a file is missing. `table` is where the user says that the table is.
    Several files may have the name: the fingerprint of their contents decides.
    """
    known = tuple(known)
    names = names_of_files(given)
    places = {name: files_at_hand(name, beside=beside, known=known) for name in names}
    if all(places[name] for name in names[1:]):
        first = with_files(given, lambda name: next(iter(places[name]), name))
        for place in places[given.name] if table is None else [str(table)]:
            yield replace(first, name=place)


def names_of_files(given: Input) -> tuple[str, ...]:
    """Return the names of all files of an input, as it has them: the table first."""
    frozen = () if given.frozen is None else (given.frozen,)
    return (given.name, *(joining.name for joining in given.joinings), *frozen)


def with_files(given: Input, place: Callable[[str], str]) -> Input:
    """Return an input whose files are at other places."""
    return replace(
        given,
        name=place(given.name),
        joinings=tuple(replace(each, name=place(each.name)) for each in given.joinings),
        frozen=None if given.frozen is None else place(given.frozen),
    )


def without_places(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a run or comparison with the names of files only."""
    public = _named_in(record, ("start",))
    for part, names in (("parent", ("folder",)), ("parameters", FILES)):
        if isinstance(public.get(part), Mapping):
            public[part] = _named_in(public[part], names)
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
        # Their sentences contain file names as given.
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
    """Return values in which some texts lose their folders."""
    bare = {name: named(values[name]) for name in names if isinstance(values.get(name), str)}
    return {**values, **bare}


def named(source: str) -> str:
    """Name of a file without its folders, on any system; samples keep theirs."""
    if source.startswith(PREFIX):
        return source
    return source.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
