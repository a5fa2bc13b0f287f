"""Report the chosen quantity, shortened names and decoys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ximstudio.load.account import CHOSEN, NOTHING_TO_DO, note
from ximstudio.load.headers import key_of, rank
from ximstudio.load.proteomics.names import decoys_among, first_ids
from ximstudio.load.proteomics.picking import Picked
from ximstudio.load.proteomics.quantities import NEVER, PROTEIN_IDS
from ximstudio.load.reading import Choices, Guess, Reading
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem
from ximstudio.model.table import FEATURES, ITEMS, Table
from ximstudio.model.words import counted, grouped, plural

FILE = "file"
"""Label of samples whose names were those of files."""


@dataclass(frozen=True, kw_only=True)
class ProteinTable:
    """A table of proteins under short names, without decoys if so chosen."""

    table: Table
    guesses: tuple[Guess, ...]
    notes: tuple[Problem, ...]


def finished(
    table: Table, picked: Picked, id_name: str, headers: Sequence[str], choices: Choices
) -> ProteinTable:
    """Return the table as it is shown; `id_name` is the column that named its rows."""
    guesses, notes = tuple(_quantity(picked)), tuple(_columns(picked, headers, table.source))
    if picked.files:
        files = tuple(picked.files[column] for column in picked.names)
        labels = {**table.features.labels, FILE: files}
        table = table.with_axis(FEATURES, table.features.with_labels(labels))
    if not picked.is_proteins:
        return ProteinTable(table=table, guesses=guesses, notes=notes)
    cleared = _cleared(table, id_name, choices)
    return replace(cleared, guesses=(*guesses, *cleared.guesses), notes=(*notes, *cleared.notes))


def named_and_cleared(reading: Reading, id_name: str, choices: Choices) -> Reading:
    """Return a reading of proteins in rows under short names, without decoys if so chosen."""
    cleared = _cleared(reading.table, id_name, choices)
    table = cleared.table
    return replace(
        reading,
        table=table.transposed if choices.items == "columns" else table,
        guesses=(*reading.guesses, *cleared.guesses),
        notes=(*reading.notes, *cleared.notes),
    )


def _cleared(table: Table, id_name: str, choices: Choices) -> ProteinTable:
    """Return the table named by the first of several ids, and the account of decoys."""
    table, notes = _first_names(table, id_name)
    decoys = decoys_among(table.items)
    count = sum(map(len, decoys.values()))
    if not count:
        return ProteinTable(table=table, guesses=(), notes=tuple(notes))
    where = f"{table.source}: {_reasons(decoys)}"
    if choices.decoys == "remove":
        left_out = np.concatenate(list(decoys.values()))
        table = table.take(ITEMS, np.setdiff1d(np.arange(table.n_items), left_out))
        notes.append(
            note(
                "decoys_removed",
                f"{counted(count, 'decoy or contaminant', 'decoys and contaminants')} left out.",
                where,
                "If you need them, keep decoys and contaminants.",
                fields=("decoys",),
            )
        )
    return ProteinTable(table=table, guesses=(_decoys(decoys, count, choices),), notes=tuple(notes))


def _quantity(picked: Picked) -> Iterator[Guess]:
    families = [family for family in picked.families if family.quantity.rank < NEVER]
    if not families and picked.reason != CHOSEN:
        return
    spec = Choices.specs()["features"]
    value = spec.show(picked.pattern) if picked.pattern else ""
    options = {spec.show((family.quantity.glob,)): family.shown for family in families}
    name = picked.family.quantity.name if picked.family else ""
    taken = f" Samples are named without '{name}'." if name else ""
    reason, shown = picked.reason + taken, name or ", ".join(picked.pattern)
    yield Guess("features", "Quantity", value, reason, shown, options or None, picked.sure)


def _columns(picked: Picked, headers: Sequence[str], where: str) -> Iterator[Problem]:
    if picked.left_out:
        names = [f"'{headers[column]}'" for column in picked.left_out]
        others = [
            f"'{family.quantity.glob}'"
            for family in picked.families
            if family is not picked.family and family.quantity.rank < NEVER
        ]
        yield note(
            "columns_left_out",
            f"{counted(len(names), 'column')} of {_what_else(picked)} left out.",
            f"{where}, {plural(len(names), 'column')} {some_of(names)}",
            f"Choose another quantity: {' or '.join(others)}."
            if others
            else "If they are values, choose them as the quantity.",
            fields=("features",),
        )
    if picked.family is None and not picked.files:
        return
    first, sample = next(iter(picked.names.items()))
    key, what = "names_shortened", "folders and endings of files"
    way_out = f"Nothing needs to be done: the label '{FILE}' has the whole names."
    if picked.family is not None:
        key, what, way_out = "quantity_taken", f"'{picked.family.quantity.name}'", NOTHING_TO_DO
    yield note(
        key,
        f"Samples are named without {what}: '{headers[first]}' is '{sample}'.",
        f"{where}, {counted(len(picked.names), 'column')}",
        way_out,
    )


def _what_else(picked: Picked) -> str:
    if picked.is_proteins:
        return "other quantities, counts and numbers of rows"
    return "other quantities" if picked.family is not None else "numbers"


def _first_names(table: Table, id_name: str) -> tuple[Table, list[Problem]]:
    """Return the table with rows named by the first of several ids; all of them stay as a label."""
    ids = table.items.names
    firsts = first_ids(ids) if rank(key_of(id_name), PROTEIN_IDS) is not None else None
    if firsts is None:
        return table, []
    several = sum(name != whole for name, whole in zip(firsts, ids, strict=True))
    labels = {id_name: ids, **table.items.labels}
    named = replace(table.items, names=firsts, labels=labels)
    shortened = note(
        "first_ids",
        f"{counted(several, 'row of several ids is', 'rows of several ids are')} named by the first"
        " of them.",
        f"{table.source}, column '{id_name}'",
        f"Nothing needs to be done: the label '{id_name}' has all of them.",
    )
    return table.with_axis(ITEMS, named), [shortened] if several else []


def _decoys(decoys: dict[str, np.typing.NDArray[np.int64]], count: int, choices: Choices) -> Guess:
    value, sure = choices.decoys or "keep", choices.decoys is not None
    options = {each: f"{each} all {grouped(count)}" for each in ("keep", "remove")}
    reason, shown = f"{_reasons(decoys)}.", f"{value} them"
    return Guess("decoys", "Decoys, contaminants", value, reason, shown, options, sure)


def _reasons(decoys: dict[str, np.typing.NDArray[np.int64]]) -> str:
    return some_of([f"{grouped(len(rows))} {why}" for why, rows in decoys.items()])
