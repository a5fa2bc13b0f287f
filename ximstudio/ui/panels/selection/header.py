"""Header of the selection: count and buttons."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from ximstudio.model.words import counted, grouped
from ximstudio.ui.widgets.boxes import hbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, tool_button
from ximstudio.ui.widgets.look.icons import icon


@dataclass(frozen=True, kw_only=True)
class SelectionCount:
    """Sizes of the selection: on the map, of how many, elsewhere, and of the previous one."""

    here: int
    elsewhere: int
    all: int
    before: int

    @property
    def chosen(self) -> int:
        """Size of the selection, on the map or not."""
        return self.here + self.elsewhere


class SelectionHeader(QWidget):
    """Header with the size of the selection and buttons."""

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
        self.copy = tool_button("copy", tip="Copy names", size=Size.SMALL)
        self.export = tool_button("export", tip="Export as a table…", size=Size.SMALL)
        self.save = tool_button("save", tip="Save as a set…", size=Size.SMALL)
        self.clear = tool_button(
            "deselect", tip="Clear the selection (Ctrl+Shift+A)", size=Size.SMALL
        )
        self.more = tool_button("more", tip="More actions for the selection", size=Size.SMALL)
        self.menu = QMenu(self)
        """Menu of further actions; other parts of the window may add to it."""
        self._all = self.menu.addAction("Select all")
        self._invert = self.menu.addAction("Invert the selection")
        self._before = self.menu.addAction(icon("undo"), "Previous selection")
        self.more.setMenu(self.menu)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        hbox(
            self.count,
            (self.of, 1),
            self.copy,
            self.export,
            self.save,
            self.clear,
            self.more,
            into=self,
            gap=spacing.HAIR,
            margins=(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.HAIR),
        )
        self.copy.clicked.connect(self.copy_wanted)
        self.export.clicked.connect(self.export_wanted)
        self.save.clicked.connect(self.save_wanted)
        self.clear.clicked.connect(self.clear_wanted)
        self._all.triggered.connect(self.all_wanted)
        self._invert.triggered.connect(self.invert_wanted)
        self._before.triggered.connect(self.before_wanted)

    def show_count(self, n: SelectionCount, word: str, *, elsewhere: str = "") -> None:
        """Show the size of the selection.

        `word` is the singular of what is selected; `elsewhere` that of selected names not on the
        map.
        """
        self.count.show_text(counted(n.here, word))
        of_all = f"of {grouped(n.all)}" if n.all else ""
        others = f"{grouped(n.elsewhere)} not on this map" if n.elsewhere else ""
        tip = (
            f"Selected, but not on this map: {counted(n.elsewhere, elsewhere or word)}"
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
