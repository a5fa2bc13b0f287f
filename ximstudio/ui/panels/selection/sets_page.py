"""Page of the sets: select them, and create them from lists, files and other sets."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QMenu,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from ximstudio.model.named_set import NamedSet, SetSide
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.selection import combine_of
from ximstudio.ui.dialogs.tool_dialog import close_with_table
from ximstudio.ui.panels.selection.sets_dialogs import CombineDialog, PasteDialog
from ximstudio.ui.panels.selection.sets_list import SetsList
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, button, label, tool_button
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.question import ask

MANY = 10
"""Number of sets from which on a search field is shown."""
GMT = "Gene sets (*.gmt *.gmx *.txt *.gmt.gz)"
SAVED = "Gene sets (*.gmt)"


class SetsPage(QWidget):
    """Buttons that create sets, a search field, and the list."""

    announced = Signal(str)
    """An action that does not change the session, as a text for the user."""
    save_wanted = Signal()
    """The user wants to save the selection as a set."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.keep = button("From selection…", size=Size.SMALL, icon_name="plus")
        self.paste = button("Paste list…", size=Size.SMALL, icon_name="paste")
        self.open = button("Open file…", size=Size.SMALL, icon_name="open")
        self.more = tool_button("more", tip="More actions for sets", size=Size.SMALL)
        self.search = QLineEdit()
        self.list = SetsList()
        self.hint = label(kind="muted")
        self._stack = QStackedWidget()
        self._listed: tuple[object, str, object] = (None, "", None)
        self.menu = QMenu(self)
        self._combine = self.menu.addAction(icon("sets"), "Combine two sets…")
        self._save = self.menu.addAction(icon("export"), "Save all as a GMT file…")
        self.menu.addSeparator()
        self._clear = self.menu.addAction(icon("delete"), "Remove all sets")
        self._lay_out()
        self._connect()
        self.show_session()

    def _lay_out(self) -> None:
        self.keep.setToolTip("Save the selection as a set")
        self.paste.setToolTip("Paste a list of names, to select them or save them as a set")
        self.open.setToolTip("Open gene sets from a GMT or GMX file, or a list of names")
        self.more.setMenu(self.menu)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.search.setProperty("kind", "search")
        self.search.setPlaceholderText("Find a set")
        self.search.setAccessibleName("Find a set")
        self.search.setClearButtonEnabled(True)
        self.hint.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.hint.setContentsMargins(*([spacing.MEDIUM] * 4))
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.hint)
        tools = QGridLayout()
        tools.setContentsMargins(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.SMALL)
        tools.setSpacing(spacing.HAIR)
        tools.addWidget(self.keep, 0, 0)
        tools.addWidget(self.paste, 0, 1)
        tools.addWidget(self.open, 1, 0)
        tools.addWidget(self.more, 1, 1, Qt.AlignmentFlag.AlignRight)
        tools.addWidget(self.search, 2, 0, 1, 2)
        vbox(tools, (self._stack, 1), into=self, gap=0, margins=0)

    def _connect(self) -> None:
        actions = self._actions
        self.keep.clicked.connect(self.save_wanted)
        self.paste.clicked.connect(self.paste_list)
        self.open.clicked.connect(self.choose_file)
        self._combine.triggered.connect(lambda: self.combine(""))
        self._save.triggered.connect(lambda: self.save_sets(actions.session.sets))
        self._clear.triggered.connect(self.remove_all)
        self.search.textChanged.connect(self.show_session)
        self.list.picked.connect(self.pick)
        self.list.renamed.connect(actions.selecting.rename_set)
        self.list.deleted.connect(actions.selecting.remove_set)
        self.list.menu_wanted.connect(self.open_menu)
        actions.store.changed.connect(self.show_session)

    def show_session(self, _: object = None) -> None:
        """List the sets of the session."""
        session, words = self._actions.session, self._actions.inspector.words
        sets = session.sets
        self.search.setVisible(len(sets) > MANY)
        sought = self.search.text() if len(sets) > MANY else ""
        # Updating the list would end editing a name.
        if sets is not self._listed[0] or (sought, words) != self._listed[1:]:
            self._listed = (sets, sought, words)
            self.list.show_sets(sets, words, holding=sought)
        self.keep.setEnabled(bool(session.selection))
        for made in (self.paste, self.open):
            made.setEnabled(session.matrix is not None)
        self._combine.setEnabled(len(sets) > 1)
        for action in (self._save, self._clear):
            action.setEnabled(bool(sets))
        self.hint.setText(
            f"A set stores {words.items} under a name: the selection, a pasted list, or gene "
            "sets from a file. Click a set to select its members; colour the map and the "
            "positions by it."
        )
        self._stack.setCurrentIndex(0 if sets else 1)

    def named(self, name: str) -> NamedSet | None:
        """Return the set with this name, if there is one."""
        return next((one for one in self._actions.session.sets if one.name == name), None)

    def pick(self, name: str, modifiers: Qt.KeyboardModifier) -> None:
        """Select the members of a set, or combine them with the selection."""
        one = self.named(name)
        if one is None:
            return
        if one.side is SetSide.FEATURES:
            words = self._actions.inspector.words
            self.announced.emit(
                f"{name} has {words.features}: colour Positions by the mean of the set"
            )
            return
        self._actions.selecting.select(one.selection, combine_of(modifiers))

    def open_menu(self, name: str, place: QPointF) -> QMenu | None:
        """Open the menu of a set."""
        one = self.named(name)
        if one is None:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        keys = Qt.KeyboardModifier
        for text, held in (
            ("Select", keys.NoModifier),
            ("Add to the selection", keys.ShiftModifier),
            ("Remove from the selection", keys.ControlModifier),
            ("Intersect with the selection", keys.ControlModifier | keys.ShiftModifier),
        ):
            action = menu.addAction(text)
            action.setEnabled(one.side is SetSide.ITEMS)
            action.triggered.connect(lambda _, held=held: self.pick(name, held))
        menu.addSeparator()
        combine = menu.addAction(icon("sets"), "Combine with another set…")
        combine.setEnabled(len(self._actions.session.sets) > 1)
        combine.triggered.connect(lambda: self.combine(name))
        menu.addAction(icon("rename"), "Rename").triggered.connect(lambda: self.list.rename(name))
        save = menu.addAction(icon("export"), "Save as a GMT file…")
        save.triggered.connect(lambda: self.save_sets((one,)))
        menu.addSeparator()
        remove = menu.addAction(icon("delete"), "Remove")
        remove.triggered.connect(lambda: self._actions.selecting.remove_set(name))
        menu.popup(place.toPoint())
        return menu

    def paste_list(self) -> PasteDialog:
        """Open the dialog for a list of names."""
        dialog = PasteDialog(self._actions, self.window())
        close_with_table(dialog, self._actions)
        dialog.open()
        return dialog

    def combine(self, name: str = "") -> CombineDialog:
        """Open the dialog that combines sets, starting with this one."""
        dialog = CombineDialog(self._actions, self.window(), first=name)
        close_with_table(dialog, self._actions)
        dialog.open()
        return dialog

    def remove_all(self) -> None:
        """Remove all sets after a question, although it can be undone."""
        n_sets = len(self._actions.session.sets)
        ask(
            self.window(),
            title=f"Remove all {n_sets} sets?",
            text="You can undo this.",
            yes="Remove all",
            then=self._actions.selecting.remove_all_sets,
        )

    def choose_file(self) -> None:
        """Ask for a file with sets and open it."""
        dialog = QFileDialog(self.window(), "Open gene sets")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([GMT, "All files (*)"])
        dialog.fileSelected.connect(lambda name: self._actions.sets.open_file(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save_sets(self, sets: tuple[NamedSet, ...]) -> None:
        """Ask for a file and write sets into it."""
        dialog = QFileDialog(self.window(), "Save gene sets")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([SAVED])
        dialog.setDefaultSuffix("gmt")
        dialog.fileSelected.connect(lambda name: self._actions.sets.save_file(Path(name), sets))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
