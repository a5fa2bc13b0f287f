"""Named sets of genes, from GMT and GMX files and from lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ximstudio.load.account import note
from ximstudio.load.reading import Report, silent
from ximstudio.load.source import Source, noticing_changes
from ximstudio.load.text.encoding import encoding_of, plain
from ximstudio.model.matrix import repeated, some_of
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.words import counted

NOTHING = frozenset({"", "na", "n/a", "null", "none"})
"""Placeholders for a missing description."""
BETWEEN_NAMES = re.compile(r"[\s,;|]+")
LISTED_AS = "list"
"""Default name of the set in a list."""


@dataclass(frozen=True, kw_only=True)
class GeneSet:
    """Genes that belong together, each once, in the order of the file."""

    name: str
    description: str
    members: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class GeneSets:
    """The sets of one file, and notes about changes."""

    sets: tuple[GeneSet, ...]
    format: str
    source: str
    notes: tuple[Problem, ...] = ()


class _Line(NamedTuple):
    """The cells of a line (or column) of a file, and its position."""

    number: int
    cells: tuple[str, ...]


def read_gene_sets(
    source: Source,
    *,
    format: str | None = None,  # noqa: A002
    report: Report = silent,
) -> GeneSets:
    """Read the sets of a file that may be a GMT, a GMX or a plain list of names."""
    readers = {"gmt": read_gmt, "gmx": read_gmx, "list": read_list}
    if format is not None and format not in readers:
        raise UserError(
            key="load.gene_set_format",
            what=f"Gene sets cannot be read as '{format}'.",
            where=source.name,
            way_out=f"Give one of {', '.join(readers)}.",
        )
    with noticing_changes(source):
        key = _recognised(_lines(source, report)) if format is None else format
        return readers[key](source, report=report)


def read_gmt(source: Source, *, report: Report = silent) -> GeneSets:
    """Read a GMT file: each line is a set, with its name, a description and the members."""
    return _sets_of(_lines(source, report), word="line", kind="gmt", source=source)


def read_gmx(source: Source, *, report: Report = silent) -> GeneSets:
    """Read a GMX file: each column is a set, with its name, a description and the members."""
    # Filled column by column: a rectangle of the longest line and all lines could be immense.
    columns: list[list[str]] = []
    for height, line in enumerate(_lines(source, report)):
        columns += ([] for _ in range(len(line.cells) - len(columns)))
        for column, cell in zip(columns, line.cells, strict=False):
            if cell or height < 2:
                column += [*[""] * (min(height, 2) - len(column)), cell]
    sets = [_Line(number, tuple(cells)) for number, cells in enumerate(columns, 1) if any(cells)]
    return _sets_of(sets, word="column", kind="gmx", source=source)


def read_list(source: Source, *, name: str | None = None, report: Report = silent) -> GeneSets:
    """Read one set from a list of names, separated by lines, commas or spaces.

    Parameters
    ----------
    name
        What the set is called; the file's name without its ending if left open.
    """
    if name is None:
        name = LISTED_AS if source.path is None else source.path.name.split(".")[0] or LISTED_AS
    members = [
        member.strip("\"'")
        for line in _lines(source, report)
        if not line.cells[0].startswith("#")
        for cell in line.cells
        for member in BETWEEN_NAMES.split(cell)
    ]
    notes: list[Problem] = []
    kept = _members(members, f"{source.name}: the list", notes)
    if not kept:
        raise _nothing(source)
    one = GeneSet(name=name, description="", members=kept)
    return GeneSets(sets=(one,), format="list", source=source.name, notes=tuple(notes))


def _lines(source: Source, report: Report) -> list[_Line]:
    """Return all non-blank lines, split at tabs."""
    data = source.read(report)
    encoding = encoding_of(data, name=source.name)
    text = plain(data, encoding.name, name=source.name).decode()
    return [
        _Line(number, tuple(map(str.strip, line.split("\t"))))
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]


def _recognised(lines: Sequence[_Line]) -> str:
    """Guess the format from the lines.

    Names are in the first cells of a GMT and in the first line of a GMX, whose second line holds
    descriptions: usually "na", or addresses, in every cell.
    """
    widths = {len(line.cells) for line in lines}
    cells = lines[1].cells if len(lines) > 2 and len(lines[1].cells) == len(lines[0].cells) else ()
    described = any(cells) and all(
        cell.lower() in NOTHING or cell.startswith(("http:", "https:", ">")) for cell in cells
    )
    if described and (widths == {2} or max(widths) > 2):
        return "gmx"
    return "gmt" if max(widths, default=0) > 2 else "list"


def _sets_of(lines: Sequence[_Line], *, word: str, kind: str, source: Source) -> GeneSets:
    notes: list[Problem] = []
    sets: dict[str, tuple[int, GeneSet]] = {}
    for line in lines:
        place = f"{source.name}, {word} {line.number}"
        name, description, *members = (*line.cells, "")[: max(len(line.cells), 2)]
        if not name:
            raise UserError(
                key="load.gene_set_unnamed",
                what="A gene set has no name.",
                where=f"{place} (description: {description[:60]!r})",
                way_out=f"Give it a name in the first cell of the {word}.",
            )
        one = GeneSet(
            name=name,
            description="" if description.lower() in NOTHING else description,
            members=_members(members, f"{place}, set '{name}'", notes),
        )
        if name in sets:
            first, known = sets[name]
            if set(one.members) != set(known.members):
                raise UserError(
                    key="load.gene_set_name_twice",
                    what=f"Two different gene sets are called '{name}'.",
                    where=f"{source.name}, {word}s {first} and {line.number}",
                    way_out="Rename one of them in the file.",
                )
            notes.append(_note("gene_set_twice", "A gene set is listed twice.", place))
            continue
        if not one.members:
            notes.append(_note("gene_set_empty", f"The set '{name}' has no members.", place))
        sets[name] = line.number, one
    if not sets:
        raise _nothing(source)
    kept = tuple(one for _, one in sets.values())
    return GeneSets(sets=kept, format=kind, source=source.name, notes=tuple(notes))


def _members(cells: Sequence[str], place: str, notes: list[Problem]) -> tuple[str, ...]:
    members = [cell for cell in cells if cell]
    twice = repeated(members)
    if twice:
        listed = counted(len(twice), "member is", "members are")
        what = f"{listed} listed more than once, to be counted once."
        notes.append(_note("gene_set_repeats", what, f"{place}: {some_of(twice)}"))
    return tuple(dict.fromkeys(members))


def _note(key: str, what: str, where: str) -> Problem:
    return note(key, what, where, "Correct the file if this is not what was meant.")


def _nothing(source: Source) -> UserError:
    return UserError(
        key="load.empty",
        what="There are no gene sets in the file.",
        where=source.name,
        way_out="Give a GMT or GMX file, or a list of names, one to a line.",
    )
