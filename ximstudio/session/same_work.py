"""Compare two states of a session by the user's work in them."""

from __future__ import annotations

from ximstudio.session.run import Run
from ximstudio.session.session import Session


def same_work(one: Session, other: Session) -> bool:
    """Return whether no work is lost if one state replaces the other.

    Neither the map on display nor measures count: they can be restored.
    """
    return (
        one.data is other.data
        and one.plan == other.plan
        and one.selection == other.selection
        and one.sets == other.sets
        and one.compared == other.compared
        and one.judged is other.judged
        and len(one.runs) == len(other.runs)
        and all(map(_same_run, one.runs, other.runs))
    )


def _same_run(one: Run, other: Run) -> bool:
    return one is other or (
        one.key == other.key
        and one.result is other.result
        and one.name == other.name
        and one.starred == other.starred
        and one.clustering is other.clustering
        and one.steadiness is other.steadiness
        and one.brought == other.brought
    )
