"""Ways to open something: file, sample, recent file, copied cells; none loses work unasked."""

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
from ximstudio.ui.desk import Job, ignore
from ximstudio.ui.dialogs.of_table import close_with_table
from ximstudio.ui.drop_question import DropQuestion
from ximstudio.ui.figures import SUFFIXES, Figures, is_figure
from ximstudio.ui.keeping import Keeping
from ximstudio.ui.reopening import SUFFIX, Reopening
from ximstudio.ui.settings import Recent, Settings
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase

if TYPE_CHECKING:
    from ximstudio.load import Reading
    from ximstudio.session import Data
    from ximstudio.ui.dialogs.import_dialog import ImportDialog


SHOW_READING = "show how tables are read"
"""Switch of the settings: show it also where there is nothing to check."""


class Opening(QObject):
    """Opens tables, sessions and figures for a window, and remembers which."""

    def __init__(
        self,
        window: QWidget,
        studio: Studio,
        settings: Settings,
        *,
        keeping: Keeping,
        reopening: Reopening,
        figures: Figures,
    ) -> None:
        super().__init__(window)
        self._keeping = keeping
        self._reopening = reopening
        self._figures = figures
        self._window = window
        self._studio = studio
        self._settings = settings
        self._remembered: Input | None = None
        studio.desk.changed.connect(self._remember)
        self._sweep()

    def choose_file(self) -> None:
        """Ask for a file, then open it."""
        dialog = QFileDialog(self._window, "Open a table or a session", self._settings.now.folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(name_filters())
        dialog.fileSelected.connect(lambda name: self.open_file(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def open_file(self, path: Path) -> None:
        """Open a session, a figure, or a table; ask how it is read if that is not clear."""
        if is_session(path):
            self._reopening.open(path)
            return
        if is_figure(path):
            self._figures.open(path)
            return
        from ximstudio.ui.dialogs.import_dialog import ImportDialog

        self._settings.change(folder=str(path.parent))
        dialog = self._ready(ImportDialog(self._studio, path, parent=self._window))
        if self._settings.now.switches.get(SHOW_READING, False):
            dialog.open()
        else:
            dialog.open_if_unclear(self._take)

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open what was dropped: one table at a time; where a map is shown, ask what it is."""
        if len(paths) > 1:
            self._studio.desk.refused.emit((_several(paths),))
        ours = bool(paths) and (is_session(paths[0]) or is_figure(paths[0]))
        if paths and self._studio.session.run is not None and not ours:
            self._ask_about(paths[0])
        elif paths:
            self.open_file(paths[0])

    def _ask_about(self, path: Path) -> None:
        """Ask whether a file is to be placed on the map, joined to its table, or opened."""
        from ximstudio.ui.dialogs.import_join import JoinDialog

        session = self._studio.session
        assert session.run is not None
        question = DropQuestion(
            self._window, path, items=item_word(session.data), run=session.run.name
        )
        question.answer(
            place=lambda: self._studio.exploring.bringing.place(path),
            join=lambda: JoinDialog(self._studio, path, parent=self._window).open(),
            open_table=lambda: self.open_file(path),
        )
        close_with_table(question, self._studio)
        question.open()

    def open_text(self, text: str) -> None:
        """Open cells that were copied elsewhere."""
        from ximstudio.ui.dialogs.import_dialog import ImportDialog

        folder = self._settings.pasted
        dialog = ImportDialog.pasted(self._studio, text, folder=folder, parent=self._window)
        self._ready(dialog).open()

    def open_sample(self, key: str) -> None:
        """Open sample data; how they are read is known."""
        self._read(Input(name=PREFIX + key))

    def open_recent(self, recent: Recent) -> None:
        """Open a file as it was opened the last time."""
        if recent.session:
            self._reopening.open(Path(recent.name))
        else:
            self._read(recent.wanted)

    def open_named(self, name: str) -> None:
        """Open what a person named on the command line."""
        if name.startswith(PREFIX):
            self.open_sample(name.removeprefix(PREFIX))
        else:
            self.open_file(Path(name).absolute())

    def _ready(self, dialog: ImportDialog) -> ImportDialog:
        """The dialog, which asks before unsaved work is lost, and can lead to another file."""
        dialog.gate = lambda then: ignore(self._keeping.unless_lost(dialog, then))
        dialog.refused.another_wanted.connect(dialog.reject)
        dialog.refused.another_wanted.connect(self.choose_file)
        return dialog

    def _take(self, wanted: Input, reading: Reading) -> None:
        """Begin a session with a table that was read, maybe after a question."""
        self._keeping.unless_lost(self._window, lambda: self._studio.open(wanted, reading))

    def _read(self, wanted: Input) -> None:
        """Read what needs no dialog; only what could be read is worth a question."""
        if self._studio.phase is Phase.RUNNING:
            # It would have to wait until training ends.
            self._keeping.unless_lost(self._window, lambda: self._studio.open(wanted))
        else:
            self._studio.open(wanted, then=self._offer)

    def _offer(self, data: Data) -> None:
        """Take a table that was read in place of the present one, maybe after a question."""

        def take() -> None:
            # In turn: what is computed meanwhile is about the present table, and has to end first.
            self._studio.desk.stop()
            self._studio.desk.start(
                Job(doing="Opening", work=lambda _: data, done=self._studio.take_data), first=True
            )

        if self._studio.session.runs or self._studio.phase is not Phase.IDLE:
            self._keeping.unless_lost(self._window, take)
        else:
            self._keeping.unless_lost(self._window, lambda: self._studio.take_data(data))

    def _sweep(self) -> None:
        """Delete the tables that were pasted before and are not among the recent ones.

        At the start, not when one drops off the list: it may still be worked on.
        """
        settings, folder = self._settings, self._settings.pasted
        if folder is None:
            return

        def work(_: Task[float, None]) -> None:
            from ximstudio.ui.dialogs.import_pasted import sweep

            sweep(folder, settings.files)

        self._studio.desk.start(Job(doing="Tidying up", work=work, quiet=True))

    def _remember(self) -> None:
        data = self._studio.session.data
        if data is None or data.input is self._remembered or data.input.name.startswith(PREFIX):
            return
        self._remembered = data.input
        if self._keeping.path is not None or not self._studio.desk.history.past:
            # It came with a session, which is remembered itself.
            return
        self._settings.remember_file(
            Recent(name=data.input.name, size=size_words(data), input=data.input.as_values())
        )


def name_filters() -> list[str]:
    """What the file dialog offers: all that can be opened, sessions, each format, everything."""
    from ximstudio.load.formats import FORMATS  # brings what they read with

    every = sorted({suffix for one in FORMATS for suffix in one.suffixes})
    packed = [f"*{suffix}" for suffix in every] + [f"*{suffix}.gz" for suffix in every]
    single = [f"{one.name} ({' '.join(f'*{each}' for each in one.suffixes)})" for one in FORMATS]
    sessions, figures = f"*{SUFFIX}", [f"*{suffix}" for suffix in SUFFIXES]
    return [
        f"Tables, sessions and figures ({' '.join((*packed, sessions, *figures))})",
        f"Sessions ({sessions})",
        f"Figures of XIM Studio ({' '.join(figures)})",
        *single,
        "All files (*)",
    ]


def is_session(path: Path) -> bool:
    """Whether a file is called like a session."""
    return path.suffix.lower() == SUFFIX


def _several(paths: Sequence[Path]) -> Problem:
    return Problem(
        key="window.several_files",
        what=f"{len(paths)} files were dropped; the first one is opened.",
        where=", ".join(path.name for path in paths[:3]) + (", …" if len(paths) > 3 else ""),
        way_out="Open the others one by one, or join them to the table under Data.",
        severity=Severity.NOTE,
    )
