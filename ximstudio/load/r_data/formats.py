"""Tables in .rds, .rda and .RData files, parsed by the package rdata (pure Python, MIT)."""

from __future__ import annotations

import re
import warnings
from typing import Any

from ximstudio.load.account import CHOSEN, no_such
from ximstudio.load.format import Format
from ximstudio.load.r_data.tables import (
    FRAME,
    attributes,
    damaged,
    floats_of,
    kind_of_table,
    no_table,
    pairs,
    table_of,
)
from ximstudio.load.reading import Choices, Guess, Reading, Report
from ximstudio.load.single_cell.genes import reading_of
from ximstudio.load.source import Source, memory_to_give, refuse_too_large
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import SettingsForm, UserError

KEY = "r"
WORKSPACE = re.compile(rb"RD[XAB][23]\n")
VALUE = re.compile(rb"X\n\x00\x00\x00[\x02\x03]|A\n[23]\n")
BYTES_PER_BYTE = 6
"""Memory that a byte of the file may take once it is parsed."""


def recognises(source: Source) -> bool:
    """Return whether a file begins like one of R."""
    return bool(WORKSPACE.match(source.head) or VALUE.match(source.head))


def read(source: Source, choices: Choices, report: Report) -> Reading:
    """Read the table in a file of R: the only one, or the chosen one."""
    raw = source.read(report, part=0.3)
    refuse_too_large(BYTES_PER_BYTE * len(raw), memory_to_give(), source.name)
    values = _values(raw, source.name)
    report(0.8)
    name, guess = _chosen(values, choices, source.name)
    table, guesses, notes = table_of(values[name], choices, source.name)
    report(1.0)
    return reading_of(table, choices, KEY, (guess, *guesses), notes)


def _values(raw: bytes, name: str) -> dict[str, Any]:
    """Return all values in a file by name; the single one of an .rds file is called x."""
    try:
        from rdata import parser
    except ImportError:
        raise UserError(
            key="load.no_rdata",
            what="Files of R need the package rdata, which is not installed.",
            where=name,
            way_out="Install it with: pip install 'ximstudio[r]'; or in R:"
            " write.csv(x, 'table.csv'), and open that.",
        ) from None
    workspace = WORKSPACE.match(raw) is not None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = parser.parse_data(raw, extension=".rda" if workspace else ".rds")
    except Exception as error:
        # It raises nearly everything on damaged files.
        raise damaged(f"{str(error)[:150] or type(error).__name__}", name) from None
    return dict(pairs(parsed.object)) if workspace else {"x": parsed.object}


def _chosen(values: dict[str, Any], choices: Choices, where: str) -> tuple[str, Guess]:
    """Choose the value to read: the table that the user named, or the only one."""
    tables = {name: kind for name, value in values.items() if (kind := kind_of_table(value))}
    chosen = choices.part
    if chosen is not None and chosen not in values:
        raise no_such("part", chosen, values, f"There is no value '{chosen}' in the file.", where)
    if chosen is None and len(tables) > 1:
        largest = max(tables, key=lambda name: _size(values[name], tables[name]))
        raise UserError(
            key="load.several_tables",
            what=f"The file holds {len(tables)} tables, and one can be opened at a time.",
            where=f"{where}: {some_of([f'{name!r} ({kind})' for name, kind in tables.items()])}",
            way_out="Choose one of them, for instance the largest.",
            fields=("part",),
            form=SettingsForm.READING,
            hint={"part": largest},
        )
    if chosen is None:
        chosen = next(iter(tables or values), None)
    if chosen is None:
        raise damaged("there is nothing in it", where)
    if chosen not in tables:
        raise no_table(chosen, values[chosen], where)
    guess = Guess(
        key="part",
        label="Value",
        value=chosen,
        reason=CHOSEN if choices.part else "It is the only table in the file.",
        options={name: f"{name} ({kind})" for name, kind in tables.items()},
    )
    return chosen, guess


def _size(value: Any, kind: str) -> float:
    if kind == FRAME:
        return float(sum(len(column.value) for column in value.value))
    found = attributes(value)
    dim = floats_of(found["Dim"] if "Dim" in found else found["dim"])
    return float(dim[0] * dim[1])


FORMAT = Format(
    key=KEY,
    name="R (.rds, .rda, .RData)",
    suffixes=(".rds", ".rda", ".RData"),
    recognises=recognises,
    read=read,
    isolated=True,
)
