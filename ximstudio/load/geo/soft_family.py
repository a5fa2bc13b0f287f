"""Join the samples of a SOFT family to one table by the ids of their platform."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ximstudio.load.account import no_such, note, spelt_guess
from ximstudio.load.geo.samples import ACCESSION, sample_labels, unused_keys
from ximstudio.load.geo.soft_tables import ID, KEY, Entity, place_of, read_columns, together
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.structured.lines import Lines, cells_of, piece_of
from ximstudio.load.structured.rectangle_roles import free_name, free_names
from ximstudio.load.text.block import BLANKS
from ximstudio.load.text.roles import separated
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, SettingsForm, UserError
from ximstudio.model.table import Axis, Table
from ximstudio.model.words import counted

VALUE = "VALUE"

ROOM = 64 * 1024 * 1024
"""Size of a platform's table in bytes up to which all its columns become labels."""

MOST_LABELS = 100
"""Maximum number of a platform's columns that become labels."""

TELLING = re.compile(r"symbol|gene|title|orf|entrez|acc|name|descr|locus|chrom", re.IGNORECASE)
"""Columns of a larger table that become labels nevertheless."""


def read_family(lines: Lines, parts: Sequence[Entity], choices: Choices, report: Report) -> Reading:
    """Read the table of all samples of one platform."""
    tabled = [part for part in parts if part.kind == "sample" and part.table is not None]
    platform, column = _part(lines, tabled, choices)
    samples, notes = _chosen(lines, parts, tabled, platform, column)
    blanks = BLANKS if choices.missing is None else choices.missing
    columns = read_columns(lines, samples, column, blanks, piece_of(report, 0.0, 0.9))
    ids, values, id_notes = together(lines, samples, columns)
    labels, platform_notes = _annotation(lines, parts, platform, ids)
    attributes = [sample.attributes for sample in samples]
    items, features, guesses = _axes(
        lines, ids, labels, samples, sample_labels(attributes), choices
    )
    table = Table(values=values, items=items, features=features, source=lines.name)
    unused = some_of([f"Sample_{key}" for key in unused_keys(attributes)])
    what = (
        "Lines about the series, the platform and the samples, and other columns of the samples'"
        " tables, are not in the table."
    )
    where = f"{lines.name}: {unused or 'lines of the series'}"
    notes += [*id_notes, *platform_notes, note("unused_lines", what, where)]
    return Reading(
        table=table.transposed if choices.items == "columns" else table,
        format=KEY,
        guesses=(
            *lines.guesses,
            *_part_guess(tabled, platform, column, choices),
            *guesses,
            *spelt_guess(sum((Counter(each.spelt) for each in columns), Counter()), choices),
        ),
        notes=tuple(notes),
    )


# Choice of platform and column


def _platform(sample: Entity) -> str:
    return sample.first("platform_id")


def _columns_of(samples: Sequence[Entity]) -> list[str]:
    """Return the value columns of the samples, spelt as first found."""
    names: dict[str, str] = {}
    for sample in samples:
        assert sample.table is not None
        for name in sample.table.header:
            names.setdefault(name.strip().upper(), name.strip())
    return [name for upper, name in names.items() if upper != ID and name]


def _part(lines: Lines, samples: Sequence[Entity], choices: Choices) -> tuple[str, str]:
    """Return the platform and the column to read."""
    counts = Counter(map(_platform, samples))
    platform = counts.most_common(1)[0][0]
    if choices.part is None:
        return platform, VALUE
    if choices.part in counts:
        return choices.part, VALUE
    known = _columns_of(samples)
    if choices.part.upper() in {name.upper() for name in known}:
        return platform, choices.part
    what = f"There is no platform or column '{choices.part}'."
    raise no_such("part", choices.part, [*counts, *known], what, lines.name)


def _part_guess(
    samples: Sequence[Entity], platform: str, column: str, choices: Choices
) -> Iterator[Guess]:
    if choices.part is not None:
        return
    counts = Counter(map(_platform, samples))
    alone = len(counts) == 1
    value, reason = column, "The values of a sample are in its column VALUE."
    options = {name: name for name in _columns_of(samples)}
    if not alone:
        value = platform
        reason = f"{counts[platform]} of {len(samples)} samples are of this platform."
        options = {name: f"{name} ({count} samples)" for name, count in counts.items()}
    yield Guess(key="part", label="Part", value=value, reason=reason, options=options, sure=alone)


