"""CLS: classes or measured traits of the samples of a table in another file.

A CLS file has no names of samples: its labels belong to the columns of a GCT file by their order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ximstudio.load.format import Format
from ximstudio.load.reading import Choices, Reading, Report, silent
from ximstudio.load.source import Source
from ximstudio.load.structured.lines import Lines, ends_too_early, first_lines, lines_of
from ximstudio.load.structured.rectangle_roles import free_name, free_names
from ximstudio.model.matrix import Labels
from ximstudio.model.problem import SettingsForm, UserError
from ximstudio.model.table import Table
from ximstudio.model.words import counted, grouped

KEY = "cls"

CLASS = "class"
"""Label name for a categorical file, which gives none."""

COUNTS = re.compile(r"\s*([0-9]{1,9})\s+([0-9]{1,9})\s+[0-9]{1,9}\s*")

NUMERIC = "#numeric"


def recognises(source: Source) -> bool:
    """Return whether a file begins with counts and class names, or with the mark of traits."""
    first, second = (*first_lines(source, 2), "", "")[:2]
    if first.strip().lower() == NUMERIC:
        return second.startswith("#")
    return bool(COUNTS.fullmatch(first)) and second.startswith("#")


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Refuse the file: labels alone are no table."""
    labels = _labels(lines_of(source, choices, report, part=1.0))
    count = len(next(iter(labels.values())))
    raise UserError(
        key="load.only_labels",
        what=f"This file holds no values, only {counted(len(labels), 'label')} for"
        f" {counted(count, 'sample')}: {', '.join(labels)}.",
        where=source.name,
        way_out="Open the GCT file that it belongs to, and join this one.",
        fields=("annotate",),
        form=SettingsForm.COMMAND,
    )


def read_cls(source: Source, report: Report = silent) -> Labels:
    """Read the labels in a CLS file: name of the label → one text per sample, in file order."""
    return _labels(lines_of(source, Choices(), report, part=1.0))


def with_cls(table: Table, labels: Labels, axis: str) -> Table:
    """Return the table with such labels along "items" or "features", matched by order alone."""
    side = table.axis(axis)
    held = dict(side.labels)
    for label, texts in labels.items():
        if len(texts) != len(side):
            raise UserError(
                key="load.sizes_disagree",
                what=f"The label '{label}' is given for {len(texts)} samples, but the table has"
                f" {len(side)} {axis}.",
                where=table.source,
                way_out="Choose the file that belongs to this table, or the other side of it.",
            )
        held[free_name(label, held)] = texts
    return table.with_axis(axis, side.with_labels(held))


def _labels(lines: Lines) -> dict[str, tuple[str, ...]]:
    filled = list(lines.filled(1))
    if not filled:
        raise ends_too_early(lines.where(1), "it is empty.")
    if lines.text(filled[0]).strip().lower() == NUMERIC:
        return _traits(lines, filled[1:])
    return {CLASS: _classes(lines, filled)}


def _classes(lines: Lines, filled: list[int]) -> tuple[str, ...]:
    counts = COUNTS.fullmatch(lines.text(filled[0]))
    if counts is None:
        raise UserError(
            key="load.bad_sizes",
            what="Three whole numbers are expected: samples, classes, and 1.",
            where=f"{lines.where(filled[0])}: {lines.text(filled[0])[:60]!r}",
            way_out="Correct the first line.",
        )
    if len(filled) < 3:
        raise ends_too_early(
            lines.where(len(lines)), "a line of class names and one of samples are expected."
        )
    n_samples, n_classes = int(counts[1]), int(counts[2])
    second = lines.text(filled[1]).strip()
    if not second.startswith("#"):
        raise UserError(
            key="load.not_cls",
            what="The second line is to begin with '#' and name the classes.",
            where=f"{lines.where(filled[1])}: {second[:60]!r}",
            way_out="Correct the second line, for instance: # ALL AML",
        )
    names = _words(second[1:], n_classes)
    _agree(lines, filled[1], "class", len(names), n_classes)
    given = [word for number in filled[2:] for word in _words(lines.text(number), n_samples)]
    _agree(lines, filled[2], "sample", len(given), n_samples)
    meaning = _meaning(lines, filled[2], given, names)
    return tuple(meaning[word] for word in given)


def _words(line: str, expected: int) -> list[str]:
    """Split a line at tabs, or at spaces if that gives as many words as expected."""
    by_tabs = [word.strip() for word in line.split("\t") if word.strip()]
    by_spaces = line.split()
    return by_tabs if len(by_tabs) == expected else by_spaces


def _agree(lines: Lines, number: int, what: str, found: int, declared: int) -> None:
    if found != declared:
        several = "classes" if what == "class" else ""
        raise UserError(
            key="load.sizes_disagree",
            what=f"{counted(declared, what, several)} declared, {grouped(found)} there.",
            where=f"{lines.where(number)}, and the numbers in the first line",
            way_out="Correct the first line, or complete this one.",
        )


def _meaning(lines: Lines, number: int, given: list[str], names: list[str]) -> Mapping[str, str]:
    """Return the class that each word of the third line stands for.

    Programs disagree: words mean the classes in the order in which they first occur (GSEA), or
    numbers count the classes from 0 (GenePattern). Where that makes a difference it is refused.
    """
    used = list(dict.fromkeys(given))
    if set(used) <= set(names):
        return {word: word for word in used}
    if len(used) > len(names):
        raise UserError(
            key="load.sizes_disagree",
            what=f"{len(used)} different classes are given to samples, but {len(names)} are named.",
            where=f"{lines.where(number)}: {used[len(names)]!r}",
            way_out="Use the names of the second line in the third.",
        )
    by_order = dict(zip(used, names, strict=False))
    places = {str(place): name for place, name in enumerate(names)}
    by_number = {word: places[word] for word in used if word in places}
    if len(by_number) == len(used) and by_number != by_order:
        raise UserError(
            key="load.cls_ambiguous",
            what=f"'{used[0]}' could mean the class '{by_order[used[0]]}' or"
            f" '{by_number[used[0]]}': programs read this differently.",
            where=lines.where(number),
            way_out="Write the names of the classes in the third line instead of numbers.",
        )
    return by_order


def _traits(lines: Lines, filled: list[int]) -> dict[str, tuple[str, ...]]:
    """Read measured traits: pairs of a line '#name' and a line of numbers."""
    if not filled:
        raise ends_too_early(lines.where(len(lines)), "it names no trait.")
    called: list[str] = []
    values: list[list[str]] = []
    for number in filled:
        text = lines.text(number).strip()
        if text.startswith("#"):
            called.append(text[1:].strip() or f"line {number}")
            values.append([])
        elif not values:
            raise UserError(
                key="load.not_cls",
                what="A line '#name of the trait' is expected before its numbers.",
                where=f"{lines.where(number)}: {text[:60]!r}",
                way_out="Name the trait in a line of its own that begins with '#'.",
            )
        else:
            values[-1] += text.split()
    first = len(values[0])
    labels = dict(zip(free_names(called), map(tuple, values), strict=True))
    for name, texts in labels.items():
        if not texts or len(texts) != first:
            raise UserError(
                key="load.sizes_disagree",
                what=f"The trait '{name}' has {len(texts)} numbers, and the first trait {first}.",
                where=lines.name,
                way_out="Give one number per sample for every trait.",
            )
    return labels


FORMAT = Format(
    key=KEY, name="CLS (classes of samples)", suffixes=(".cls",), recognises=recognises, read=read
)
