"""Two drop-downs for what to show: the choice, and its feature or label, which can be searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QListView, QSizePolicy, QWidget

from ximstudio.ui.widgets.boxes import Stretch, hbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box
from ximstudio.ui.widgets.look.drop_down import explained, fill

NARROW, WIDE = 64, 260
"""Minimum width of a drop-down in pixels: the arrow and some letters."""
MOST_SEEN = 14


@dataclass(frozen=True, kw_only=True)
class ChooserEntry:
    """One choice.

    Parameters
    ----------
    key, name, about
        For programs, for display, and the tool tip.
    options
        Names to choose one from; empty if there is nothing to choose.
    first
        The default option; the first one if left out.
    """

    key: str
    name: str
    about: str = ""
    options: tuple[str, ...] = ()
    first: str = ""


class Chooser(QWidget):
    """A drop-down of choices, and one of their options with search.

    `wanted` is the user's choice, `key` and `option` what is drawn: the same if the map has it. A
    map that lacks it is drawn in another way, and the next one that has it shows it again.
    """

    chosen = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.choices: tuple[ChooserEntry, ...] = ()
        """All choices offered."""
        self._wanted = ""
        """Key of the user's or a restored choice; '' for whatever suits the map."""
        self._remembered: dict[str, str] = {}
        """The user's option by key of the choice."""
        self.what = combo_box()
        explained(self.what)
        self.what.setAccessibleName(name)
        self.what.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.what.setMinimumWidth(NARROW)
        self._names = QStringListModel(self)
        self._listed: tuple[str, ...] = ()
        self.which = searchable(self._names)
        hbox(self.what, (self.which, 1), Stretch(0), into=self, gap=spacing.SMALL, margins=0)
        self.what.activated.connect(self._choose)
        self.which.activated.connect(self._choose_option)
        self._show_options("")

    @property
    def wanted(self) -> tuple[str, str]:
        """The user's choice and its option, whether or not this map has it; '' for none."""
        return self._wanted, self._remembered.get(self._wanted, "")

    def keep_free(self, pixels: int) -> None:
        """Reserve this many pixels on the right."""
        layout = self.layout()
        assert layout is not None
        if layout.contentsMargins().right() != pixels:
            layout.setContentsMargins(0, 0, pixels, 0)

    @property
    def key(self) -> str:
        """The choice in the drop-down; before there is any, the restored one."""
        shown = self._shown
        return self._wanted if shown is None else shown.key

    @property
    def option(self) -> str:
        """The option in the drop-down; '' if the choice has none."""
        shown = self._shown
        if shown is None:
            return self._remembered.get(self._wanted, "")
        return self.which.currentText() if shown.options else ""

    def show_choices(self, choices: Sequence[ChooserEntry], key: str, option: str = "") -> None:
        """Offer these, and show the wanted one if offered, else `key` and `option`.

        The latter are what the picture shows. As it arrives later than the user's choice, it does
        not change what is wanted. Emits no signal.
        """
        offered = tuple(choices)
        own, own_option = self.wanted
        mine = next((choice for choice in offered if choice.key == own), None)
        if mine is not None and (not own_option or own_option in mine.options):
            # For a choice without a remembered option, the picture knows which one is drawn.
            option = own_option or (option if key == own else "")
            key = own
        if offered != self.choices:
            self.choices = offered
            with QSignalBlocker(self.what):
                fill(self.what, ((choice.name, choice.about) for choice in offered))
        with QSignalBlocker(self.what):
            keys = [choice.key for choice in offered]
            self.what.setCurrentIndex(keys.index(key) if keys else -1)
        self._show_options(option)

    def choose(self, key: str, option: str = "") -> None:
        """Choose like the user."""
        if option:
            self._remembered[key] = option
        self.what.setCurrentIndex([choice.key for choice in self.choices].index(key))
        self._choose()

    def restore(self, key: str, option: str = "") -> None:
        """Restore a choice, shown as soon as it is offered. Emits no signal."""
        self._wanted = key
        if option:
            self._remembered[key] = option
        keys = [choice.key for choice in self.choices]
        if key in keys:
            with QSignalBlocker(self.what):
                self.what.setCurrentIndex(keys.index(key))
            self._show_options(option)

    def _choose(self, _: int = 0) -> None:
        shown = self._shown
        assert shown is not None
        self._wanted = shown.key
        self._show_options(self._remembered.get(shown.key, ""))
        if self.option:
            self._remembered[shown.key] = self.option
        self.chosen.emit()

    def _choose_option(self, _: int) -> None:
        self._remembered[self.key] = self.option
        self._choose()

    @property
    def _shown(self) -> ChooserEntry | None:
        """The choice in the drop-down."""
        number = self.what.currentIndex()
        return self.choices[number] if 0 <= number < len(self.choices) else None

    def _show_options(self, option: str) -> None:
        """Offer the options of the present choice, and show this one if it is among them."""
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
        """Show the beginning of long names, not their end."""
        field = self.which.lineEdit()
        if field is not None:
            field.setCursorPosition(0)


def searchable(names: QStringListModel) -> QComboBox:
    """Build an editable drop-down that is fast with tens of thousands of names."""
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
    """Show the beginning of a name that does not fit, unless it is being typed."""
    if not line.isModified():
        line.setCursorPosition(0)
