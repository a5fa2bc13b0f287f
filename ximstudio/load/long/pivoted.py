"""A long table as genes × samples: how values are joined, and which columns become labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ximstudio.load.account import CHOSEN
from ximstudio.load.headers import key_of
from ximstudio.load.long.fields import Coded, Fields, follows
from ximstudio.load.long.kinds import BLANK, COUNTS, FIRST, MEAN, SUM, ZERO
from ximstudio.load.long.pivot import Pairs, labels_along, pivoted
from ximstudio.load.long.roles import LongRoles, grid_of
from ximstudio.load.reading import Choices, Report
from ximstudio.load.text.roles import separated
from ximstudio.model.arrays import Floats
from ximstudio.model.table import Axis, Table


@dataclass(frozen=True, kw_only=True, eq=False)
class Pivoted:
    """Result of pivoting a long table.

    Parameters
    ----------
    table
        Genes × samples.
    roles
        The columns it was made of, and why.
    repeats, absent
        How values were joined and what fills the gaps, each with its reason and whether it is sure.
    pairs
        The values of every gene in every sample.
    n_unnamed
        Rows without a gene or a sample, which are left out.
    n_coded
        Values that are a code for a missing one.
    left_out
        Columns that are neither in the table nor beside it.
    """

    table: Table
    fields: Fields
    roles: LongRoles
    repeats: tuple[str, str, bool]
    absent: tuple[str, str, bool]
    pairs: Pairs
    n_unnamed: int
    n_coded: int
    left_out: tuple[int, ...]


def pivoted_table(
    fields: Fields, roles: LongRoles, choices: Choices, *, name: str, report: Report
) -> Pivoted:
    """Build the table from the columns in these roles."""
    genes, samples = fields.coded(roles.gene), fields.joined(roles.samples)
    roles = replace(roles, grid=grid_of(fields, roles.gene, roles.samples))
    values = fields.numbers(roles.value)
    report(1.0)
    is_code = np.isin(values, list(_codes(roles, choices)))
    n_coded = int(is_code.sum())
    if n_coded:
        values = np.where(is_code, np.nan, values)
    pairs = Pairs.of(genes, samples, values)
    repeats = _repeats(fields, roles, pairs, choices)
    joined = pairs.joined(repeats[0])
    absent = _absent(fields, roles, joined, choices)
    report(1.0)
    beside = _beside(fields, roles, genes, samples, choices)
    table = Table(
        values=pivoted(pairs, joined, (genes.n, samples.n), absent[0], name),
        items=Axis(names=genes.levels, labels=labels_along(fields, genes, beside[0])),
        features=Axis(names=samples.levels, labels=labels_along(fields, samples, beside[1])),
        source=name,
    )
    return Pivoted(
        table=table,
        fields=fields,
        roles=roles,
        repeats=repeats,
        absent=absent,
        pairs=pairs,
        n_unnamed=fields.n_rows - len(pairs.values),
        n_coded=n_coded,
        left_out=beside[2],
    )


def _codes(roles: LongRoles, choices: Choices) -> frozenset[float]:
    if roles.kind is None or choices.missing is not None:
        return frozenset()
    return roles.kind.codes


def _repeats(
    fields: Fields, roles: LongRoles, pairs: Pairs, choices: Choices
) -> tuple[str, str, bool]:
    if choices.repeats is not None:
        return choices.repeats, CHOSEN, True
    if not roles.grid.n_repeats:
        return MEAN, "No gene has several values in one sample.", True
    if pairs.agree:
        return FIRST, "Repeated values are always the same.", True
    if roles.kind is not None and roles.kind.repeats:
        how = MEAN if roles.kind.repeats == FIRST else roles.kind.repeats
        return how, f"As is usual for the {roles.kind.name}.", False
    if COUNTS.fullmatch(key_of(fields.names[roles.value])):
        return SUM, "Counts add up.", False
    return MEAN, "Values differ, and nothing says how to join them.", False


def _absent(
    fields: Fields, roles: LongRoles, values: Floats, choices: Choices
) -> tuple[str, str, bool]:
    if choices.absent is not None:
        return choices.absent, CHOSEN, True
    if roles.grid.share == 1:
        return BLANK, "Every gene has a value in every sample.", True
    counts = bool(COUNTS.fullmatch(key_of(fields.names[roles.value])))
    known = values[~np.isnan(values)]
    if counts and len(known) and bool((known == np.rint(known)).all()) and known.min() > 0:
        return ZERO, "Counts without a single zero: what was not found has no row.", True
    if roles.kind is not None and roles.kind.absent == ZERO:
        return ZERO, f"As is usual for the {roles.kind.name}.", True
    if counts and len(known) and known.min() == 0:
        return BLANK, "Zeros have rows of their own, so what has none was not measured.", False
    return BLANK, "What has no row was not measured, or not found.", True


def _beside(
    fields: Fields, roles: LongRoles, genes: Coded, samples: Coded, choices: Choices
) -> tuple[list[int], list[int], tuple[int, ...]]:
    """Return the columns that label genes, those that label samples, and those left out."""
    used = {roles.gene, roles.value} | ({*roles.samples} if len(roles.samples) == 1 else set())
    wanted = None if choices.labels is None else set(separated(choices.labels, set(fields.names)))
    of_genes, of_samples, left_out = [], [], []
    for column in range(len(fields.names)):
        if column in used:
            continue
        codes = fields.codes(column)
        if codes.max(initial=-1) < 0:
            continue
        several = int(codes.max()) > 0 or bool((codes < 0).any())
        if wanted is not None and fields.names[column] not in wanted:
            left_out.append(column)
        elif several and follows(genes.codes, codes):
            of_genes.append(column)
        elif several and follows(samples.codes, codes):
            of_samples.append(column)
        else:
            left_out.append(column)
    return of_genes, of_samples, tuple(left_out)
