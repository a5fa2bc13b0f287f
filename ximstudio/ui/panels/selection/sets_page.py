"""The sets: chosen again by a click, made of lists, files and other sets."""

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
    QVBoxLayout,
    QWidget,
)

from ximstudio.model.named_set import NamedSet, Side
from ximstudio.ui.choosing import combine_of
from ximstudio.ui.dialogs.of_table import close_with_table
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, button, label, tool_button
from ximstudio.ui.look.icons import icon
from ximstudio.ui.question import ask
from ximstudio.ui.selection.combine_dialog import CombineDialog
from ximstudio.ui.selection.paste_dialog import PasteDialog
from ximstudio.ui.selection.sets_list import SetsList
from ximstudio.ui.studio import Studio

MANY = 10
"""From so many sets on they can be searched."""
GMT = "Gene sets (*.gmt *.gmx *.txt *.gmt.gz)"
SAVED = "Gene sets (*.gmt)"


class SetsPage(QWidget):
    """Buttons to make sets, a field to find one, and the list."""

    told = Signal(str)
    """Something was done that changes nothing in the session: what, for people."""
    save_wanted = Signal()
    """A person wants the selection kept as a set."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self.keep = button("From selection…", size=Size.SMALL, icon_name="plus")
        self.paste = button("Paste list…", size=Size.SMALL, icon_name="paste")
        self.open = button("Open file…", size=Size.SMALL, icon_name="open")
        self.more = tool_button("more", tip="More to do with sets", size=Size.SMALL)
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
        self.keep.setToolTip("Keep what is chosen as a set")
        self.paste.setToolTip("Make a set of a list of names, or choose them")
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(tools)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        studio = self._studio
        self.keep.clicked.connect(self.save_wanted)
        self.paste.clicked.connect(self.paste_list)
        self.open.clicked.connect(self.choose_file)
        self._combine.triggered.connect(lambda: self.combine(""))
        self._save.triggered.connect(lambda: self.save_sets(studio.session.sets))
        self._clear.triggered.connect(self.remove_all)
        self.search.textChanged.connect(self.show_session)
        self.list.picked.connect(self.pick)
        self.list.renamed.connect(studio.choosing.rename_set)
        self.list.deleted.connect(studio.choosing.remove_set)
        self.list.menu_wanted.connect(self.open_menu)
        studio.desk.changed.connect(self.show_session)

    def show_session(self, _: object = None) -> None:
        """List the sets of the session."""
        session, words = self._studio.session, self._studio.inspecting.words
        sets = session.sets
        self.search.setVisible(len(sets) > MANY)
        sought = self.search.text() if len(sets) > MANY else ""
        # Listing anew would end what a person is writing.
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
            f"A set keeps {words.items} under a name: what is chosen, a list that you paste,"
            " or the gene sets of a file. Click one to choose its members again; colour the map"
            " and the positions by it."
        )
        self._stack.setCurrentIndex(0 if sets else 1)

    def named(self, name: str) -> NamedSet | None:
        """The set with this name, if it is there."""
        return next((one for one in self._studio.session.sets if one.name == name), None)

    def pick(self, name: str, modifiers: Qt.KeyboardModifier) -> None:
        """Choose the members of a set, or change with them what is chosen."""
        one = self.named(name)
        if one is None:
            return
        if one.side is Side.FEATURES:
            words = self._studio.inspecting.words
            self.told.emit(
                f"{name} has {words.features}: colour the positions by the mean of the set"
            )
            return
        self._studio.choosing.select(one.selection, combine_of(modifiers))

    def open_menu(self, name: str, place: QPointF) -> QMenu | None:
        """All that can be done with one set."""
        one = self.named(name)
        if one is None:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        keys = Qt.KeyboardModifier
        for text, held in (
            ("Select", keys.NoModifier),
            ("Add to the selection", keys.ShiftModifier),
            ("Take from the selection", keys.ControlModifier),
            ("Keep only what is in both", keys.ControlModifier | keys.ShiftModifier),
        ):
            action = menu.addAction(text)
            action.setEnabled(one.side is Side.ITEMS)
            action.triggered.connect(lambda _, held=held: self.pick(name, held))
        menu.addSeparator()
        combine = menu.addAction(icon("sets"), "Combine with another set…")
        combine.setEnabled(len(self._studio.session.sets) > 1)
        combine.triggered.connect(lambda: self.combine(name))
        menu.addAction(icon("rename"), "Rename").triggered.connect(lambda: self.list.rename(name))
        save = menu.addAction(icon("export"), "Save as a GMT file…")
        save.triggered.connect(lambda: self.save_sets((one,)))
        menu.addSeparator()
        remove = menu.addAction(icon("delete"), "Remove")
        remove.triggered.connect(lambda: self._studio.choosing.remove_set(name))
        menu.popup(place.toPoint())
        return menu

    def paste_list(self) -> PasteDialog:
        """Ask for a list of names."""
        dialog = PasteDialog(self._studio, self.window())
        close_with_table(dialog, self._studio)
        dialog.open()
        return dialog

    def combine(self, name: str = "") -> CombineDialog:
        """Ask which sets to combine, beginning with this one."""
        dialog = CombineDialog(self._studio, self.window(), first=name)
        close_with_table(dialog, self._studio)
        dialog.open()
        return dialog

    def remove_all(self) -> None:
        """Forget all sets; that can be taken back, but a question costs less than a fright."""
        n_sets = len(self._studio.session.sets)
        ask(
            self.window(),
            title=f"Remove all {n_sets} sets?",
            text="Undo brings them back.",
            yes="Remove all",
            then=self._studio.choosing.remove_all_sets,
        )

    def choose_file(self) -> None:
        """Ask for a file with sets, then open it."""
        dialog = QFileDialog(self.window(), "Open gene sets")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([GMT, "All files (*)"])
        dialog.fileSelected.connect(lambda name: self._studio.collecting.open_file(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save_sets(self, sets: tuple[NamedSet, ...]) -> None:
        """Ask for a file to write sets into."""
        dialog = QFileDialog(self.window(), "Save gene sets")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([SAVED])
        dialog.setDefaultSuffix("gmt")
        dialog.fileSelected.connect(
            lambda name: self._studio.collecting.save_file(Path(name), sets)
        )
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
