"""GEO's SOFT files: data sets (GDS), and families of samples with a table each (GSE, GSM).

A family becomes one table: the VALUE column of every sample, put together by ID_REF. Other columns
of the samples' tables are read only if chosen. Samples of one platform only are put together.
Platforms alone (GPL) have no values and are refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ximstudio.load.account import note
from ximstudio.load.format import Format
from ximstudio.load.geo.soft_family import read_family
from ximstudio.load.geo.soft_tables import KEY, Entity, entities
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source
from ximstudio.load.structured.lines import Lines, first_lines, lines_of, piece_of
from ximstudio.load.structured.rectangle import read_rectangle
from ximstudio.load.structured.rectangle_roles import Rectangle, free_name
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.words import counted

FIRST = re.compile(
    r"\^(database|series|platform|sample|dataset|subset|annotation)\s*=", re.IGNORECASE
)

DESCRIBED = re.compile(r"Value for [^:]*:\s*(.*?)(?:;\s*src:\s*(.*))?", re.DOTALL)
"""Description of a sample in a data set: title, and after "src:" the source."""

MOST_KINDS = 100
"""Maximum number of subset types that become labels; a data set has a handful."""

OTHER_KINDS = "other subsets"
"""Label that gathers the other types."""

SAMPLE = re.compile(r"GSM\d+", re.IGNORECASE)


def recognises(source: Source) -> bool:
    """Return whether the first line begins a database, series, platform, sample or data set."""
    first = first_lines(source, 1)
    return bool(first) and FIRST.match(first[0]) is not None


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table of a data set, or of all samples of a family."""
    lines = lines_of(source, choices, report, part=0.4)
    parts = list(entities(lines, piece_of(report, 0.4, 0.5)))
    report = piece_of(report, 0.5, 1.0)
    sets = [part for part in parts if part.kind == "dataset" and part.table is not None]
    if sets:
        return _read_data_set(lines, parts, sets[0], choices, report)
    samples = [part for part in parts if part.kind == "sample"]
    if any(sample.table is not None for sample in samples):
        return read_family(lines, parts, choices, report)
    kinds = ", ".join(dict.fromkeys(part.kind for part in parts)) or "nothing"
    raise UserError(
        key="load.no_values",
        what=f"The file has no values of samples, only: {kinds}.",
        where=lines.name,
        way_out="Open the series matrix, the data set, or the supplementary file with the values.",
    )


def _read_data_set(
    lines: Lines, parts: Sequence[Entity], part: Entity, choices: Choices, report: Report
) -> Reading:
    table = part.table
    assert table is not None
    header = [name.strip() for name in table.header]
    subsets = _subsets(parts)
    samples = frozenset(
        place for place, name in enumerate(header) if SAMPLE.fullmatch(name) or name in subsets
    )
    texts = frozenset(range(len(header))) - samples
    if not samples or not texts:
        raise UserError(
            key="load.no_values",
            what="The data set has no columns of samples (GSM…), or none that names the rows.",
            where=lines.where(lines.number_at(table.begin)),
            way_out="Choose a complete data set.",
        )
    rectangle = Rectangle(
        format=KEY,
        header=tuple(table.header),
        texts=texts,
        names=min(texts),
        reason="The first column of a data set holds the ids of its platform.",
        first=lines.number_at(table.begin),
        last=lines.number_at(table.end - 1) if table.end > table.begin else 0,
        feature_labels=_sample_labels(header, part, subsets),
        feature_word="geo_accession",
        notes=tuple(_data_set_notes(lines, parts, part)),
    )
    return read_rectangle(lines, rectangle, choices, report)


def _subsets(parts: Sequence[Entity]) -> dict[str, dict[str, list[str]]]:
    """Return the subsets of each sample: sample → type ("disease state") → subsets."""
    found: dict[str, dict[str, list[str]]] = {}
    for part in (part for part in parts if part.kind == "subset"):
        kind = part.first("type") or "subset"
        text = part.first("description") or part.name
        for sample in ",".join(part.attributes.get("sample_id", [])).split(","):
            if sample.strip():
                found.setdefault(sample.strip(), {}).setdefault(kind, []).append(text)
    return found


def _sample_labels(
    header: Sequence[str], part: Entity, subsets: Mapping[str, Mapping[str, Sequence[str]]]
) -> dict[str, tuple[str, ...]]:
    """Return titles, sources and subsets of the samples: label → one text per column."""
    descriptions = [DESCRIBED.fullmatch(part.columns.get(name, "")) for name in header]
    labels: dict[str, tuple[str, ...]] = {}
    for group, label in enumerate(("title", "source"), 1):
        texts = tuple((match[group] or "").strip() if match else "" for match in descriptions)
        labels |= {label: texts} if any(texts) else {}
    counts = Counter(kind for sample in subsets.values() for kind in sample)
    kinds = [kind for kind, _ in counts.most_common()]
    for kind in kinds[:MOST_KINDS]:
        labels[free_name(kind, labels)] = tuple(
            "; ".join(subsets.get(name, {}).get(kind, ())) for name in header
        )
    rest = set(kinds[MOST_KINDS:])
    if rest:
        labels[free_name(OTHER_KINDS, labels)] = tuple(
            "; ".join(
                f"{kind}: {text}"
                for kind, texts in subsets.get(name, {}).items()
                if kind in rest
                for text in texts
            )
            for name in header
        )
    return labels


def _data_set_notes(lines: Lines, parts: Sequence[Entity], used: Entity) -> Iterator[Problem]:
    others = [
        f"{part.kind} {part.name}".strip()
        for part in parts
        if part.kind != "subset" and part is not used and part.table is not None
    ]
    if others:
        yield note(
            "unused_tables",
            f"{counted(len(others), 'other table')} of the file not read.",
            f"{lines.name}: {some_of(others)}",
        )
    yield note(
        "unused_lines",
        "Lines about the database and the data set are not in the table.",
        f"{lines.name}: {some_of([part.kind for part in parts if part.kind != 'subset'])}",
    )


FORMAT = Format(
    key=KEY,
    name="GEO SOFT (data set or family)",
    suffixes=(".soft", ".soft.gz", ".txt", ".txt.gz"),
    recognises=recognises,
    read=read,
    rows="genes",
    columns="samples",
)
