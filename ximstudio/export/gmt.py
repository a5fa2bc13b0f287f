"""Write named sets as a GMT file, the common format of gene sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ximstudio.load.annotation.matching import tidy
from ximstudio.model.matrix import repeated, some_of
from ximstudio.model.named_set import NamedSet
from ximstudio.model.problem import Problem, refuse
from ximstudio.prepare.memory import write_atomically

NO_DESCRIPTION = "na"
"""Placeholder of a missing description in GMT files."""


def write_gmt(path: Path, sets: Sequence[NamedSet]) -> None:
    """Write one line per set, atomically: its name, its note and its members.

    White space that would end a cell or a line becomes a single space. `read_gmt` reads it back.
    """
    refuse(_problems(path, sets))
    lines = "".join(f"{_line(one)}\n" for one in sets)
    write_atomically(path, lines.encode("utf-8", errors="replace"))


def _line(one: NamedSet) -> str:
    members = dict.fromkeys(filter(None, map(tidy, one.members)))
    return "\t".join((tidy(one.name), tidy(one.note) or NO_DESCRIPTION, *members))


def _problems(path: Path, sets: Sequence[NamedSet]) -> list[Problem]:
    found = []
    names = [tidy(one.name) for one in sets]
    if not all(names):
        found.append(
            Problem(
                key="export.set_unnamed",
                what="A set has no name.",
                where=f"{path}, line {names.index('') + 1}",
                way_out="Give it a name.",
            )
        )
    twice = repeated([name for name in names if name])
    if twice:
        found.append(
            Problem(
                key="export.set_name_twice",
                what="Several sets have the same name and would be indistinguishable in the file.",
                where=f"{path}: {some_of(twice)}",
                way_out="Rename all but one of them.",
            )
        )
    return found
