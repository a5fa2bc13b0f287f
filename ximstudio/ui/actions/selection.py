"""Select items for all views, and make, read, write and combine sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Qt

from ximstudio.jobs import Task
from ximstudio.model.matrix import some_of
from ximstudio.model.named_set import Algebra, NamedSet, SetSide, free_name, with_free_names
from ximstudio.model.problem import Problem, Severity, UserError
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.model.words import counted, grouped, plural
from ximstudio.session import Session
from ximstudio.ui.actions.inspector import Inspector
from ximstudio.ui.runtime.job_queue import Job, JobQueue
from ximstudio.ui.runtime.session_store import SessionStore

if TYPE_CHECKING:
    from ximstudio.explore.names import MatchedNames


def combine_of(modifiers: Qt.KeyboardModifier) -> Combine:
    """Return the meaning of modifier keys: Shift adds, Ctrl removes, both intersect."""
    adds = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
    removes = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    if adds and removes:
        return Combine.INTERSECT
    return Combine.ADD if adds else Combine.REMOVE if removes else Combine.REPLACE


class Selecting:
    """Actions on the selection and the sets; each is a step that can be undone."""

    def __init__(self, store: SessionStore, inspector: Inspector) -> None:
        self._store = store
        self._inspector = inspector

    @property
    def selection(self) -> Selection:
        """The selected items."""
        return self._session.selection

    @property
    def item_ids(self) -> tuple[str, ...]:
        """All items of the shown map, or of the table."""
        matrix = self._session.matrix
        return () if matrix is None else matrix.item_ids

    @property
    def n_here(self) -> int:
        """The number of selected items that the shown map, or the table, has."""
        return int(self.selection.mask(self.item_ids).sum())

    @property
    def chosen_word(self) -> str:
        """The word for a selected item that is not here: it may be of the other side."""
        words, matrix = self._inspector.words, self._session.matrix
        if matrix is None:
            return words.item
        elsewhere = self.selection.ids.difference(matrix.item_ids)
        across = not elsewhere.isdisjoint(matrix.feature_names)
        return words.feature if across else words.item

    def select(self, chosen: Selection, how: Combine = Combine.REPLACE) -> None:
        """Select items, or combine them with the selection."""
        self._choose(self.selection.combined(chosen, how), how)

    def select_all(self) -> None:
        """Select all items of the shown map."""
        self._choose(Selection.of(self.item_ids))

    def clear(self) -> None:
        """Clear the selection."""
        self._choose(NOTHING)

    def invert(self) -> None:
        """Invert the selection."""
        self._choose(self.selection.inverted(self.item_ids))

    def select_before(self) -> None:
        """Go back to the previous selection; a second call returns."""
        self._choose(self._session.selection_before)

    # Sets

    def save_set(self, name: str, *, note: str = "") -> NamedSet:
        """Save the selection as a set, in the order of the table."""
        chosen = self.selection.ids
        members = [item for item in self.item_ids if item in chosen]
        left = sorted(chosen.difference(members))
        made = NamedSet.of(free_name(name, self._session.sets), (*members, *left), note=note)
        self.add_sets((made,))
        return made

    def add_sets(self, made: tuple[NamedSet, ...]) -> None:
        """Add sets; names that are in use get a number."""
        if not made:
            return
        sets = with_free_names(made, self._session.sets)
        what = f"Add set {sets[0].name}" if len(made) == 1 else f"Add {len(made)} sets"
        self._store.update(what, sets=(*self._session.sets, *sets))

    def rename_set(self, name: str, new: str) -> None:
        """Rename a set, unless another set has the name."""
        session = self._session
        names = {each.name for each in session.sets}
        if name not in names or not new.strip() or new.strip() in names:
            return
        sets = tuple(
            replace(each, name=new.strip()) if each.name == name else each for each in session.sets
        )
        self._store.update(f"Rename set {name}", sets=sets)

    def remove_set(self, name: str) -> None:
        """Remove a set."""
        self._store.commit(self._session.without_set(name), f"Remove set {name}")

    def remove_all_sets(self) -> None:
        """Remove all sets."""
        if self._session.sets:
            self._store.update(f"Remove {len(self._session.sets)} sets", sets=())

    @property
    def _session(self) -> Session:
        return self._store.session

    def _choose(self, selection: Selection, how: Combine = Combine.REPLACE) -> None:
        session = self._session
        if selection == session.selection:
            return
        done = {Combine.ADD: "Add to", Combine.REMOVE: "Remove from"}.get(how, "")
        chosen = f"{len(selection)} {plural(len(selection), self._inspector.words.item)}"
        what = f"{done} selection" if done else f"Select {chosen}" if selection else "Deselect"
        self._store.commit(session.with_selection(selection), what)


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
