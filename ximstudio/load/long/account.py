"""Guesses and notes about a long table: one for every choice, one for every change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.load.account import CHOSEN, note
from ximstudio.load.long.kinds import ZERO
from ximstudio.load.reading import Choices, Guess
from ximstudio.load.text import account
from ximstudio.load.text.understood import Understood
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Problem
from ximstudio.model.words import counted, grouped, plural

if TYPE_CHECKING:
    from ximstudio.load.long.pivoted import Pivoted
    from ximstudio.load.long.roles import LongRoles

MOST_OPTIONS = 60
REPLACED_GUESSES = frozenset({"missing", "id", "labels"})
"""Keys of guesses that long tables make in their own way."""


def layout_guess(value: str, reason: str, *, sure: bool = True) -> Guess:
    """Return the guess whether rows are rows of the table or single values."""
    shown = {"wide": "all values of a gene or sample", "long": "one value of a gene in a sample"}
    return Guess("layout", "One row holds", value, reason, shown[value], shown, sure)


def guesses_of(found: Understood, made: Pivoted, choices: Choices) -> Iterator[Guess]:
    """Yield all guesses: about the text first, then about the columns."""
    # Labels of a wide table do not apply here.
    bare = replace(found, labels=(), coded=())
    for guess in account.guesses_of(bare, made.table, choices):
        if guess.key not in REPLACED_GUESSES:
            yield guess
    spelt = [text for text, place in found.block.firsts.items() if place[1] == made.roles.value]
    yield from role_guesses(made, choices, spelt)


def role_guesses(made: Pivoted, choices: Choices, spelt: Sequence[str] = ()) -> Iterator[Guess]:
    """Yield the guesses about the columns; `spelt` are texts in the values that mean missing."""
    roles, names = made.roles, made.fields.names
    chosen = choices.layout is not None
    yield layout_guess("long", CHOSEN if chosen else roles.reason, sure=chosen or roles.sure)
    texts = _options(names, [column for column in range(len(names)) if column != roles.value])
    n_genes, n_rows = counted(roles.grid.n_genes, "gene"), counted(roles.grid.n_rows, "row")
    reason = CHOSEN if choices.id else f"It names {n_genes} in {n_rows}."
    gene, sure = names[roles.gene], roles.sure or bool(choices.id)
    yield Guess("id", "Genes in", gene, reason, gene, texts, sure)
    called = [names[column] for column in roles.samples]
    joined = Choices.specs()["sample"].show(tuple(called))
    n_samples = counted(roles.grid.n_samples, "sample")
    together, sure = " and ".join(called), roles.sure and len(called) == 1
    reason = f"It names {n_samples}."
    if len(called) > 1:
        reason = f"They name {n_samples}, none of the columns alone does."
    if choices.sample:
        reason, sure = CHOSEN, True
    yield Guess("sample", "Samples in", joined, reason, together, {joined: together} | texts, sure)
    numbers = _options(names, sorted(made.fields.numeric | {roles.value}))
    reason = "It is the only column of numbers."
    if len(numbers) > 1:
        others = counted(len(numbers) - 1, "other column holds", "other columns hold")
        reason = f"Its name tells it; {others} numbers."
    value, reason = names[roles.value], CHOSEN if choices.value else reason
    yield Guess("value", "Values in", value, reason, value, numbers)
    yield _how("repeats", "Repeated values", made.repeats)
    yield _how("absent", "Absent values", made.absent)
    yield _missing(made, choices, spelt)


def _options(names: Sequence[str], columns: Sequence[int]) -> dict[str, str]:
    return {names[column]: names[column] for column in columns[:MOST_OPTIONS]}


def _how(key: str, label: str, found: tuple[str, str, bool]) -> Guess:
    value, reason, sure = found
    options = Choices.specs()[key].options  # type: ignore[attr-defined]
    return Guess(key, label, value, reason, options[value], options, sure)


def _missing(made: Pivoted, choices: Choices, spelt: Sequence[str]) -> Guess:
    codes = sorted(made.roles.kind.codes) if made.roles.kind and made.n_coded else []
    texts = (*spelt, *(f"{code:g}" for code in codes))
    reason = (
        "These texts stand among the values." if texts else "No value is missing that has a row."
    )
    if choices.missing is not None:
        texts, reason = choices.missing, CHOSEN
    elif made.n_coded:
        number = counted(made.n_coded, "value is", "values are")
        reason = f"{number} 999, as failed reactions are."
    value, shown = Choices.specs()["missing"].show(texts), ", ".join(map(repr, texts))
    sure = choices.missing is not None or not made.n_coded
    return Guess("missing", "Missing values", value, reason, shown or "the empty cell", sure=sure)


def notes_of(made: Pivoted, *, name: str) -> Iterator[Problem]:
    """Yield notes on everything that is not in the table as in the file."""
    roles, fields, table = made.roles, made.fields, made.table
    called = " and ".join(f"'{fields.names[column]}'" for column in roles.samples)
    yield note(
        "pivoted",
        f"{counted(fields.n_rows, 'row')} of one value each became"
        f" {counted(table.n_items, 'gene')} × {counted(table.n_features, 'sample')}.",
        f"{name}, columns '{fields.names[roles.gene]}', {called}, '{fields.names[roles.value]}'",
        "If every row is one gene or sample, read the table as wide.",
        fields=("layout",),
    )
    yield from _repeat_notes(made, name)
    n_cells = table.n_items * table.n_features
    n_absent = n_cells - len(made.pairs.starts)
    if n_absent:
        zero = made.absent[0] == ZERO
        yield note(
            "absent_zero" if zero else "absent_blank",
            f"{grouped(n_absent)} of {grouped(n_cells)} combinations of gene and sample have no row"
            f" and became {'zero' if zero else 'missing'}.",
            name,
            f"If they are {'missing' if zero else 'zero'}, read absent values as"
            f" {'blank' if zero else 'zero'}.",
            fields=("absent",),
        )
    if made.n_unnamed:
        yield note(
            "unnamed_values",
            f"{counted(made.n_unnamed, 'row')} without a gene or a sample left out.",
            f"{name}, columns '{fields.names[roles.gene]}', {called}",
            "Name them in the file, or take the names of genes from another column.",
            fields=("id",),
        )
    if made.n_coded:
        yield note(
            "coded_missing",
            f"{counted(made.n_coded, 'value')} of 999 taken for failed reactions, and so missing.",
            f"{name}, column '{fields.names[roles.value]}'",
            "If they are values, list as missing: NA",
            fields=("missing",),
        )
    if made.left_out:
        left = [f"'{fields.names[column]}'" for column in made.left_out]
        yield note(
            "columns_left_out",
            f"{counted(len(left), 'column')} left out that"
            f" {plural(len(left), 'describes', 'describe')} neither genes nor samples.",
            f"{name}, {plural(len(left), 'column')} {some_of(left)}",
            "If one of them holds the values, choose it.",
            fields=("value",),
        )


def may_be_long_note(doubt: LongRoles, value: str, name: str) -> Problem:
    """Return the note for a table that may be long but was read as wide."""
    return note(
        "may_be_long",
        "Every row may be one value of one gene in one sample; rows were read as they lie.",
        f"{name}, column '{value}': {doubt.reason}",
        "If so, read the table as long.",
        fields=("layout",),
        hint={"layout": "long"},
    )


def _repeat_notes(made: Pivoted, name: str) -> Iterator[Problem]:
    sizes = made.pairs.sizes
    several = sizes[sizes > 1]
    if not len(several):
        return
    how = made.repeats[0]
    often = " to ".join(map(grouped, sorted({int(several.min()), int(several.max())})))
    first = int(np.argmax(sizes > 1))
    gene = made.table.items.names[made.pairs.genes[first]]
    sample = made.table.features.names[made.pairs.samples[first]]
    words = {"first": "the first of them was taken", "max": "the largest of them was taken"}
    yield note(
        "repeats_joined",
        f"{counted(len(several), 'combination')} of gene and sample"
        f" {plural(len(several), 'has', 'have')} {often} values:"
        f" {words.get(how, f'their {how} was taken')}.",
        f"{name}, first '{gene}' in '{sample}'",
        "Choose another summary of repeated values, or name samples by further columns.",
        fields=("repeats", "sample"),
    )
