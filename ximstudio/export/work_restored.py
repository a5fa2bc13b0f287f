"""What a figure shows of a person's work → the same in a session that has its maps."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ximstudio.export.figure_work import FigureWork, Placed
from ximstudio.export.places import files_at_hand, named
from ximstudio.load import Report, silent
from ximstudio.maps.clusters import Clustering
from ximstudio.model.named_set import NamedSet, free_name
from ximstudio.model.problem import UserError
from ximstudio.session import Run, Session
from ximstudio.session.projected import ProjectedFile
from ximstudio.session.projection import project_file

if TYPE_CHECKING:
    from ximstudio.export.figure_found import FigureFound


@dataclass(frozen=True, kw_only=True, eq=False)
class Arrivals:
    """Items that a figure shows on its maps besides their own.

    Parameters
    ----------
    brought
        By number of the map in the figure: those that were placed on it again.
    absent
        Names of the files that are not at hand, or give other items by now.
    """

    brought: tuple[tuple[int, ProjectedFile], ...] = ()
    absent: tuple[str, ...] = ()


NO_ARRIVALS = Arrivals()


def placed_again(
    work: FigureWork,
    runs: Mapping[int, Run],
    *,
    beside: Path,
    known: Iterable[Path] = (),
    report: Report = silent,
) -> Arrivals:
    """The items that were placed on the maps of a figure later, from files that are at hand.

    `runs` are its maps by their numbers. Files are looked for beside the figure, beside the tables
    of the maps, and among `known` ones.
    """
    known = tuple(known)
    brought: list[tuple[int, ProjectedFile]] = []
    absent: list[str] = []
    for number, each in enumerate(work.placed):
        report(number / len(work.placed))
        run = runs.get(each.run)
        if run is None or any(_gave(one) == each.fingerprint for one in run.brought):
            continue
        tables = (path.parent / named(each.name) for path in run.input.files)
        found = _placed(each, run, files_at_hand(each.name, beside=beside, known=(*known, *tables)))
        if found is None:
            absent.append(each.name)
        else:
            brought.append((each.run, found))
    return Arrivals(brought=tuple(brought), absent=tuple(dict.fromkeys(absent)))


def _placed(wanted: Placed, run: Run, places: Sequence[str]) -> ProjectedFile | None:
    """The items of the one file that gives those of the figure; None if none does."""
    for place in places:
        try:
            found = project_file(run, Path(place))
        except UserError:
            continue
        if _gave(found) == wanted.fingerprint:
            return found
    return None


def _gave(brought: ProjectedFile) -> str:
    return brought.newcomers.matrix.fingerprint


def with_work(
    session: Session, found: FigureFound, keys: Mapping[int, str], *, fresh: Container[str]
) -> tuple[Session, Mapping[str, str]]:
    """The session with what the figure shows of a person's work, and how its sets are called here.

    Nothing that is there is lost but clusters of the very maps that the figure has others of. A set
    with the same members is the set of the figure, whatever it is called; one that has its name but
    other members keeps it, and the figure's gets another.

    Parameters
    ----------
    keys
        Of the runs that have the maps of the figure, by their numbers in it.
    fresh
        Keys of runs that were trained for the figure: how long that took is what the figure says.
    """
    work, arrivals = found.work, found.arrivals or NO_ARRIVALS
    runs = {run.key: run for run in session.runs}
    for number, key in keys.items():
        run = changed = runs[key]
        for each in work.clusters:
            clusters = each.on(run) if each.run == number else None
            if clusters is not None and not _same(clusters, run.clustering):
                changed = replace(changed, clustering=clusters)
        placed = tuple(one for place, one in arrivals.brought if place == number)
        if placed:
            changed = replace(changed, brought=(*run.brought, *placed))
        if work.seconds and key in fresh:
            changed = replace(changed, seconds=work.seconds[number])
        if changed is not run:
            session = session.with_changed(changed)
    return _with_sets(session, work.sets, found.path.name)


def _same(one: Clustering, other: Clustering | None) -> bool:
    return other is not None and (
        (one.method, one.params, one.seed, one.names)
        == (other.method, other.params, other.seed, other.names)
        and np.array_equal(one.clusters, other.clusters)
    )


def _with_sets(
    session: Session, sets: Iterable[NamedSet], source: str
) -> tuple[Session, Mapping[str, str]]:
    """The session with sets of a figure, in their colours; and their names in it."""
    kept, names = list(session.sets), {}
    for one in sets:
        place = _place_of(one, kept)
        if place is None:
            kept.append(replace(one, name=free_name(one.name, kept), note=f"From {source}"))
            place = len(kept) - 1
        elif (place if kept[place].colour is None else kept[place].colour) != one.colour:
            kept[place] = replace(kept[place], colour=one.colour)
        names[one.name] = kept[place].name
    return (replace(session, sets=tuple(kept)) if names else session), names


def _place_of(one: NamedSet, sets: Sequence[NamedSet]) -> int | None:
    """Where a set with the same members is, the one of the same name first; None if nowhere."""
    members = set(one.members)
    same = [
        place
        for place, each in enumerate(sets)
        if each.side is one.side and set(each.members) == members
    ]
    return min(same, key=lambda place: sets[place].name != one.name, default=None)
