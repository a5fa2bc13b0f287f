"""Follow the first hint of every message until a file opens as the table that it truly holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.contract.troublesome.case import Case
from ximstudio.doctor import examine
from ximstudio.load import Choices, Reading, read
from ximstudio.model.problem import UserError
from ximstudio.model.table import Axis

MOST_HINTS = 3


@dataclass(frozen=True, kw_only=True)
class Followed:
    """How a file opened at last: `wrong` says what is not as it should be, in one line each."""

    choices: Choices
    hints: tuple[Mapping[str, Any], ...]
    wrong: tuple[str, ...]


def follow(path: Path, case: Case) -> Followed:
    """Open a file as a new user would: by default, then as the first hint says, and so on."""
    choices = Choices()
    hints: list[Mapping[str, Any]] = []
    while True:
        try:
            reading = read(str(path), choices)
        except UserError as error:
            wrong: tuple[str, ...] = (f"refused: {error.keys}",)
            hint: Mapping[str, Any] = error.hint
        else:
            wrong = tuple(differences(reading, case))
            hint = _next_hint(reading) if wrong else {}
        followed = choices.replace(**hint)
        if not wrong or followed == choices or len(hints) == MOST_HINTS:
            return Followed(choices=choices, hints=tuple(hints), wrong=wrong)
        hints.append(hint)
        choices = followed


def _next_hint(reading: Reading) -> Mapping[str, Any]:
    """The first hint of the notes, then of the findings, about a table that opened."""
    findings = (finding.problem for finding in examine(reading.table, reading=reading))
    return next((one.hint for one in (*reading.notes, *findings) if one.hint), {})


def differences(reading: Reading, case: Case) -> Iterator[str]:
    """Everything in which a table is not the one that the case describes."""
    table = reading.table
    yield from _side("items", table.items, case.items, case.item_labels)
    yield from _side("features", table.features, case.features, case.feature_labels)
    if case.values is not None and table.values.shape == case.shape:
        truth = np.array(case.values, dtype=float).reshape(case.shape)
        if not np.array_equal(table.dense, truth, equal_nan=True):
            yield f"values: {table.dense.tolist()} rather than {truth.tolist()}"
    told = {note.key for note in reading.notes}
    yield from (f"not told: {key}" for key in case.notes if key not in told)


def _side(
    side: str, axis: Axis, names: tuple[str, ...], labels: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    if axis.names != names:
        yield f"{side}: {axis.names[:5]}… ({len(axis)}) rather than {names[:5]}… ({len(names)})"
    for label, texts in labels.items():
        if axis.labels.get(label) != texts:
            yield f"{side}, label {label!r}: {axis.labels.get(label)} rather than {texts}"
