"""Detection of tables that hold distances between items instead of features."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ximstudio.doctor.check import Check, RepairPhase
from ximstudio.doctor.evidence import TableEvidence
from ximstudio.doctor.finding import Finding
from ximstudio.model.dissimilarities import TOLERANCE
from ximstudio.model.problem import Severity

FEWEST = 4
"""Least size: smaller squares may be symmetric by chance."""


def _look(evidence: TableEvidence) -> Iterable[Finding]:
    table = evidence.table
    if table.is_sparse or table.n_items != table.n_features or table.n_items < FEWEST:
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


DISTANCES = Check(
    key="distances",
    name="Distances instead of features",
    about="A square, symmetric table with 0 along its diagonal holds distances between items."
    " A map can be made of them, if the method uses the distance 'precomputed'.",
    phase=RepairPhase.READING,
    look=_look,
)
