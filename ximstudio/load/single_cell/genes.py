"""Names of the features of single-cell files, and the choice among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ximstudio.load.account import no_such, note
from ximstudio.load.reading import Choices, Guess, Reading
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem
from ximstudio.model.table import FEATURES, Axis, Table
from ximstudio.model.words import counted, grouped

GENE_ID, GENE_NAME, FEATURE_TYPE = "gene_id", "gene_name", "feature_type"
EXPRESSION = "Gene Expression"
ALL = "all"


@dataclass(frozen=True, kw_only=True)
class Named:
    """Names, the guess about them, and notes about changes."""

    names: tuple[str, ...]
    guesses: tuple[Guess, ...] = ()
    notes: tuple[Problem, ...] = ()


def stripped(names: Sequence[str], where: str) -> Named:
    """Return the names without surrounding white space, and a note if there was any."""
    tidy = tuple(name.strip() for name in names)
    changed = [repr(old) for old, new in zip(names, tidy, strict=True) if old != new]
    if not changed:
        return Named(names=tidy)
    what = f"White space around {counted(len(changed), 'name')} was left out."
    way_out = "Nothing, unless names differ by white space only."
    stripped_note = note("names_stripped", what, f"{where}: {some_of(changed)}", way_out)
    return Named(names=tidy, notes=(stripped_note,))


def numbered(word: str, count: int) -> tuple[str, ...]:
    """Return names for unnamed things: "item 1", "item 2", …"""
    return tuple(f"{word} {number}" for number in range(1, count + 1))


def gene_names(
    ids: Sequence[str], symbols: Sequence[str] | None, choices: Choices, where: str
) -> Named:
    """Return the names of features: symbols if there are any, with the id where they repeat."""
    options = {GENE_ID: "the ids, which are unique"}
    if symbols is not None:
        options = {GENE_NAME: "the symbols, with the id where a symbol repeats"} | options
    chosen = choices.id or next(iter(options))
    if chosen not in options:
        raise no_such("id", chosen, options, f"The features cannot be named by '{chosen}'.", where)
    if chosen == GENE_ID or symbols is None:
        named, reason = stripped(ids, where), "The ids of genes do not repeat."
        if symbols is None:
            reason = "The file gives one name for each feature."
    else:
        plain = stripped(symbols, where)
        named = _with_ids(plain, ids, where)
        changed = sum(old != new for old, new in zip(plain.names, named.names, strict=True))
        reason = (
            f"People know genes by their symbols; {len(ids) - changed} of {len(ids)} occur once."
        )
    guess = Guess(key="id", label="Genes named by", value=chosen, reason=reason, options=options)
    return replace(named, guesses=(guess,))


def _with_ids(named: Named, ids: Sequence[str], where: str) -> Named:
    counts = Counter(named.names)
    names = tuple(
        (name if counts[name] == 1 else f"{name} ({gene.strip()})") if name else gene.strip()
        for name, gene in zip(named.names, ids, strict=True)
    )
    twice = [name for name, count in counts.items() if name and count > 1]
    way_out = f"To name all genes by their ids, use the names in '{GENE_ID}'."
    notes = []
    if twice:
        what = (
            f"{counted(len(twice), 'symbol stands', 'symbols stand')} for several genes:"
            f" {grouped(sum(counts[name] for name in twice))} features have their id added to the"
            " name."
        )
        there = f"{where}: {some_of(twice)}"
        notes.append(note("symbols_repeated", what, there, way_out, fields=("id",)))
    if counts[""]:
        what = f"{counted(counts[''], 'gene has', 'genes have')} no symbol but an id, as name."
        notes.append(note("symbols_blank", what, where, way_out, fields=("id",)))
    return Named(names=names, notes=(*named.notes, *notes))


def of_one_type(
    table: Table, choices: Choices, where: str
) -> tuple[Table, list[Guess], list[Problem]]:
    """Return the table with features of the chosen type; genes by default."""
    types = table.features.labels.get(FEATURE_TYPE)
    if types is None:
        return table, [], []
    counts = Counter(types)
    options = {name: f"{name} ({count} features)" for name, count in counts.items()}
    options[ALL] = f"all {len(types)} features"
    default = EXPRESSION if EXPRESSION in counts else ALL
    chosen = choices.part or default
    if chosen not in options:
        raise no_such("part", chosen, options, f"There are no features of type '{chosen}'.", where)
    if len(counts) == 1 and chosen != ALL:
        reason = "All features are of this type."
    elif default == EXPRESSION:
        reason = f"{counts[EXPRESSION]} of {len(types)} features are genes."
    else:
        reason = "No features are marked as genes."
    guess = Guess(key="part", label="Kinds of genes", value=chosen, reason=reason, options=options)
    if chosen == ALL or len(counts) == 1:
        return table, [guess], []
    taken = np.flatnonzero([kind == chosen for kind in types])
    others = [options[name] for name in counts if name != chosen]
    left_out = note(
        "not_read",
        f"{counted(len(types) - len(taken), 'feature')} of other types not read into the table.",
        f"{where}: {some_of(others)}",
        f"Choose their type as the part to read, or '{ALL}' for all.",
        fields=("part",),
    )
    return table.take(FEATURES, taken), [guess], [left_out]


def reading_of(
    table: Table, choices: Choices, key: str, guesses: Iterable[Guess], notes: Iterable[Problem]
) -> Reading:
    """Return the reading of a table, with the file's features as items if the user chose so."""
    table = table if choices.items == "rows" else table.transposed
    return Reading(table=table, format=key, guesses=tuple(guesses), notes=tuple(notes))


def axis_of(
    named: Named, labels: dict[str, tuple[str, ...]], numbers: Sequence[int] | None = None
) -> Axis:
    """Return the axis of names and labels, with the lines they stand on."""
    if numbers is None:
        return Axis(names=named.names, labels=labels)
    lines = np.asarray(numbers, dtype=np.int64)
    return Axis(names=named.names, labels=labels, numbers=lines, word="line")
