"""How many are chosen, and what can be done with them at once."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from ximstudio.model.words import counted, grouped
from ximstudio.ui.elided import Elided
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, tool_button
from ximstudio.ui.look.icons import icon


@dataclass(frozen=True, kw_only=True)
class Count:
    """How many are chosen of all that are shown, how many besides, and how many were before."""

    here: int
    elsewhere: int
    all: int
    before: int

    @property
    def chosen(self) -> int:
        """How many are chosen, wherever they are."""
        return self.here + self.elsewhere


class Head(QWidget):
    """A line with the number of what is chosen; the rest is buttons."""

    copy_wanted = Signal()
    export_wanted = Signal()
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
        self.export = tool_button("export", tip="Export as a table…", size=Size.SMALL)
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
        for made in (self.copy, self.export, self.save, self.clear, self.more):
            row.addWidget(made)
        self.copy.clicked.connect(self.copy_wanted)
        self.export.clicked.connect(self.export_wanted)
        self.save.clicked.connect(self.save_wanted)
        self.clear.clicked.connect(self.clear_wanted)
        self._all.triggered.connect(self.all_wanted)
        self._invert.triggered.connect(self.invert_wanted)
        self._before.triggered.connect(self.before_wanted)

    def show_count(self, n: Count, word: str, *, elsewhere: str = "") -> None:
        """Say how many of how many are chosen.

        `word` is what one is called; `elsewhere` one that is not shown, if that is another word.
        """
        self.count.show_text(counted(n.here, word))
        of_all = f"of {grouped(n.all)}" if n.all else ""
        others = f"{grouped(n.elsewhere)} not shown" if n.elsewhere else ""
        tip = (
            f"Chosen and not in what is shown: {counted(n.elsewhere, elsewhere or word)}"
            if others
            else ""
        )
        self.of.show_text(", ".join(filter(None, (of_all, others))), tip=tip)
        for made in (self.copy, self.export):
            made.setEnabled(n.here > 0)
        for made in (self.save, self.clear):
            made.setEnabled(n.chosen > 0)
        self._all.setEnabled(n.here < n.all)
        self._invert.setEnabled(n.all > 0)
        self._before.setEnabled(n.before > 0 or n.chosen > 0)
        self._before.setText(
            f"Previous selection: {counted(n.before, word)}" if n.before else "Previous selection"
        )
