"""What is to be seen, and of which feature or label: two drop-downs, the second searchable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QSizePolicy,
    QWidget,
)

from ximstudio.ui.widgets.explained import explained, fill
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box

NARROW, WIDE = 64, 260
"""Pixels of a drop-down: the arrow and some letters at the least."""
MOST_SEEN = 14


@dataclass(frozen=True, kw_only=True)
class ChooserEntry:
    """Something to be seen.

    Parameters
    ----------
    key, name, about
        For programs, for people, and a sentence as the tool tip.
    options
        Names of which one has to be chosen; none where there is nothing to choose.
    first
        The option that holds until a person chooses; the first of them if it is left out.
    """

    key: str
    name: str
    about: str = ""
    options: tuple[str, ...] = ()
    first: str = ""


class Chooser(QWidget):
    """A drop-down of choices, and one of their options that finds names as they are typed.

    It knows what the user chose (`wanted`) and shows what is drawn (`key`, `option`): the same
    where the map has it. A map that lacks it is drawn in another way, and the next one that has it
    shows it again.
    """

    chosen = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self._choices: tuple[ChooserEntry, ...] = ()
        self._wanted = ""
        """Key of what the user chose, or of what was restored; '' for whatever suits the map."""
        self._remembered: dict[str, str] = {}
        """By key of a choice: the option that the user chose for it."""
        self.what = combo_box()
        explained(self.what)
        self.what.setAccessibleName(name)
        self.what.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.what.setMinimumWidth(NARROW)
        self._names = QStringListModel(self)
        self._listed: tuple[str, ...] = ()
        self.which = searchable(self._names)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(spacing.SMALL)
        row.addWidget(self.what)
        row.addWidget(self.which, 1)
        row.addStretch()
        self.what.activated.connect(self._choose)
        self.which.activated.connect(self._choose_option)
        self._show_options("")

    @property
    def choices(self) -> tuple[ChooserEntry, ...]:
        """All that is offered."""
        return self._choices

    @property
    def wanted(self) -> tuple[str, str]:
        """What the user chose, and its option, whether or not this map has it; '' for nothing."""
        return self._wanted, self._remembered.get(self._wanted, "")

    def keep_free(self, pixels: int) -> None:
        """Leave so much room on the right to others."""
        layout = self.layout()
        assert layout is not None
        if layout.contentsMargins().right() != pixels:
            layout.setContentsMargins(0, 0, pixels, 0)

    @property
    def key(self) -> str:
        """The choice that is seen in the drop-down; what was restored until something is."""
        shown = self._shown
        return self._wanted if shown is None else shown.key

    @property
    def option(self) -> str:
        """The option that is seen; empty where the choice has none."""
        shown = self._shown
        if shown is None:
            return self._remembered.get(self._wanted, "")
        return self.which.currentText() if shown.options else ""

    def show_choices(self, choices: Sequence[ChooserEntry], key: str, option: str = "") -> None:
        """Offer these, and show what is wanted if it is among them, else `key` and `option`.

        These are what the picture shows. It comes later than what the user chooses, so it does not
        decide what is wanted. No signal.
        """
        offered = tuple(choices)
        own, own_option = self.wanted
        mine = next((choice for choice in offered if choice.key == own), None)
        if mine is not None and (not own_option or own_option in mine.options):
            # Of a choice without an option of its own the picture knows which is drawn.
            option = own_option or (option if key == own else "")
            key = own
        if offered != self._choices:
            self._choices = offered
            with QSignalBlocker(self.what):
                fill(self.what, ((choice.name, choice.about) for choice in offered))
        with QSignalBlocker(self.what):
            keys = [choice.key for choice in offered]
            self.what.setCurrentIndex(keys.index(key) if keys else -1)
        self._show_options(option)

    def choose(self, key: str, option: str = "") -> None:
        """Choose as a person does."""
        if option:
            self._remembered[key] = option
        self.what.setCurrentIndex([choice.key for choice in self._choices].index(key))
        self._choose()

    def restore(self, key: str, option: str = "") -> None:
        """Have chosen what was another time, as soon as it is offered. No signal."""
        self._wanted = key
        if option:
            self._remembered[key] = option
        keys = [choice.key for choice in self._choices]
        if key in keys:
            with QSignalBlocker(self.what):
                self.what.setCurrentIndex(keys.index(key))
            self._show_options(option)

    def _choose(self, _: int = 0) -> None:
        shown = self._shown
        assert shown is not None
        self._wanted = shown.key
        self._show_options(self._remembered.get(shown.key, ""))
        self._remember()
        self.chosen.emit()

    def _choose_option(self, _: int) -> None:
        shown = self._shown
        assert shown is not None
        self._wanted = shown.key
        self._remember()
        self._show_beginning()
        self.chosen.emit()

    def _remember(self) -> None:
        """Want the option that is seen."""
        if self.option:
            self._remembered[self._wanted] = self.option

    @property
    def _shown(self) -> ChooserEntry | None:
        """The choice that is seen in the drop-down."""
        number = self.what.currentIndex()
        return self._choices[number] if 0 <= number < len(self._choices) else None

    def _show_options(self, option: str) -> None:
        """Offer the options of the choice that is seen, and show this one if it is among them."""
        choice = self._shown
        options = () if choice is None else choice.options
        self.what.setToolTip("" if choice is None else choice.about)
        self.which.setVisible(bool(options))
        if choice is None or not options:
            return
        self.which.setAccessibleName(choice.name)
        if option not in options:
            option = choice.first or options[0]
        with QSignalBlocker(self.which):
            if self._listed != options:
                self._listed = options
                self._names.setStringList(list(options))
            self.which.setCurrentIndex(options.index(option))
        self._show_beginning()

    def _show_beginning(self) -> None:
        """Show long names from their beginning, not their end."""
        field = self.which.lineEdit()
        if field is not None:
            field.setCursorPosition(0)


def searchable(names: QStringListModel) -> QComboBox:
    """A drop-down to type in, quick with tens of thousands of names."""
    made = combo_box()
    made.setEditable(True)
    made.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    made.setModel(names)
    made.setMaxVisibleItems(MOST_SEEN)
    # Otherwise Qt measures every name.
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(6)
    made.setMinimumWidth(NARROW)
    made.setMaximumWidth(WIDE)
    made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    made.setAccessibleName("Which one")
    finder = QCompleter(names, made)
    finder.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    finder.setFilterMode(Qt.MatchFlag.MatchContains)
    finder.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    finder.setMaxVisibleItems(MOST_SEEN)
    made.setCompleter(finder)
    line = made.lineEdit()
    assert line is not None
    line.textChanged.connect(lambda: _show_start(line))
    for view in (made.view(), finder.popup()):
        if isinstance(view, QListView):
            view.setUniformItemSizes(True)
            view.setProperty("framed", "true")
    return made


def _show_start(line: QLineEdit) -> None:
    """Show how a name begins where there is no room for all of it, unless it is being typed."""
    if not line.isModified():
        line.setCursorPosition(0)
