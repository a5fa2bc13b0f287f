"""Joined files, with the number of matched names and a button that removes each."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.load.sides import decided
from ximstudio.model.table import ITEMS
from ximstudio.session import Data
from ximstudio.session.words import found_text
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, label, tool_button
from ximstudio.ui.widgets.message_card import clear, prose


class JoinedFiles(QWidget):
    """List with one entry per joined file."""

    removed = Signal(int)
    """Number of the file to remove."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._column = vbox(into=self, gap=spacing.SMALL, margins=0)

    def show_data(self, data: Data) -> None:
        """Show the files joined to a table."""
        clear(self._column)
        self.texts = []
        joined = list(zip(data.input.joinings, data.labelled.joined, strict=True))
        self.setVisible(bool(joined))
        if not joined:
            return
        self._column.addWidget(label("JOINED TABLES", kind="section"))
        table = data.labelled.table
        sided = decided(table)
        words = (sided.items.kind, sided.features.kind)
        for number, (joining, each) in enumerate(joined):
            word = words[0] if each.axis == ITEMS else words[1]
            text = found_text(each, word, len(table.axis(each.axis)))
            self.texts.append(text)
            self._column.addWidget(self._entry(number, Path(joining.name).name, text))

    def _entry(self, number: int, name: str, text: str) -> QWidget:
        entry = QWidget()
        words = vbox(prose(name, breaking=True), prose(text, kind="caption"), gap=0)
        remove = tool_button("close", tip=f"Remove {name}", size=Size.SMALL)
        remove.clicked.connect(lambda: self.removed.emit(number))
        hbox((words, 1), remove, into=entry, gap=spacing.SMALL, margins=0)
        return entry