def _chosen(
    lines: Lines, parts: Sequence[Entity], tabled: Sequence[Entity], platform: str, column: str
) -> tuple[list[Entity], list[Problem]]:
    """Return the samples to read, and notes about the others."""
    notes = []
    bare = [part.name for part in parts if part.kind == "sample" and part.table is None]
    if bare:
        what = f"{counted(len(bare), 'sample')} without a table left out."
        notes.append(note("samples_without_values", what, f"{lines.name}: {some_of(bare)}"))
    others = [part.name for part in tabled if _platform(part) != platform]
    if others:
        what = f"{counted(len(others), 'sample')} of other platforms than '{platform}' left out."
        way_out = "To read another platform, choose it as the part."
        where = f"{lines.name}: {some_of(others)}"
        notes.append(note("other_platforms", what, where, way_out, fields=("part",)))
    mine = [part for part in tabled if _platform(part) == platform]
    with_column = [part for part in mine if place_of(part, column) is not None]
    without = [part.name for part in mine if place_of(part, column) is None]
    if without:
        what = f"{counted(len(without), 'sample')} without a column '{column}' left out."
        notes.append(note("samples_without_values", what, f"{lines.name}: {some_of(without)}"))
    if not with_column:
        raise UserError(
            key="load.no_values",
            what=f"No sample has a column '{column}'.",
            where=lines.where(lines.number_at(mine[0].begin)),
            way_out=f"Choose one as the part: {some_of(_columns_of(mine))}.",
            fields=("part",),
            form=SettingsForm.READING,
        )
    return with_column, notes


# Names and labels


def _annotation(
    lines: Lines, parts: Sequence[Entity], platform: str, ids: Sequence[str]
) -> tuple[dict[str, tuple[str, ...]], list[Problem]]:
    """Return the platform's annotation of the ids: column → one text each."""
    held = [part for part in parts if part.kind == "platform" and part.table is not None]
    named = [part for part in held if part.name == platform]
    part = next(iter(named or held[: len(held) == 1]), None)
    if part is None or part.table is None:
        return {}, []
    table = part.table
    header = [name.strip() for name in table.header]
    small = table.end - table.begin <= ROOM
    kept = [
        place for place, name in enumerate(header) if place > 0 and (small or TELLING.search(name))
    ][:MOST_LABELS]
    wanted = set(ids)
    found: dict[str, list[str]] = {}
    for line in lines.data[table.begin : table.end].split(b"\n"):
        name = line.split(b"\t", 1)[0].decode(errors="replace").strip().strip('"')
        if name in wanted and name not in found:
            found[name] = cells_of(line.decode(errors="replace"))
    called = free_names(header[place] or f"column {place + 1}" for place in kept)
    labels = {
        label: tuple("".join(found.get(name, [])[place : place + 1]) for name in ids)
        for label, place in zip(called, kept, strict=True)
    }
    labels = {label: texts for label, texts in labels.items() if any(texts)}
    notes = []
    absent = [repr(name) for name in ids if name not in found]
    if absent:
        what = (
            f"{len(absent)} of {len(ids)} ids are not in the table of platform '{part.name}';"
            " their labels are blank."
        )
        notes.append(note("ids_not_on_platform", what, f"{lines.name}: {some_of(absent)}"))
    dropped = [name for place, name in enumerate(header) if place > 0 and place not in kept]
    if dropped:
        what = f"{counted(len(dropped), 'column')} of the platform's table not taken as labels."
        where = f"{lines.name}, platform '{part.name}': {some_of(dropped)}"
        notes.append(note("unused_columns", what, where))
    return labels, notes


def _axes(
    lines: Lines,
    ids: tuple[str, ...],
    labels: dict[str, tuple[str, ...]],
    samples: Sequence[Entity],
    described: dict[str, tuple[str, ...]],
    choices: Choices,
) -> tuple[Axis, Axis, list[Guess]]:
    """Return both axes with the chosen names, and the guess about them."""
    sample_names = tuple(sample.name for sample in samples)
    known = [ID, *labels, *described]
    for label in separated(choices.labels or (), set(known)):
        if label not in known:
            raise _unknown(lines, "label", label, known)
    items = Axis(names=ids, labels=labels)
    features = Axis(names=sample_names, labels=described)
    chosen = choices.id
    if chosen is None or chosen == ID:
        guess = Guess(
            key="id",
            label="Names in",
            value=ID,
            reason="Samples are joined by the ids of their platform.",
            options={name: name for name in (ID, *labels)},
        )
        return items, features, [] if chosen else [guess]
    if chosen == "":
        numbered = tuple(f"row {number}" for number in range(1, len(ids) + 1))
        return Axis(names=numbered, labels={ID: ids, **labels}), features, []
    if chosen in labels:
        names = tuple(text.strip() for text in labels.pop(chosen))
        return Axis(names=names, labels={free_name(ID, labels): ids, **labels}), features, []
    if chosen in described:
        names = tuple(text.strip() for text in described.pop(chosen))
        renamed = {free_name(ACCESSION, described): sample_names, **described}
        return items, Axis(names=names, labels=renamed), []
    raise _unknown(lines, "id", chosen, known)


def _unknown(lines: Lines, what: str, name: str, known: Sequence[str]) -> UserError:
    where = f"{lines.name}, tables of platform and samples"
    return no_such(what, name, known, f"There is no column '{name}'.", where)
