"""Open files, samples, recent files and copied cells; ask before unsaved work is lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from ximstudio.jobs import Task
from ximstudio.load.samples import PREFIX
from ximstudio.model.problem import Problem, Severity
from ximstudio.prepare.input import Input
from ximstudio.session.words import item_word, size_words
from ximstudio.store.save_locations import SUFFIX
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.dialogs.tool_dialog import close_with_table
from ximstudio.ui.files.figures import SUFFIXES, FigureOpener, is_figure
from ximstudio.ui.files.questions import DropQuestion
from ximstudio.ui.files.reopening import SessionOpener
from ximstudio.ui.files.saving import Saving
from ximstudio.ui.runtime.job_queue import Job, ignore
from ximstudio.ui.runtime.settings import Recent, Settings

if TYPE_CHECKING:
    from ximstudio.load import Reading
    from ximstudio.session import Data
    from ximstudio.ui.dialogs.importing.dialog import ImportDialog


SHOW_READING = "show how tables are read"
"""Setting: show the import dialog even if there is nothing to check."""


class FileOpener(QObject):
    """Opens tables, sessions and figures in a window, and stores the recent files."""

    def __init__(
        self,
        window: QWidget,
        actions: Actions,
        settings: Settings,
        *,
        keeping: Saving,
        reopening: SessionOpener,
        figures: FigureOpener,
    ) -> None:
        super().__init__(window)
        self._keeping = keeping
        self._reopening = reopening
        self._figures = figures
        self._window = window
        self._actions = actions
        self._settings = settings
        self._remembered: Input | None = None
        actions.store.changed.connect(self._remember)
        self._sweep()

    def choose_file(self) -> None:
        """Ask for a file and open it."""
        dialog = QFileDialog(self._window, "Open a table or a session", self._settings.now.folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(name_filters())
        dialog.fileSelected.connect(lambda name: self.open_file(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def open_file(self, path: Path) -> None:
        """Open a session, a figure or a table; show the import dialog if it is ambiguous."""
        if is_session(path):
            self._reopening.open(path)
            return
        if is_figure(path):
            self._figures.open(path)
            return
        from ximstudio.ui.dialogs.importing.dialog import ImportDialog

        self._settings.change(folder=str(path.parent))
        dialog = self._ready(ImportDialog(self._actions, path, parent=self._window))
        if self._settings.now.switches.get(SHOW_READING, False):
            dialog.open()
        else:
            dialog.open_if_unclear(self._take)

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open dropped files; if a map is shown, ask what to do."""
        if len(paths) > 1:
            self._actions.jobs.refused.emit((_several(paths),))
        ours = bool(paths) and (is_session(paths[0]) or is_figure(paths[0]))
        if paths and self._actions.session.run is not None and not ours:
            self._ask_about(paths[0])
        elif paths:
            self.open_file(paths[0])

    def _ask_about(self, path: Path) -> None:
        """Ask whether to place a file on the map, join it to the table, or open it."""
        from ximstudio.ui.dialogs.importing.join_dialog import JoinDialog

        session = self._actions.session
        assert session.run is not None
        question = DropQuestion(
            self._window, path, items=item_word(session.data), run=session.run.name
        )
        question.answer(
            place=lambda: self._actions.projection.place(path),
            join=lambda: JoinDialog(self._actions, path, parent=self._window).open(),
            open_table=lambda: self.open_file(path),
        )
        close_with_table(question, self._actions)
        question.open()

    def open_text(self, text: str) -> None:
        """Open copied cells."""
        from ximstudio.ui.dialogs.importing.dialog import ImportDialog

        folder = self._settings.pasted
        dialog = ImportDialog.pasted(self._actions, text, folder=folder, parent=self._window)
        self._ready(dialog).open()

    def open_sample(self, key: str) -> None:
        """Open sample data, without the import dialog."""
        self._read(Input(name=PREFIX + key))

    def open_recent(self, recent: Recent) -> None:
        """Open a recent file, read as the last time."""
        if recent.session:
            self._reopening.open(Path(recent.name))
        else:
            self._read(recent.wanted)

    def open_named(self, name: str) -> None:
        """Open a file given on the command line."""
        if name.startswith(PREFIX):
            self.open_sample(name.removeprefix(PREFIX))
        else:
            self.open_file(Path(name).absolute())

    def _ready(self, dialog: ImportDialog) -> ImportDialog:
        """Connect the dialog, which asks before unsaved work is lost."""
        dialog.gate = lambda then: ignore(self._keeping.unless_lost(dialog, then))
        dialog.refused.another_wanted.connect(dialog.reject)
        dialog.refused.another_wanted.connect(self.choose_file)
        return dialog

    def _take(self, wanted: Input, reading: Reading) -> None:
        """Start a session with a table, after a question about unsaved work."""
        self._keeping.unless_lost(self._window, lambda: self._actions.open(wanted, reading))

    def _read(self, wanted: Input) -> None:
        """Read a file without a dialog; ask about unsaved work only if it can be read."""
        if self._actions.phase is Phase.RUNNING:
            # Reading would wait until training ends.
            self._keeping.unless_lost(self._window, lambda: self._actions.open(wanted))
        else:
            self._actions.open(wanted, then=self._offer)

    def _offer(self, data: Data) -> None:
        """Replace the current table, after a question about unsaved work."""

        def take() -> None:
            # What is computed meanwhile is about the present table.
            self._actions.jobs.interrupt("Opening", lambda: self._actions.use_table(data))

        if self._actions.session.runs or self._actions.phase is not Phase.IDLE:
            self._keeping.unless_lost(self._window, take)
        else:
            self._keeping.unless_lost(self._window, lambda: self._actions.use_table(data))

    def _sweep(self) -> None:
        """Delete pasted tables that are no longer among the recent files.

        At the start, not when one leaves the list: it may still be in use.
        """
        settings, folder = self._settings, self._settings.pasted
        if folder is None:
            return

        def work(_: Task[float, None]) -> None:
            from ximstudio.load.pasted import sweep

            sweep(folder, settings.files)

        self._actions.jobs.start(Job(label="Removing old files", work=work, quiet=True))

    def _remember(self) -> None:
        data = self._actions.session.data
        if data is None or data.input is self._remembered or data.input.name.startswith(PREFIX):
            return
        self._remembered = data.input
        if self._keeping.path is not None or not self._actions.store.history.past:
            # It belongs to a session, which is in the list itself.
            return
        self._settings.remember_file(
            Recent(name=data.input.name, size=size_words(data), input=data.input.as_values())
        )


