"""Restore the user's work that a figure shows, in a session that has its maps."""

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
from ximstudio.session.projection import ProjectedFile, project_file

if TYPE_CHECKING:
    from ximstudio.export.figure_found import FigureFound


@dataclass(frozen=True, kw_only=True, eq=False)
class Arrivals:
    """Projected items that a figure shows: placed again, by the number of the map in the figure.

    `absent` are names of files that were not found, or give other items now.
    """

    projected: tuple[tuple[int, ProjectedFile], ...] = ()
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
    """Project the items that were placed on a figure's maps later, from files that are found.

    `runs` are its maps by their numbers. Files are searched beside the figure, beside the tables of
    the maps, and among `known` ones.
    """
    known = tuple(known)
    projected: list[tuple[int, ProjectedFile]] = []
    absent: list[str] = []
    for number, each in enumerate(work.placed):
        report(number / len(work.placed))
        run = runs.get(each.run)
        if run is None or _among(run.projected, each):
            continue
        tables = (path.parent / named(each.name) for path in run.input.files)
        found = _placed(each, run, files_at_hand(each.name, beside=beside, known=(*known, *tables)))
        if found is None:
            absent.append(each.name)
        else:
            projected.append((each.run, found))
    return Arrivals(projected=tuple(projected), absent=tuple(dict.fromkeys(absent)))


def _placed(wanted: Placed, run: Run, places: Sequence[str]) -> ProjectedFile | None:
    """The items of the file that gives those of the figure; None if no file does."""
    for place in places:
        try:
            found = project_file(run, Path(place))
        except UserError:
            continue
        if _among([found], wanted):
            return found
    return None


def _among(projected: Iterable[ProjectedFile], wanted: Placed) -> bool:
    """Return whether the items of one of these files are those of the figure."""
    return any(each.items.matrix.fingerprint == wanted.fingerprint for each in projected)


def with_work(
    session: Session, found: FigureFound, keys: Mapping[int, str], *, fresh: Container[str]
) -> tuple[Session, Mapping[str, str]]:
    """Return the session with the user's work from the figure, and the names of its sets here.

    Nothing is lost except clusters of maps for which the figure has others. A set with the same
    members is the set of the figure, whatever its name; one with its name but other members keeps
    it, and the figure's set gets another name.

    Parameters
    ----------
    keys
        Keys of the runs that have the maps of the figure, by their numbers in it.
    fresh
        Keys of runs that were trained for the figure: their duration is taken from the figure.
    """
    work, arrivals = found.work, found.arrivals or NO_ARRIVALS
    runs = {run.key: run for run in session.runs}
    for number, key in keys.items():
        run = changed = runs[key]
        for each in work.clusters:
            clusters = each.on(run) if each.run == number else None
            if clusters is not None and not _same(clusters, run.clustering):
                changed = replace(changed, clustering=clusters)
        placed = tuple(one for place, one in arrivals.projected if place == number)
        if placed:
            changed = replace(changed, projected=(*run.projected, *placed))
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
    """Return the session with the sets of a figure, in their colours, and their names in it."""
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
    """Index of a set with the same members, preferably of the same name; None if there is none."""
    members = set(one.members)
    same = [
        place
        for place, each in enumerate(sets)
        if each.side is one.side and set(each.members) == members
    ]
    return min(same, key=lambda place: sets[place].name != one.name, default=None)
