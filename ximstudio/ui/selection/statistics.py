"""What the chosen have in common, in numbers."""

from __future__ import annotations

from PySide6.QtWidgets import QTextBrowser

from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.selection.insight import Insight


class Statistics(QTextBrowser):
    """A page of short tables that can be copied."""

    def __init__(self) -> None:
        super().__init__()
        self._insight: Insight | None = None
        self.setOpenLinks(False)
        self.setAccessibleName("Statistics")
        the_theme().changed.connect(self._write)

    def show_insight(self, insight: Insight | None) -> None:
        """Say what is known about the selection as a whole."""
        self._insight = insight
        self._write()

    def _write(self) -> None:
        self.setHtml("")
