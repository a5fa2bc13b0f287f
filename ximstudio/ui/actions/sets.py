"""Read, write, paste and combine sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject

from ximstudio.jobs import Task
from ximstudio.model.matrix import some_of
from ximstudio.model.named_set import Algebra, NamedSet, SetSide, free_name
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.words import counted, grouped
from ximstudio.ui.actions.inspector import Inspector
from ximstudio.ui.actions.selection import Selecting
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.session_store import SessionStore

if TYPE_CHECKING:
    from ximstudio.explore.names import MatchedNames

Opened: TypeAlias = "tuple[tuple[NamedSet, ...], Problem]"
"""The sets of a file, and a note on how much of it the table has."""
SIGNS = {Algebra.UNION: "or", Algebra.INTERSECTION: "and", Algebra.DIFFERENCE: "not"}
"""Words between the names of two sets in the name of their combination."""


@dataclass(frozen=True, kw_only=True)
class Pasted:
    """A pasted list of names, matched to one side of the table."""

    side: SetSide
    matched: MatchedNames


class SetActions(QObject):
    """Actions on sets; files and long lists are processed in the background."""

    def __init__(
        self, store: SessionStore, jobs: JobQueue, selecting: Selecting, inspector: Inspector
    ) -> None:
        super().__init__(store)
        self._store = store
        self._jobs = jobs
        self._selecting = selecting
        self._inspector = inspector

    @property
    def sets(self) -> tuple[NamedSet, ...]:
        """All sets."""
        return self._store.session.sets

    def open_file(self, path: Path) -> None:
        """Read sets of a GMT or GMX file, or of a list; genes that the table lacks are left out."""
        matrix, fitting = self._store.session.matrix, self._inspector.fitting
        if matrix is None:
            return

        def work(task: Task[float, Opened]) -> Opened:
            from ximstudio.explore.sets import SetMatcher
            from ximstudio.load.annotation.gene_sets import read_gene_sets
            from ximstudio.load.source import Source

            read = read_gene_sets(
                Source.at(path, path.name), report=lambda part: task.report(0.5 * part)
            )
            fitted = (fitting or SetMatcher(matrix)).all_fitted(read.sets)
            names = {name for one in read.sets for name in one.members}
            missing = {name for one in fitted for name in one.matched.missing}
            missing |= {name for one in fitted for name, _ in one.matched.unclear}
            sets = tuple(one.set for one in fitted if len(one.set))
            if not sets:
                raise _nothing_found(path.name, names)
            return sets, _report(path.name, sets, len(fitted), names, missing)

        def done(found: Opened) -> None:
            sets, report = found
            self._selecting.add_sets(sets)
            self._jobs.refused.emit((report,))

        self._jobs.start(Job(label=f"Reading {path.name}", work=work, done=done))

    def save_file(self, path: Path, sets: Sequence[NamedSet]) -> None:
        """Write sets to a GMT file."""
        chosen = tuple(sets)

        def work(_: Task[float, None]) -> None:
            from ximstudio.export.gmt import write_gmt

            write_gmt(path, chosen)

        self._jobs.start(Job(label=f"Writing {path.name}", work=work))

    def pasted(self, text: str) -> Callable[[Task[float, Pasted]], Pasted] | None:
        """Return the work that matches a list to the table; None without a table."""
        fitting = self._inspector.fitting
        if fitting is None:
            return None

        def work(_: Task[float, Pasted]) -> Pasted:
            tried = {side: fitting.names(side).matched_text(text) for side in SetSide}
            # Ties go to the items, which can be selected.
            best = max(tried, key=lambda side: len(tried[side].found))
            return Pasted(side=best, matched=tried[best])

        return work

    def keep(self, name: str, pasted: Pasted) -> None:
        """Save the matched names of a list as a set."""
        made = NamedSet.of(name, pasted.matched.found, side=pasted.side, note="Pasted list")
        self._selecting.add_sets((made,))

    def combine(self, one: NamedSet, other: NamedSet, how: Algebra, *, name: str = "") -> None:
        """Add the union, intersection or difference of two sets."""
        wanted = name.strip() or combined_name(one, other, how)
        made = one.with_other(other, how, name=free_name(wanted, self.sets))
        self._selecting.add_sets((made,))


def combined_name(one: NamedSet, other: NamedSet, how: Algebra) -> str:
    """Return the default name for a combination of two sets."""
    return f"{one.name} {SIGNS[how]} {other.name}"


def _report(
    name: str, sets: Sequence[NamedSet], n_sets: int, names: set[str], missing: set[str]
) -> Problem:
    """Return a note on how much of a file the table has."""
    kept = f"{grouped(len(sets))} of {counted(n_sets, 'set')}"
    n_found = len(names) - len(missing)
    # A name that is an item in one set and a feature in another is missing in one of them.
    what = f"{kept} were opened; {grouped(n_found)} of {counted(len(names), 'name')}"
    return Problem(
        key="sets.opened",
        what=f"{what} were found.",
        where=f"{name}; not found: {some_of(sorted(missing))}" if missing else name,
        way_out="Click a set to select its members, or colour a view by it.",
        severity=Severity.NOTE,
    )


def _nothing_found(name: str, names: set[str]) -> UserError:
    return UserError(
        key="sets.nothing_found",
        what="No name of the file is in the table.",
        where=f"{name}: {some_of(sorted(names))}",
        way_out="Check that both use the same kind of names, such as gene symbols. An annotation "
        "file joined under Data adds further names.",
    )
