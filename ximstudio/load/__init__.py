"""Read files into tables, with an account of how each file was understood."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ximstudio.load.reading import Choices, Guess, Reading, Report, silent
from ximstudio.load.samples import PREFIX, Sample, sample_named, samples
from ximstudio.load.source import Source, noticing_changes
from ximstudio.model.matrix import Matrix


def read(name: str, choices: Choices | None = None, report: Report = silent) -> Reading:
    """Read the table in a file or folder, or of a sample named 'sample:KEY'."""
    choices = Choices() if choices is None else choices
    if not name.startswith(PREFIX):
        return read_source(Source.at(Path(name)), choices, report)
    sample = sample_named(name.removeprefix(PREFIX))
    labels = choices.labels
    if labels is None and choices.items == "rows":
        labels = sample.labels
    choices = choices.replace(id=sample.id if choices.id is None else choices.id, labels=labels)
    return read_source(Source.at(sample.path, name), choices, report)


def read_source(source: Source, choices: Choices, report: Report = silent) -> Reading:
    """Read the table in a source, for instance a pasted text."""
    with noticing_changes(source):
        return _read(source, choices, report)


def _read(source: Source, choices: Choices, report: Report) -> Reading:
    from ximstudio.load.format import format_of
    from ximstudio.load.packing.zipped import unzipped
    from ximstudio.load.sides import with_sides
    from ximstudio.load.text.notation import without_codes

    source, choices, member = unzipped(source, choices)
    found = format_of(source, choices.format)
    if found.isolated:
        from ximstudio.load.isolation import read_isolated

        reading = read_isolated(found.read, source, choices, report=report)
    else:
        reading = found.read(source, choices, report)
    reading = with_sides(
        without_codes(reading, choices), choices, format_of(source, reading.format)
    )
    return reading if member is None else replace(reading, guesses=(member, *reading.guesses))


def load(name: str, choices: Choices | None = None) -> Matrix:
    """Read a matrix that is ready for training; refuse a table that is not."""
    return read(name, choices).table.matrix()


__all__ = [
    "Choices",
    "Guess",
    "Reading",
    "Report",
    "Sample",
    "Source",
    "load",
    "read",
    "read_source",
    "sample_named",
    "samples",
    "silent",
]
