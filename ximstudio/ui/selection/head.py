"""How many are chosen, and what can be done with them at once."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from ximstudio.model.words import grouped, plural
from ximstudio.ui.elided import Elided
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, tool_button
from ximstudio.ui.look.icons import icon


class Head(QWidget):
    """A line with the number of what is chosen; the rest is buttons."""

    copy_wanted = Signal()
    save_wanted = Signal()
    clear_wanted = Signal()
    all_wanted = Signal()
    invert_wanted = Signal()
    before_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.count = Elided(kind="title")
        self.of = Elided(kind="muted")
        self.copy = tool_button("copy", tip="Copy the names", size=Size.SMALL)
        self.save = tool_button("save", tip="Save as a set…", size=Size.SMALL)
        self.clear = tool_button("deselect", tip="Choose nothing (Ctrl+Shift+A)", size=Size.SMALL)
        self.more = tool_button("more", tip="More to do with the selection", size=Size.SMALL)
        self.menu = QMenu(self)
        """What else can be done; parts of the window may add to it."""
        self._all = self.menu.addAction("Select everything")
        self._invert = self.menu.addAction("Invert the selection")
        self._before = self.menu.addAction(icon("undo"), "Previous selection")
        self.more.setMenu(self.menu)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        row = QHBoxLayout(self)
        row.setContentsMargins(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.HAIR)
        row.setSpacing(spacing.HAIR)
        row.addWidget(self.count)
        row.addWidget(self.of, 1)
        for made in (self.copy, self.save, self.clear, self.more):
            row.addWidget(made)
        self.copy.clicked.connect(self.copy_wanted)
        self.save.clicked.connect(self.save_wanted)
        self.clear.clicked.connect(self.clear_wanted)
        self._all.triggered.connect(self.all_wanted)
        self._invert.triggered.connect(self.invert_wanted)
        self._before.triggered.connect(self.before_wanted)

    def show_count(self, n_chosen: int, n_all: int, word: str, *, n_before: int) -> None:
        """Say how many of how many are chosen; `word` is what one is called."""
        self.count.show_text(f"{grouped(n_chosen)} {plural(n_chosen, word)}")
        self.of.show_text(f"of {grouped(n_all)}" if n_all else "")
        for made in (self.copy, self.save, self.clear):
            made.setEnabled(n_chosen > 0)
        self._all.setEnabled(n_chosen < n_all)
        self._invert.setEnabled(n_all > 0)
        self._before.setEnabled(n_before > 0 or n_chosen > 0)
        were = f": {grouped(n_before)} {plural(n_before, word)}" if n_before else ""
        self._before.setText(f"Previous selection{were}")
