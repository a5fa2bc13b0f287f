"""What of a session goes into a table, and what a table needs to be there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ximstudio.model.arrays import Ints
from ximstudio.model.matrix import Matrix
from ximstudio.model.problem import UserError
from ximstudio.model.result import LinearMap, PrototypeMap
from ximstudio.session import Run, Session


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a person chooses about a table.

    Parameters
    ----------
    only_selected
        Whether only the chosen items are in it.
    order
        Ids of items in the order in which they are to stand, as a person sorted them; all others
        follow as they come in the table. The table's order if left out.
    with_values
        Whether the prepared values stand behind what is known about the items.
    with_sets
        Whether there is a column for each set of items.
    """

    only_selected: bool = False
    order: tuple[str, ...] = ()
    with_values: bool = False
    with_sets: bool = True


ALL = Wanted()
"""All items, in the order of the table."""


class Need(StrEnum):
    """What has to be there before a table can be made."""

    TABLE = "table"
    RUN = "run"
    NODES = "nodes"
    COMPONENTS = "components"
    HISTORY = "history"
    CURVES = "curves"
    CLUSTERS = "clusters"
    MEASURES = "measures"
    EVIDENCE = "evidence"
    SELECTION = "selection"
    LABELS = "labels"
    SETS = "sets"
    NEWCOMERS = "newcomers"
    JUDGED = "judged"


WAYS: dict[Need, tuple[str, str]] = {
    Need.TABLE: ("There is no table.", "Open one."),
    Need.RUN: ("There is no map.", "Train one, or choose one of the runs."),
    Need.NODES: ("The map has no nodes.", "Show the map of a method with prototypes."),
    Need.COMPONENTS: ("The map is no projection.", "Show a map that PCA made."),
    Need.HISTORY: ("The method does not train step by step.", "Show another map."),
    Need.CURVES: ("Nobody watched the map while it trained.", "Train it in the window."),
    Need.CLUSTERS: ("The map has no clusters.", "Find clusters first."),
    Need.MEASURES: ("The map was not measured.", "Measure it first."),
    Need.EVIDENCE: ("What the measures looked at is not at hand.", "Measure the map again."),
    Need.SELECTION: ("Nothing is chosen.", "Choose items that are on the map."),
    Need.LABELS: ("No label puts the items into classes.", "Join a file with labels."),
    Need.SETS: ("There are no sets.", "Save a selection as a set, or open a GMT file."),
    Need.NEWCOMERS: ("No new items were placed on the map.", "Bring some first."),
    Need.JUDGED: ("No runs were repeated.", "Repeat the compared runs first."),
}
"""What is missing, and what to do about it."""


def is_there(need: Need, session: Session) -> bool:
    """Whether a session has what is needed; what maps have is asked of the shown run."""
    matrix, run = session.matrix, session.run
    if need is Need.TABLE:
        return matrix is not None
    if need is Need.SELECTION:
        return matrix is not None and bool(session.selection.mask(matrix.item_ids).any())
    if need is Need.LABELS:
        return matrix is not None and bool(_class_labels(matrix))
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
        Need.NEWCOMERS: bool(run.brought),
    }[need]


def _class_labels(matrix: Matrix) -> tuple[str, ...]:
    from ximstudio.explore.statistics import class_labels

    return class_labels(matrix)


def missing(need: Need, where: str) -> UserError:
    """The refusal of a table that cannot be made."""
    what, way_out = WAYS[need]
    return UserError(key=f"export.no_{need}", what=what, where=where, way_out=way_out)


def the_matrix(session: Session) -> Matrix:
    """The table of a session; refused if it has none."""
    if session.matrix is None:
        raise missing(Need.TABLE, "session")
    return session.matrix


def the_run(session: Session) -> Run:
    """The shown run of a session; refused if it has none."""
    if session.run is None:
        raise missing(Need.RUN, "session")
    return session.run


def rows_of(session: Session, wanted: Wanted) -> Ints:
    """Numbers of the items that are wanted, in the order in which they are; never none."""
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
