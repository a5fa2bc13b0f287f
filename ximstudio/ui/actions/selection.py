"""Choosing items: one selection for all views, and the sets that a person keeps of it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt

from ximstudio.model.named_set import NamedSet, free_name, with_free_names
from ximstudio.model.selection import NOTHING, Combine, Selection
from ximstudio.model.words import plural
from ximstudio.session import Session
from ximstudio.ui.desk import Desk
from ximstudio.ui.inspecting import Inspecting


def combine_of(modifiers: Qt.KeyboardModifier) -> Combine:
    """What the keys that are held mean: Shift adds, Ctrl takes away, both keep what is in both."""
    adds = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
    removes = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    if adds and removes:
        return Combine.INTERSECT
    return Combine.ADD if adds else Combine.REMOVE if removes else Combine.REPLACE


class Choosing:
    """What a person can do with the selection. Each is a step that can be taken back."""

    def __init__(self, desk: Desk, inspecting: Inspecting) -> None:
        self._desk = desk
        self._inspecting = inspecting

    @property
    def selection(self) -> Selection:
        """The items that are chosen."""
        return self._session.selection

    @property
    def item_ids(self) -> tuple[str, ...]:
        """All items that could be: those of the shown map, or of the table."""
        matrix = self._session.matrix
        return () if matrix is None else matrix.item_ids

    @property
    def n_here(self) -> int:
        """How many of the chosen items the shown map, or the table, has."""
        return int(self.selection.mask(self.item_ids).sum())

    @property
    def chosen_word(self) -> str:
        """What one of the chosen that are not here is called: they may be of the other side."""
        words, matrix = self._inspecting.words, self._session.matrix
        if matrix is None:
            return words.item
        elsewhere = self.selection.ids.difference(matrix.item_ids)
        across = not elsewhere.isdisjoint(matrix.feature_names)
        return words.feature if across else words.item

    def select(self, chosen: Selection, how: Combine = Combine.REPLACE) -> None:
        """Choose items, or change with them what is chosen."""
        self._choose(self.selection.combined(chosen, how), how)

    def select_all(self) -> None:
        """Choose every item of the shown map."""
        self._choose(Selection.of(self.item_ids))

    def clear(self) -> None:
        """Choose nothing."""
        self._choose(NOTHING)

    def invert(self) -> None:
        """Choose what is not chosen."""
        self._choose(self.selection.inverted(self.item_ids))

    def select_before(self) -> None:
        """Choose what was chosen before; once more leads back."""
        self._choose(self._session.selection_before)

    # Sets

    def save_set(self, name: str, *, note: str = "") -> NamedSet:
        """Keep what is chosen as a set, in the order of the table."""
        chosen = self.selection.ids
        members = [item for item in self.item_ids if item in chosen]
        left = sorted(chosen.difference(members))
        made = NamedSet.of(free_name(name, self._session.sets), (*members, *left), note=note)
        self.add_sets((made,))
        return made

    def add_sets(self, made: tuple[NamedSet, ...]) -> None:
        """Keep sets, each under a name of its own."""
        if not made:
            return
        sets = with_free_names(made, self._session.sets)
        what = f"Add set {sets[0].name}" if len(made) == 1 else f"Add {len(made)} sets"
        self._desk.update(what, sets=(*self._session.sets, *sets))

    def rename_set(self, name: str, new: str) -> None:
        """Call a set by another name; nothing happens if another set has it."""
        session = self._session
        names = {each.name for each in session.sets}
        if name not in names or not new.strip() or new.strip() in names:
            return
        sets = tuple(
            replace(each, name=new.strip()) if each.name == name else each for each in session.sets
        )
        self._desk.update(f"Rename set {name}", sets=sets)

    def remove_set(self, name: str) -> None:
        """Forget a set."""
        self._desk.commit(self._session.without_set(name), f"Remove set {name}")

    def remove_all_sets(self) -> None:
        """Forget all sets."""
        if self._session.sets:
            self._desk.update(f"Remove {len(self._session.sets)} sets", sets=())

    @property
    def _session(self) -> Session:
        return self._desk.session

    def _choose(self, selection: Selection, how: Combine = Combine.REPLACE) -> None:
        session = self._session
        if selection == session.selection:
            return
        done = {Combine.ADD: "Add to", Combine.REMOVE: "Take from"}.get(how, "")
        chosen = f"{len(selection)} {plural(len(selection), self._inspecting.words.item)}"
        what = f"{done} selection" if done else f"Select {chosen}" if selection else "Deselect"
        self._desk.commit(session.with_selection(selection), what)
