"""Sets: from files and lists of names, to files, and of other sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ximstudio.jobs import Task
from ximstudio.model.matrix import some_of
from ximstudio.model.named_set import Algebra, NamedSet, Side, free_name
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.words import counted, grouped
from ximstudio.ui.choosing import Choosing
from ximstudio.ui.desk import Desk, Job
from ximstudio.ui.inspecting import Inspecting

if TYPE_CHECKING:
    from ximstudio.explore.names import Matched

SIGNS = {Algebra.UNION: "or", Algebra.INTERSECTION: "and", Algebra.DIFFERENCE: "not"}
"""Between the names of two sets, in the name of the third."""


@dataclass(frozen=True, kw_only=True)
class Pasted:
    """What became of a list of names: which side of the table they are of, and what was found."""

    side: Side
    matched: Matched


class Collecting(QObject):
    """What a person can do with sets beyond the selection; what takes time is done in the lane."""

    def __init__(self, desk: Desk, choosing: Choosing, inspecting: Inspecting) -> None:
        super().__init__(desk)
        self._desk = desk
        self._choosing = choosing
        self._inspecting = inspecting

    @property
    def sets(self) -> tuple[NamedSet, ...]:
        """All sets."""
        return self._desk.session.sets

    def open_file(self, path: Path) -> None:
        """Keep the sets of a GMT or GMX file, or of a list, as far as the table has their genes."""
        matrix, fitting = self._desk.session.matrix, self._inspecting.fitting
        if matrix is None:
            return

        def work(task: Task[float, tuple[tuple[NamedSet, ...], Problem]]) -> object:
            from ximstudio.explore.sets import Fitting
            from ximstudio.load.annotation.gene_sets import read_gene_sets
            from ximstudio.load.source import Source

            read = read_gene_sets(
                Source.at(path, path.name), report=lambda part: task.report(0.5 * part)
            )
            fitted = (fitting or Fitting(matrix)).all_fitted(read.sets)
            names = {name for one in read.sets for name in one.members}
            missing = {name for one in fitted for name in one.matched.missing}
            missing |= {name for one in fitted for name, _ in one.matched.unclear}
            sets = tuple(one.set for one in fitted if len(one.set))
            if not sets:
                raise _nothing_found(path.name, names)
            return sets, _report(path.name, sets, len(fitted), names, missing)

        def done(found: tuple[tuple[NamedSet, ...], Problem]) -> None:
            sets, report = found
            self._choosing.add_sets(sets)
            self._desk.refused.emit((report,))

        self._desk.start(Job(doing=f"Reading {path.name}", work=work, done=done))

    def save_file(self, path: Path, sets: Sequence[NamedSet]) -> None:
        """Write sets into a GMT file."""
        chosen = tuple(sets)

        def work(_: Task[float, None]) -> None:
            from ximstudio.export.gmt import write_gmt

            write_gmt(path, chosen)

        self._desk.start(Job(doing=f"Writing {path.name}", work=work))

    def pasted(self, text: str) -> Callable[[], Pasted] | None:
        """What finds out, in the lane, what became of a list; None while there is no table."""
        fitting = self._inspecting.fitting
        if fitting is None:
            return None

        def work() -> Pasted:
            tried = {side: fitting.names(side).matched_text(text) for side in Side}
            # Of equals it is the items: these can be chosen.
            best = max(tried, key=lambda side: len(tried[side].found))
            return Pasted(side=best, matched=tried[best])

        return work

    def keep(self, name: str, pasted: Pasted) -> None:
        """Keep what was found of a list as a set."""
        made = NamedSet.of(name, pasted.matched.found, side=pasted.side, note="Pasted list")
        self._choosing.add_sets((made,))

    def combine(self, one: NamedSet, other: NamedSet, how: Algebra, *, name: str = "") -> None:
        """Make a third set of two."""
        wanted = name.strip() or combined_name(one, other, how)
        made = one.with_other(other, how, name=free_name(wanted, self.sets))
        self._choosing.add_sets((made,))


def combined_name(one: NamedSet, other: NamedSet, how: Algebra) -> str:
    """What the union, intersection or difference of two sets is called unless a person says."""
    return f"{one.name} {SIGNS[how]} {other.name}"


def _report(
    name: str, sets: Sequence[NamedSet], n_sets: int, names: set[str], missing: set[str]
) -> Problem:
    """How much of a file is in the table."""
    kept = f"{grouped(len(sets))} of {counted(n_sets, 'set')}"
    n_found = len(names) - len(missing)
    # A name that one set has as an item and another as a feature is missing in one of them.
    what = f"{kept} of the file are kept: {grouped(n_found)} of {counted(len(names), 'name')}"
    return Problem(
        key="sets.opened",
        what=f"{what} were found.",
        where=f"{name}; not found: {some_of(sorted(missing))}" if missing else name,
        way_out="Click a set to choose its members, or colour a view by it.",
        severity=Severity.NOTE,
    )


def _nothing_found(name: str, names: set[str]) -> UserError:
    return UserError(
        key="sets.nothing_found",
        what="No name of the file is in the table.",
        where=f"{name}: {some_of(sorted(names))}",
        way_out="Look whether both use names of the same kind, such as symbols or systematic"
        " names; an annotation file joined under Data adds others.",
    )
