"""A file format, added to its registry before anything else is imported."""

from __future__ import annotations

import numpy as np

from ximstudio.load import format as formats
from ximstudio.load.format import Format, FormatEntry
from ximstudio.load.reading import Choices, Reading, Report
from ximstudio.load.source import Source
from ximstudio.model.problem import UserError
from ximstudio.model.table import Axis, Table

MARK = "DUMMY 1"


def _recognises(source: Source) -> bool:
    return not source.is_folder and source.head.startswith(MARK.encode())


def _read(source: Source, choices: Choices, report: Report) -> Reading:  # noqa: ARG001
    first, *rows = source.read(report, part=1.0).decode("utf-8", "replace").splitlines()
    try:
        names = [row.split()[0] for row in rows]
        values = np.array([[float(cell) for cell in row.split()[1:]] for row in rows])
        features = tuple(f"sample {number + 1}" for number in range(values.shape[1]))
    except (IndexError, ValueError):
        first = ""
    if first != MARK:
        raise UserError(
            key="load.dummy",
            what="This is no dummy.",
            where=source.name,
            way_out="Leave the format open.",
        )
    table = Table(
        values=values,
        items=Axis(names=tuple(names)),
        features=Axis(names=features),
        source=source.name,
    )
    return Reading(table=table, format=DUMMY.key)


DUMMY = Format(
    key="dummy",
    name="Table of dummies",
    suffixes=(".dummy",),
    recognises=_recognises,
    read=_read,
    rows="genes",
    columns="samples",
    scaled_first=True,
)

ENTRY = FormatEntry(key=DUMMY.key, mark=rb"\ADUMMY", load=lambda: DUMMY)

# Delimited text stays the last.
formats.FORMATS = (*formats.FORMATS[:-1], ENTRY, formats.FORMATS[-1])
