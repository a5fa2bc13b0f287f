"""What is to be seen, and of which feature or label: two drop-downs, the second searchable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QHBoxLayout, QListView, QSizePolicy, QWidget

from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import combo_box
from ximstudio.ui.views.explained import explained, fill

NARROW, WIDE = 90, 260
MOST_SEEN = 14


@dataclass(frozen=True, kw_only=True)
class Choice:
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

    Every choice remembers its option.
    """

    chosen = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self._choices: tuple[Choice, ...] = ()
        self._remembered: dict[str, str] = {}
        self._awaited = ""
        """What was chosen another time and is not offered yet."""
        self.what = combo_box()
        explained(self.what)
        self.what.setAccessibleName(name)
        self.what.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
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
        self._show_options()

    @property
    def key(self) -> str:
        """The key of the choice, or of what was chosen another time, until it is offered."""
        shown = self._shown
        return self._awaited or ("" if shown is None else shown.key)

    @property
    def option(self) -> str:
        """The option of the choice; empty where it has none."""
        return self._remembered.get(self.key, "")

    def show_choices(self, choices: Sequence[Choice], key: str) -> None:
        """Offer these; what was chosen stays, or becomes this if it is not among them. No signal.

        Pictures come later than what a person chooses, so they do not decide what is chosen.
        """
        if tuple(choices) == self._choices:
            return
        chosen = self.key
        self._choices = tuple(choices)
        keys = [choice.key for choice in self._choices]
        if chosen in keys:
            self._awaited = ""
        with QSignalBlocker(self.what):
            fill(self.what, ((choice.name, choice.about) for choice in self._choices))
            self.what.setCurrentIndex(keys.index(chosen if chosen in keys else key))
        self._show_options()

    def choose(self, key: str, option: str = "") -> None:
        """Choose as a person does."""
        if option:
            self._remembered[key] = option
        self.what.setCurrentIndex([choice.key for choice in self._choices].index(key))
        self._choose()

    def restore(self, key: str, option: str = "") -> None:
        """Have chosen what was another time, once it is offered. No signal."""
        if option:
            self._remembered[key] = option
        keys = [choice.key for choice in self._choices]
        self._awaited = "" if key in keys else key
        if key in keys:
            with QSignalBlocker(self.what):
                self.what.setCurrentIndex(keys.index(key))
            self._show_options()

    def _choose(self, _: int = 0) -> None:
        self._awaited = ""
        self._show_options()
        self.chosen.emit()

    def _choose_option(self, _: int) -> None:
        self._awaited = ""
        self._remembered[self.key] = self.which.currentText()
        self._show_beginning()
        self.chosen.emit()

    @property
    def _shown(self) -> Choice | None:
        """The choice that is seen in the drop-down."""
        number = self.what.currentIndex()
        return self._choices[number] if 0 <= number < len(self._choices) else None

    def _show_options(self) -> None:
        choice = self._shown
        options = () if choice is None else choice.options
        self.what.setToolTip("" if choice is None else choice.about)
        self.which.setVisible(bool(options))
        if choice is None or not options:
            return
        self.which.setAccessibleName(choice.name)
        option = self._remembered.get(choice.key, "")
        if option not in options:
            option = self._remembered[choice.key] = choice.first or options[0]
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
    for view in (made.view(), finder.popup()):
        if isinstance(view, QListView):
            view.setUniformItemSizes(True)
            view.setProperty("framed", "true")
    return made
