"""GEO series matrix: one table of probes by samples, with descriptions of the samples.

Probes are items and samples are features, named by accession; titles and characteristics are
labels of the features. Quotes are taken off cell by cell; tabs inside cells are not supported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ximstudio.load.account import note
from ximstudio.load.format import Format
from ximstudio.load.geo.samples import ACCESSION, sample_labels, unused_keys
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source
from ximstudio.load.structured.lines import (
    Lines,
    cells_of,
    ends_too_early,
    filled_lines,
    lines_of,
    piece_of,
    unquoted,
)
from ximstudio.load.structured.rectangle import read_rectangle
from ximstudio.load.structured.rectangle_roles import Rectangle
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem, UserError
from ximstudio.model.words import counted, plural

KEY = "series-matrix"

BEGIN = "!series_matrix_table_begin"
END = "!series_matrix_table_end"
SERIES = "!series_"
SAMPLE = "!sample_"

SUPPLEMENT = "supplementary_file"


@dataclass(frozen=True, kw_only=True)
class Header:
    """The lines before the table: about the series, about the samples, and others.

    `samples` holds one entry per line: key without "Sample_", and its cells.
    """

    begin: int
    series: Mapping[str, Sequence[str]]
    samples: Sequence[tuple[str, list[str]]]
    others: Sequence[int]


def recognises(source: Source) -> bool:
    """Return whether the first line is about a series, or about samples of a marked table.

    Lines about samples directly above the names of a table's columns are labels in a plain text.
    """
    keys = map(_key, filled_lines(source))
    first = next(keys, "")
    if first.startswith(SAMPLE):
        return next((key for key in keys if not key.startswith(SAMPLE)), BEGIN).startswith("!")
    return first.startswith(SERIES)


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table of a series matrix; refuse one without values, and say where they may be."""
    lines = lines_of(source, choices, report, part=0.4)
    header = _header(lines)
    last = _last_line(lines, header.begin)
    table_line = next(lines.filled(header.begin + 1, last), None)
    columns = [] if table_line is None else lines.cells(table_line)
    first = next(lines.filled((table_line or last) + 1, last), None)
    if len(columns) < 2 or first is None:
        raise _no_values(lines, header)
    samples, sample_notes = _samples(lines, header, columns[1:])
    rectangle = Rectangle(
        format=KEY,
        header=tuple(columns),
        texts=frozenset({0}),
        names=0,
        reason="The first column of a series matrix names the probes or genes.",
        first=first,
        last=last,
        feature_labels={label: ("", *texts) for label, texts in sample_labels(samples).items()},
        feature_word=ACCESSION,
        notes=(*sample_notes, *_unused(lines, header, samples, last)),
    )
    return read_rectangle(lines, rectangle, choices, piece_of(report, 0.4, 1.0))


def _key(line: str) -> str:
    """Return the first cell of a line in lower case, up to the longest known key."""
    return unquoted(line[:1000].split("\t", 1)[0]).strip().lower()


def _header(lines: Lines) -> Header:
    series: dict[str, list[str]] = {}
    samples: list[tuple[str, list[str]]] = []
    others: list[int] = []
    for number in lines.filled(1):
        line = lines.text(number)
        key = _key(line)
        if key == BEGIN:
            return Header(begin=number, series=series, samples=samples, others=others)
        if key.startswith(SERIES):
            series.setdefault(key.removeprefix(SERIES), []).extend(cells_of(line)[1:])
        elif key.startswith(SAMPLE):
            cells = [unquoted(cell) for cell in line.split("\t")]
            samples.append((key.removeprefix(SAMPLE), cells[1:]))
        else:
            others.append(number)
    if not series and not samples:
        raise UserError(
            key="load.not_series_matrix",
            what="The file has no lines about a series or its samples.",
            where=lines.name,
            way_out="Leave the format open, so that it is found by content.",
        )
    raise ends_too_early(lines.where(max(len(lines), 1)), f"no line '{BEGIN}' is there.")


def _last_line(lines: Lines, begin: int) -> int:
    """Return the line before the one that ends the table."""
    place = lines.data.rfind(END.encode(), lines.begin(begin))
    if place < 0:
        raise ends_too_early(lines.where(len(lines)), f"no line '{END}' is there.")
    return lines.number_at(place) - 1


def _no_values(lines: Lines, header: Header) -> UserError:
    files = [text for text in header.series.get(SUPPLEMENT, []) if text.strip()]
    cells = (cell for key, cells in header.samples if key.startswith(SUPPLEMENT) for cell in cells)
    files += [cell for cell in cells if cell.strip().lower() not in {"", "none"}]
    named = [file.rsplit("/", 1)[-1] for file in dict.fromkeys(files)]
    return UserError(
        key="load.no_values",
        what="The series matrix has no values. That is usual for sequencing: they are in"
        " supplementary files.",
        where=lines.where(header.begin),
        way_out="Fetch the supplementary file of the series and open that"
        + (f": {some_of(named)}." if named else "."),
    )


def _samples(
    lines: Lines, header: Header, names: Sequence[str]
) -> tuple[list[dict[str, list[str]]], list[Problem]]:
    """Return the attributes of every column's sample, matched by accession, else by order."""
    described: list[dict[str, list[str]]] = []
    for key, cells in header.samples:
        described += [{} for _ in range(len(cells) - len(described))]
        for sample, cell in zip(described, cells, strict=False):
            if cell.strip():
                sample.setdefault(key, []).append(cell)
    by_name = {"".join(sample.get(ACCESSION, [])).strip(): sample for sample in described}
    wanted = [name.strip() for name in names]
    known = [name for name in wanted if name in by_name]
    if not described or len(known) == len(wanted) == len(described):
        return [by_name.get(name, {}) for name in wanted], []
    if not known and ACCESSION not in dict(header.samples) and len(described) == len(wanted):
        return described, []
    unknown = [repr(name) for name in wanted if name not in by_name]
    more = [repr(name) for name in by_name if name not in wanted]
    what = (
        f"{counted(len(unknown), 'column')} of the table not described, and"
        f" {counted(len(more), 'described sample')} not in the table."
    )
    where = f"{lines.name}: {some_of([*unknown, *more])}"
    disagreement = note("samples_disagree", what, where, "Check that the file is complete.")
    return [by_name.get(name, {}) for name in wanted], [disagreement]


def _unused(
    lines: Lines, header: Header, samples: Sequence[Mapping[str, Sequence[str]]], last: int
) -> Iterator[Problem]:
    series = [f"Series_{key}" for key in header.series]
    keys = [*series, *(f"Sample_{key}" for key in unused_keys(samples))]
    if keys:
        yield note(
            "unused_lines",
            f"{len(keys)} kinds of lines about the series and its samples are not in the table.",
            f"{lines.name}: {some_of(keys)}",
        )
    after = list(lines.filled(last + 2))
    odd = [str(number) for number in (*header.others, *after)]
    if odd:
        yield note(
            "unused_lines",
            f"{counted(len(odd), 'line')} outside the table left out.",
            f"{lines.name}, {plural(len(odd), 'line')} {some_of(odd)}",
        )


FORMAT = Format(
    key=KEY,
    name="GEO series matrix",
    suffixes=(".txt", ".txt.gz"),
    recognises=recognises,
    read=read,
    rows="genes",
    columns="samples",
)
