"""The measurements of a table: its values without labels and totals that were read as values."""

from __future__ import annotations

import numpy as np

from ximstudio.doctor.evidence import TableEvidence, once
from ximstudio.doctor.finding import Addresses
from ximstudio.doctor.numeric_labels import label_numbers
from ximstudio.doctor.summaries import summary_numbers
from ximstudio.load.scale import (
    COUNTS,
    FEW,
    GAP,
    HIGHEST_LOG,
    LINEAR,
    LOGGED,
    SMALL_COUNT,
    looks_logged,
    usual_size,
)
from ximstudio.load.scale import FEWEST as FEWEST_VALUES
from ximstudio.model.arrays import Floats, Ints
from ximstudio.model.table import FEATURES, ITEMS, Table
from ximstudio.prepare.step import other

LOOKED_AT = 2000
"""Number of values of a sample for its statistics, spread evenly over the table."""
FEWEST = 200
NEARLY_ALL = 0.9
"""Share of whole numbers from which values are counts, some of them merged or divided."""
FEW_BLANK = 0.1
"""Share of blanks up to which counts add up to about the library size."""
CELLS_LOOKED_AT = 2_000_000
"""Number of values of all samples that are examined; fewer of each, but at least `FEWEST`."""


@once
def measured(evidence: TableEvidence, side: str) -> Ints:
    """Return the items (or features) that hold measurements: no labels, totals or tallies."""
    labels = [number for number, _ in label_numbers(evidence, side)]
    sums = [] if evidence.is_empty else [n for n, _ in summary_numbers(evidence, side)]
    return np.setdiff1d(np.arange(evidence.length(side)), [*labels, *sums])


@once
def measurements(evidence: TableEvidence) -> Table:
    """Return the table with measurements only."""
    table = evidence.table
    for side in (ITEMS, FEATURES):
        kept = measured(evidence, side)
        if len(kept) < evidence.length(side):
            table = table.take(side, kept)
    return table


@once
def some_values(evidence: TableEvidence) -> Floats:
    """Return measurements of all features, of enough items; of a sparse table the stored ones."""
    items, features = measured(evidence, ITEMS), measured(evidence, FEATURES)
    step = -(-len(items) * len(features) // CELLS_LOOKED_AT) or 1
    return evidence.table.take(ITEMS, items[::step]).take(FEATURES, features).stored


@once
def scale(evidence: TableEvidence) -> tuple[str, str]:
    """Return the kind of the measurements (see `load.scale`), and the reason.

    Counts stay counts where repeated genes were merged by their mean, reads were divided, or a few
    cells are blank.
    """
    values = some_values(evidence)
    kind, why = looks_logged(values)
    n_cells = values.size
    values = values[np.isfinite(values)]
    few_blank = n_cells - values.size <= FEW_BLANK * n_cells
    if kind != LINEAR or not few_blank or values.min(initial=0.0) < 0:
        return kind, why
    whole = float((values == np.rint(values)).mean())
    smallest = float(values[values > 0].min(initial=np.inf))
    if whole < NEARLY_ALL or smallest > SMALL_COUNT:
        return kind, why
    return COUNTS, f"{whole:.0%} of the values are whole, none below 0 and few missing: counts."


@once
def lone_cells(evidence: TableEvidence) -> Addresses:
    """Return cells far beyond all others, which are logarithms; none if they are many."""
    limit = _highest(evidence)
    tally = evidence.tally[ITEMS]
    # All cells are examined only if there is such a value.
    if not (np.fmax(tally.high, -tally.low) > limit).any():
        return Addresses()
    found = evidence.cells(lambda cells: np.asarray(np.isfinite(cells) & (np.abs(cells) > limit)))
    among = np.isin(found.items, measured(evidence, ITEMS))
    among &= np.isin(found.features, measured(evidence, FEATURES))
    items, features = found.items[among], found.features[among]
    n_items, n_features = evidence.length(ITEMS), evidence.length(FEATURES)
    few = len(items) <= max(1, FEW * n_items * n_features)
    # A sample that is beyond as a whole is in other units, which another check reports.
    scattered = (np.bincount(items) <= n_features / 2).all() and (
        np.bincount(features) <= n_items / 2
    ).all()
    return Addresses(items=items, features=features) if few and scattered else Addresses()


def _highest(evidence: TableEvidence) -> float:
    """Return the size beyond which no value is a logarithm like others; infinite if none are."""
    values = some_values(evidence)
    if scale(evidence)[0] != LOGGED or len(values) < FEWEST_VALUES:
        return np.inf
    return max(HIGHEST_LOG, GAP * usual_size(values))


@once
def profiles(evidence: TableEvidence) -> Floats | None:
    """Return every sample's measurements, or some thousand of them; None if sparse.

    Infinite and lone values are blank. Samples that are labels are included, so that numbering is
    unchanged.
    """
    values = evidence.table.values
    if not isinstance(values, np.ndarray):
        return None
    side = evidence.sample_side
    by_sample = values if side == ITEMS else values.T
    genes = measured(evidence, other(side))
    most = max(FEWEST, min(LOOKED_AT, CELLS_LOOKED_AT // max(len(by_sample), 1)))
    step = -(-len(genes) // most) or 1
    found = np.array(by_sample[:, genes[::step]], order="C")
    found[np.isinf(found)] = np.nan
    if len(lone_cells(evidence)):
        found[np.abs(found) > _highest(evidence)] = np.nan
    return found
