"""Find and recover work that was not saved when the program ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from ximstudio.jobs import Task
from ximstudio.load.samples import called
from ximstudio.model.words import counted
from ximstudio.session import Session
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.files.autosave import Autosaver
from ximstudio.ui.files.reopening import SessionOpener, home_of
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, Tone, button, label, mark
from ximstudio.ui.widgets.look.icons import icon_pixmap
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.message_card import clear

if TYPE_CHECKING:
    from ximstudio.store.autosave import RecoverableSession
    from ximstudio.store.files import StoredSession


class Recovery(QObject):
    """Looks for unsaved work once after the start; without a `folder` there is none."""

    found = Signal(object)
    """Sessions that can be recovered: a tuple of Left."""

    def __init__(
        self,
        window: QObject,
        actions: Actions,
        reopening: SessionOpener,
        autosaving: Autosaver,
        *,
        folder: Path | None,
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._reopening = reopening
        self._autosaving = autosaving
        self._folder = folder
        self._left: tuple[RecoverableSession, ...] = ()

    def look(self) -> None:
        """Find the work of ended processes, not of running ones."""
        folder = self._folder
        if folder is None or not folder.is_dir():
            return

        def work(_: Task[float, tuple[RecoverableSession, ...]]) -> tuple[RecoverableSession, ...]:
            from ximstudio.store.autosave import recoverable

            return recoverable(folder)

        self._actions.jobs.start(
            Job(label="Looking for unsaved work", work=work, done=self._show, quiet=True, file=True)
        )

    def recover(self, left: RecoverableSession) -> None:
        """Replace the current session with recovered work."""
        name = called(left.name) or "a session"

        def work(task: Task[float, StoredSession]) -> StoredSession:
            from ximstudio.store.autosave import recover

            return recover(left, task.report)

        def done(stored: StoredSession) -> None:
            # Marked as unsaved, even if an earlier state was saved.
            home = replace(home_of(stored), path=left.saved_as, saved=Session(), stamp=left.stamp)
            self._reopening.offer(
                stored.session, stored.views, home, what=f"Recover {name}", then=taken
            )

        def taken() -> None:
            self._without(left)
            self._autosaving.take_place_of(left)

        self._actions.jobs.start(Job(label=f"Recovering {name}", work=work, done=done, file=True))

    def discard(self, left: RecoverableSession) -> None:
        """Delete recovered work permanently."""

        def work(_: Task[float, None]) -> None:
            from ximstudio.store.autosave import discard

            discard(left)

        self._without(left)
        self._actions.jobs.start(Job(label="Discarding", work=work, quiet=True, file=True))

    def _show(self, left: tuple[RecoverableSession, ...]) -> None:
        self._left = left
        self.found.emit(left)

    def _without(self, left: RecoverableSession) -> None:
        self._show(tuple(each for each in self._left if each is not left))


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
        clear(self._lines)
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
    units = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"))
    length, word = next(unit for unit in units if seconds >= unit[0])
    return f"{counted(int(seconds // length), word)} ago"
