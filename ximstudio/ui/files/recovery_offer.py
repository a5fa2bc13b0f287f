"""Offer to recover unsaved work after a crash."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from ximstudio.load.samples import called
from ximstudio.model.words import counted
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, Tone, button, label, mark
from ximstudio.ui.widgets.look.icons import icon_pixmap
from ximstudio.ui.widgets.look.theme import the_theme

if TYPE_CHECKING:
    from ximstudio.store.autosave import RecoverableSession

MOST_SHOWN = 4
MINUTE, HOUR, DAY = 60, 3600, 86400


class RecoveryOffer(QFrame):
    """Banner above all pages while there is work to recover."""

    recover_wanted = Signal(object)
    discard_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "banner")
        mark(self, "tone", Tone.WARNING.value)
        self.setWhatsThis(
            "The program ended before this work was saved, but autosaved it. Recover "
            "restores it; Discard deletes it permanently."
        )
        self.rows: list[RecoveryRow] = []
        self._lines = vbox(gap=spacing.HAIR)
        self._sign = QLabel()
        column = vbox(
            label("XIM Studio ended unexpectedly", kind="strong"), self._lines, gap=spacing.HAIR
        )
        hbox(
            (self._sign, Qt.AlignmentFlag.AlignTop),
            (column, 1),
            into=self,
            gap=spacing.SMALL + 2,
            margins=(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.SMALL),
        )
        the_theme().follow(self._tint)
        self._tint()
        self.hide()

    def show_left(self, found: Sequence[RecoverableSession], now: datetime | None = None) -> None:
        """Offer this work, the newest first; hidden if there is none."""
        while (item := self._lines.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        now = datetime.now(tz=UTC) if now is None else now
        self.rows = [RecoveryRow(left, now) for left in found[:MOST_SHOWN]]
        for row in self.rows:
            row.recover.clicked.connect(lambda _, row=row: self.recover_wanted.emit(row.left))
            row.discard.clicked.connect(lambda _, row=row: self.discard_wanted.emit(row.left))
            self._lines.addWidget(row)
        more = len(found) - len(self.rows)
        if more > 0:
            self._lines.addWidget(label(f"… and {more} older", kind="muted"))
        self.setVisible(bool(found))

    def _tint(self) -> None:
        self._sign.setPixmap(
            icon_pixmap("warning", spacing.ICON, role="warning", scale=self.devicePixelRatioF())
        )


class RecoveryRow(QWidget):
    """Row of a session: description, time, and buttons to recover and discard."""

    def __init__(self, left: RecoverableSession, now: datetime) -> None:
        super().__init__()
        self.left = left
        text = words_for(left, now)
        self.recover = button("Recover", kind=ButtonKind.PRIMARY, size=Size.SMALL)
        self.discard = button("Discard", size=Size.SMALL)
        self.recover.setAccessibleName(f"Recover {text}")
        self.discard.setAccessibleName(f"Discard {text}")
        hbox((Elided(text), 1), self.discard, self.recover, into=self, gap=spacing.SMALL, margins=0)


def words_for(left: RecoverableSession, now: datetime) -> str:
    """Return a description: "3 maps of yeast.csv, 2 minutes ago"."""
    name = left.saved_as.name if left.saved_as is not None else called(left.name)
    what = f"{counted(left.n_runs, 'map')} of {name}" if left.n_runs else f"Work on {name}"
    if not name:
        what = counted(left.n_runs, "map") if left.n_runs else "A session"
    return f"{what}, {ago((now - left.at).total_seconds())}"


def ago(seconds: float) -> str:
    """Return a rough age: "2 minutes ago"."""
    if seconds < MINUTE:
        return "a moment ago"
    for unit, word in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= unit:
            return f"{counted(int(seconds // unit), word)} ago"
    raise AssertionError
