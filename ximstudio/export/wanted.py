"""Options and requirements of tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from ximstudio.model.arrays import Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.result import LinearMap, PrototypeMap
from ximstudio.session import Run, Session


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """The user's options for a table: selected items only, their values, and a column per set.

    `order` are ids of items in the order chosen by the user; all others follow in table order. By
    default the table's order.
    """

    only_selected: bool = False
    order: tuple[str, ...] = ()
    with_values: bool = False
    with_sets: bool = True


ALL = TableOptions()
"""All items, in the order of the table."""


class Need(Enum):
    """Requirement of a table: what is missing without it, and what to do."""

    TABLE = ("There is no table.", "Open a table.")
    RUN = ("There is no map.", "Train a map, or show one of the runs.")
    NODES = ("The map has no nodes.", "Show the map of a method with prototypes.")
    COMPONENTS = ("The map is not a projection.", "Show a map by PCA.")
    HISTORY = ("The method does not train step by step.", "Show another map.")
    CURVES = ("There are no curves of the training.", "Train the map in the window.")
    CLUSTERS = ("The map has no clusters.", "Find clusters first.")
    MEASURES = ("The map has no measures.", "Measure it first.")
    EVIDENCE = ("The details of the measures are missing.", "Measure the map again.")
    SELECTION = ("Nothing is selected.", "Select items of the map.")
    LABELS = ("No label has classes.", "Join a file with labels.")
    SETS = ("There are no sets.", "Save a selection as a set, or open a GMT file.")
    PROJECTED = ("No new items were placed on the map.", "Place new items first.")
    JUDGED = ("No runs were repeated.", "Repeat the compared runs first.")


def is_there(need: Need, session: Session) -> bool:
    """Return whether a session meets a requirement; those of maps refer to the run on display."""
    matrix, run = session.matrix, session.run
    if need is Need.TABLE:
        return matrix is not None
    if need is Need.SELECTION:
        return matrix is not None and bool(session.selection.mask(matrix.item_ids).any())
    if need is Need.LABELS:
        from ximstudio.explore.statistics import class_labels

        return matrix is not None and bool(class_labels(matrix))
    if need is Need.SETS:
        return bool(session.sets)
    if need is Need.JUDGED:
        return session.judged is not None
    return run is not None and _run_has(need, run)


def _run_has(need: Need, run: Run) -> bool:
    result = run.result
    return {
        Need.RUN: True,
        Need.NODES: isinstance(result.model, PrototypeMap) and result.winners is not None,
        Need.COMPONENTS: isinstance(result.model, LinearMap),
        Need.HISTORY: len(result.history.step) > 0,
        Need.CURVES: len(run.curves.steps) > 0,
        Need.CLUSTERS: run.clustering is not None,
        Need.MEASURES: bool(run.measures),
        Need.EVIDENCE: run.evidence is not None,
        Need.PROJECTED: bool(run.projected),
    }[need]


def lacking(needs: Iterable[Need], session: Session) -> Need | None:
    """Return the first requirement that a session does not meet; None if there is none."""
    return next((need for need in needs if not is_there(need, session)), None)


def missing(need: Need, where: str) -> UserError:
    """Error for a missing requirement."""
    what, way_out = need.value
    return UserError(key=f"export.no_{need.name.lower()}", what=what, where=where, way_out=way_out)


def the_matrix(session: Session) -> Matrix:
    """The table of a session; refuse if there is none."""
    if session.matrix is None:
        raise missing(Need.TABLE, "session")
    return session.matrix


def the_run(session: Session) -> Run:
    """The run on display; refuse if there is none."""
    if session.run is None:
        raise missing(Need.RUN, "session")
    return session.run


def rows_of(session: Session, wanted: TableOptions) -> Ints:
    """Numbers of the wanted items, in order; never empty."""
    names = the_matrix(session).item_ids
    rows = np.arange(len(names))
    if wanted.only_selected:
        rows = np.flatnonzero(session.selection.mask(names))
        if not len(rows):
            raise missing(Need.SELECTION, "selection")
    if not wanted.order:
        return rows
    place = {name: number for number, name in enumerate(wanted.order)}
    last = len(place)
    places = [place.get(names[row], last) for row in rows.tolist()]
    return rows[np.argsort(places, kind="stable")]
