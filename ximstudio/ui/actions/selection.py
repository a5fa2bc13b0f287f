"""Select items for all views, and save selections as sets."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from ximstudio.model.named_set import NamedSet, free_name, with_free_names
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.model.words import plural
from ximstudio.session import Session
from ximstudio.ui.actions.inspector import Inspector
from ximstudio.ui.runtime.session_store import SessionStore


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
