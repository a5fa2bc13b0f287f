"""Guesses, notes and refusals that several formats make."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ximstudio.load.reading import Choices, Guess
from ximstudio.load.scale import UNSURE, looks_logged
from ximstudio.model.matrix import some_of
from ximstudio.model.params import closest
from ximstudio.model.problem import Problem, SettingsForm, Severity, UserError
from ximstudio.model.table import Table

CHOSEN = "You chose it."
"""The reason of a guess that the user made."""

_FIELDS = {"label": "labels"}
"""Names of choices that differ from the key of a refusal."""

NOTHING_TO_DO = "Nothing needs to be done."


def note(
    key: str,
    what: str,
    where: str,
    way_out: str = NOTHING_TO_DO,
    *,
    fields: tuple[str, ...] = (),
    form: SettingsForm = SettingsForm.READING,
    hint: Mapping[str, Any] | None = None,
    severity: Severity = Severity.WARNING,
) -> Problem:
    """Return a note about a file that was read; its key begins with "load.".

    `fields` are the settings by which the table is read in another way.
    """
    return Problem(
        key=f"load.{key}",
        what=what,
        where=where,
        way_out=way_out,
        severity=severity,
        fields=fields,
        form=form,
        hint=hint or {},
    )


def no_such(kind: str, name: str, known: Iterable[str], what: str, where: str) -> UserError:
    """Return the refusal of a choice of something that the file does not have.

    Parameters
    ----------
    kind
        The key after "load.no_such_": "part", "id", "label", …
    name, known
        What was chosen, and what there is.
    what, where
        The message and its address.
    """
    return UserError(
        key=f"load.no_such_{kind}",
        what=what,
        where=where,
        way_out=closest(name, known),
        fields=(_FIELDS.get(kind, kind),),
        form=SettingsForm.READING,
    )


def items_guess(
    choices: Choices,
    reason: str,
    *,
    rows: str = "the rows",
    columns: str = "the columns",
    sure: bool = True,
) -> Guess:
    """Return the guess about which side of a table is mapped."""
    options = {"rows": rows, "columns": columns}
    side, sure = choices.items, sure or choices.items == "columns"
    return Guess("items", "What is mapped", side, reason, options[side], options, sure)


def scale_guess(table: Table) -> Guess:
    """Return the guess about the scale of the values."""
    kind, reason = looks_logged(table.stored)
    return Guess("logged", "Scale", kind, reason, sure=kind not in UNSURE)


def spelt_guess(spelt: Mapping[str, int], choices: Choices) -> Iterator[Guess]:
    """Yield the guess about spellings of missing values, if there are any and none were chosen."""
    if spelt and choices.missing is None:
        counts = [f"'{text}' ({count} times)" for text, count in spelt.items()]
        reason = f"Usual spellings of a missing value among the numbers: {some_of(counts)}."
        yield Guess("missing", "Missing values", ",".join(spelt), reason)


def listed(texts: Iterable[str]) -> str:
    """Join texts into one line of CSV, the form of choices with several values."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(list(texts))
    return line.getvalue()
