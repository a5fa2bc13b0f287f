"""Detection of tables that are transposed, too small, scaled, or hold distances."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import GENES, SIDES, TableEvidence, spread
from ximstudio.doctor.finding import Finding, Repair
from ximstudio.doctor.repairs import counted
from ximstudio.load.format import format_named
from ximstudio.model import words
from ximstudio.model.dissimilarities import TOLERANCE
from ximstudio.model.matrix import some_of
from ximstudio.model.problem import Severity
from ximstudio.model.table import FEATURES, ITEMS
from ximstudio.prepare.input import Input
from ximstudio.prepare.planned import planned

FEW = 4
FEWEST_SQUARE = 4
"""Least size: smaller squares may be symmetric by chance."""
PART = "part"
"""The choice, and the guess, of the matrix that is the table."""
OFFERED = 3
"""Number of the other matrices that get a button."""
BARCODE = re.compile(r"(?:[\w-]+[_:.#-])?[ACGTN]{8,}(?:[-_.:]?\w{1,20})?")


def _look_for_exchange(evidence: TableEvidence) -> Iterable[Finding]:
    if evidence.is_empty or not evidence.is_genes(FEATURES) or _is_fixed(evidence):
        return
    items = evidence.axis(ITEMS).names
    looked_at = spread(items)
    # Maps of cells are common: a table of cells by genes is the right way round.
    if sum(bool(BARCODE.fullmatch(name)) for name in looked_at) > 0.5 * len(looked_at):
        return
    share, kind = evidence.genes[FEATURES]
    more_features = evidence.table.n_features > evidence.table.n_items
    table = evidence.table
    yield Finding(
        key=TRANSPOSED.key,
        severity=Severity.WARNING if more_features else Severity.NOTE,
        what=f"The features look like genes ({kind}, {share:.0%} of the names) and the"
        f" {words.counted(table.n_items, 'item')} like samples: the map would show samples, not"
        " genes.",
        where=f"{table.source}: items {some_of([repr(name) for name in items[:3]])};"
        f" features {some_of([repr(name) for name in table.features.names[:3]])}",
        way_out="Exchange items and features for a map of genes; leave it for a map of samples.",
        repairs=(Repair(label="Exchange items and features", steps=(planned("orientation"),)),),
        sure=more_features and evidence.genes[ITEMS][0] < GENES / 2,
    )


def _is_fixed(evidence: TableEvidence) -> bool:
    """Return whether the sides are declared, by the format or the user; names do not count then."""
    from ximstudio.load.format import format_named

    if evidence.table.genes == ITEMS:
        return True
    form = None if evidence.reading is None else format_named(evidence.reading.format)
    return form is not None and form.rows is not None


def _look_for_few(evidence: TableEvidence) -> Iterable[Finding]:
    for side in SIDES:
        numbers = range(evidence.length(side))
        chosen = side == FEATURES and evidence.has_components
        if len(numbers) < FEW and not (numbers and chosen):
            yield Finding(
                key=FEW_ONES.key,
                severity=Severity.NOTE if numbers else Severity.ERROR,
                side=side,
                what=f"The table has {counted(side, numbers)} only.",
                where=evidence.where(side, numbers) if numbers else evidence.table.source,
                way_out="Check that the right part of the file was read, and the right way round.",
                addresses=evidence.along(side, numbers),
            )


def _is_chosen(wanted: Input) -> bool:
    turned = any(each.on and each.step.key == "orientation" for each in wanted.recipe.steps)
    return turned or wanted.choices.items == "columns"


def _look_for_scaled(evidence: TableEvidence) -> Iterable[Finding]:
    guess = evidence.guess(PART)
    reading = evidence.reading
    if guess is None or reading is None or not guess.sure:
        return
    form = format_named(reading.format)
    if form is None or not form.scaled_first:
        return
    others = [key for key in guess.options or () if key != guess.value]
    if not others or not np.any(reading.table.stored < 0):
        return
    yield Finding(
        key=SCALED_MATRIX.key,
        severity=Severity.NOTE,
        what=f"The matrix {guess.value} was read. It holds values below 0, as if centred or"
        f" scaled; the file also holds {some_of(others)}.",
        where=f"{evidence.given.source}: the matrix {guess.value}",
        way_out=f"{guess.value} suits a map of cells. To see expression levels, read {others[0]}.",
        repairs=(
            Repair(label=f"Keep {guess.value}", choices={PART: guess.value}),
            *(Repair(label=f"Read {key}", choices={PART: key}) for key in others[:OFFERED]),
        ),
        sure=False,
    )


def _look_for_distances(evidence: TableEvidence) -> Iterable[Finding]:
    table = evidence.table
    if table.is_sparse or table.n_items != table.n_features or table.n_items < FEWEST_SQUARE:
        return
    values = table.dense
    limit = TOLERANCE * float(np.abs(values).max())
    # Most square tables are not symmetric, which shows in their first row.
    beginning = np.abs(values[0] - values[:, 0])
    if not (np.isfinite(limit) and limit > 0.0 and (beginning <= limit).all()):
        return
    evidence.halt()
    if np.abs(np.diag(values)).max() > limit or values.min() < 0.0:
        return
    if (np.abs(values - values.T) > limit).any():
        return
    yield Finding(
        key=DISTANCES.key,
        severity=Severity.NOTE,
        what=f"The table looks like distances between its {table.n_items} items: it is square and"
        " symmetric, with 0 along the diagonal.",
        where=table.source,
        way_out="If so, choose the distance 'precomputed' for the method (metric=precomputed); else"
        " every column is taken for a feature.",
    )


TRANSPOSED = Check(
    key="transposed",
    name="Items and features exchanged",
    about="The columns are named like genes and the rows like samples: the map would be one of"
    " samples. Cells (named by barcodes) are left as items.",
    phase=RepairPhase.SIDES,
    look=_look_for_exchange,
    of_orientation=True,
    answered=_is_chosen,
)
FEW_ONES = Check(
    key="few",
    name="Very few items or features",
    about="Fewer than four: often the wrong sheet, the wrong delimiter or the wrong way round.",
    phase=RepairPhase.READING,
    look=_look_for_few,
)
SCALED_MATRIX = Check(
    key="scaled_matrix",
    name="Scaled values beside others",
    about="An h5ad file often holds scaled values in X and the expression levels before scaling in"
    " raw or in a layer. X is read unless you choose another matrix.",
    phase=RepairPhase.READING,
    look=_look_for_scaled,
    answered=lambda wanted: wanted.choices.part is not None,
)
DISTANCES = Check(
    key="distances",
    name="Distances instead of features",
    about="A square, symmetric table with 0 along its diagonal holds distances between items."
    " A map can be made of them, if the method uses the distance 'precomputed'.",
    phase=RepairPhase.READING,
    look=_look_for_distances,
)