def name_filters() -> list[str]:
    """Return the filters of the file dialog."""
    from ximstudio.load.format import every_format  # imports all readers

    formats = every_format()
    every = sorted({suffix for one in formats for suffix in one.suffixes})
    packed = [f"*{suffix}" for suffix in every] + [f"*{suffix}.gz" for suffix in every]
    single = [f"{one.name} ({' '.join(f'*{each}' for each in one.suffixes)})" for one in formats]
    sessions, figures = f"*{SUFFIX}", [f"*{suffix}" for suffix in SUFFIXES]
    return [
        f"Tables, sessions and figures ({' '.join((*packed, sessions, *figures))})",
        f"Sessions ({sessions})",
        f"Figures of XIM Studio ({' '.join(figures)})",
        *single,
        "All files (*)",
    ]


def is_session(path: Path) -> bool:
    """Return whether a file name has the suffix of a session."""
    return path.suffix.lower() == SUFFIX


def _several(paths: Sequence[Path]) -> Problem:
    return Problem(
        key="window.several_files",
        what=f"{len(paths)} files were dropped; only the first one is opened.",
        where=", ".join(path.name for path in paths[:3]) + (", …" if len(paths) > 3 else ""),
        way_out="Open the others one by one, or join them to the table under Data.",
        severity=Severity.NOTE,
    )
