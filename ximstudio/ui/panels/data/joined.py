"""Files whose columns became labels: how many names they found, and a way to take them out."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ximstudio.load.annotation.join import Joined
from ximstudio.load.sides import decided
from ximstudio.model.table import ITEMS
from ximstudio.model.words import counted, grouped
from ximstudio.session import Data
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, label, tool_button
from ximstudio.ui.panels.data_cards import clear, prose


class JoinedFiles(QWidget):
    """One entry per joined file."""

    removed = Signal(int)
    """Number of the file that is to be taken out."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(spacing.SMALL)

    def show_data(self, data: Data) -> None:
        """Show the files that are joined to a table."""
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
        row = QHBoxLayout(entry)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(spacing.SMALL)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(prose(name, breaking=True))
        words.addWidget(prose(text, kind="caption"))
        row.addLayout(words, 1)
        remove = tool_button("close", tip=f"Take {name} out again", size=Size.SMALL)
        remove.clicked.connect(lambda: self.removed.emit(number))
        row.addWidget(remove)
        return entry


def found_text(joined: Joined, word: str, n: int) -> str:
    """How many names were found: "140 of 150 genes found"."""
    found = n - len(joined.not_found) - len(joined.unclear)
    unclear = f", {grouped(len(joined.unclear))} unclear" if joined.unclear else ""
    return f"{grouped(found)} of {counted(n, word)} found{unclear}"
