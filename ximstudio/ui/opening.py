"""Ways to open a table: a file, a sample, a recent file, copied cells; none loses maps unasked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from ximstudio.jobs import Task
from ximstudio.load.samples import PREFIX
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.words import grouped, plural
from ximstudio.prepare.input import Input
from ximstudio.session.words import item_word, size_words
from ximstudio.ui.desk import Job
from ximstudio.ui.drop_question import DropQuestion
from ximstudio.ui.question import ask
from ximstudio.ui.settings import Recent, Settings
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase

if TYPE_CHECKING:
    from ximstudio.session import Data
    from ximstudio.ui.dialogs.import_dialog import ImportDialog


class Opening(QObject):
    """Opens tables for a window, and remembers which."""

    def __init__(self, window: QWidget, studio: Studio, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._studio = studio
        self._settings = settings
        self._remembered: Input | None = None
        studio.desk.changed.connect(self._remember)
        self._sweep()

    def choose_file(self) -> None:
        """Ask for a file, then open it."""
        dialog = QFileDialog(self._window, "Open a table", self._settings.now.folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(name_filters())
        dialog.fileSelected.connect(lambda name: self.open_file(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def open_file(self, path: Path) -> None:
        """Open a file or folder by the dialog that shows how it is read."""
        from ximstudio.ui.dialogs.import_dialog import ImportDialog

        self._settings.change(folder=str(path.parent))
        self._show(ImportDialog(self._studio, path, parent=self._window))

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open what was dropped: one table at a time; where a map is shown, ask what it is."""
        if len(paths) > 1:
            self._studio.desk.refused.emit((_several(paths),))
        if paths and self._studio.session.run is not None:
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
        question.open()

    def open_text(self, text: str) -> None:
        """Open cells that were copied elsewhere."""
        from ximstudio.ui.dialogs.import_dialog import ImportDialog

        folder = self._settings.pasted
        self._show(ImportDialog.pasted(self._studio, text, folder=folder, parent=self._window))

    def open_sample(self, key: str) -> None:
        """Open sample data; how they are read is known."""
        self._read(Input(name=PREFIX + key))

    def open_recent(self, recent: Recent) -> None:
        """Open a file as it was opened the last time."""
        self._read(recent.wanted)

    def open_named(self, name: str) -> None:
        """Open what a person named on the command line."""
        if name.startswith(PREFIX):
            self.open_sample(name.removeprefix(PREFIX))
        else:
            self.open_file(Path(name).absolute())

    def _show(self, dialog: ImportDialog) -> None:
        dialog.gate = lambda then: self._unless_maps_are_lost(dialog, then)
        dialog.refused.another_wanted.connect(dialog.reject)
        dialog.refused.another_wanted.connect(self.choose_file)
        dialog.open()

    def _read(self, wanted: Input) -> None:
        """Read what needs no dialog; only what could be read is worth a question."""
        if self._studio.phase is Phase.RUNNING:
            # It would have to wait until training ends.
            self._unless_maps_are_lost(self._window, lambda: self._studio.open(wanted))
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

        if self._is_free:
            self._studio.take_data(data)
        else:
            self._unless_maps_are_lost(self._window, take)

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

    @property
    def _is_free(self) -> bool:
        """Whether nothing would be lost by opening another table."""
        return self._studio.phase is Phase.IDLE and not self._studio.session.runs

    def _unless_maps_are_lost(self, asking: QWidget, then: Callable[[], None]) -> None:
        """Do it at once, or after a question if that would end training or lose maps."""
        if self._is_free:
            then()
            return

        def go_on() -> None:
            self._studio.stop()
            then()

        n_runs = len(self._studio.session.runs)
        maps = plural(n_runs, "map", f"{grouped(n_runs)} maps")
        lost = [f"The {maps} below will be gone when it is open."] if n_runs else []
        idle = self._studio.phase is Phase.IDLE
        ended = [] if idle else ["The training that is under way is ended."]
        ask(
            asking,
            title="Open another table?",
            text=" ".join(["A table begins anew, with maps of its own.", *ended, *lost]),
            yes="Open another table",
            then=go_on,
        )

    def _remember(self) -> None:
        data = self._studio.session.data
        if data is None or data.input is self._remembered or data.input.name.startswith(PREFIX):
            return
        self._remembered = data.input
        self._settings.remember_file(
            Recent(name=data.input.name, size=size_words(data), input=data.input.as_values())
        )


def name_filters() -> list[str]:
    """What the file dialog offers: all tables, each format, everything."""
    from ximstudio.load.formats import FORMATS  # brings what they read with

    every = sorted({suffix for one in FORMATS for suffix in one.suffixes})
    packed = [f"*{suffix}" for suffix in every] + [f"*{suffix}.gz" for suffix in every]
    single = [f"{one.name} ({' '.join(f'*{each}' for each in one.suffixes)})" for one in FORMATS]
    return [f"Tables ({' '.join(packed)})", *single, "All files (*)"]


def _several(paths: Sequence[Path]) -> Problem:
    return Problem(
        key="window.several_files",
        what=f"{len(paths)} files were dropped; the first one is opened.",
        where=", ".join(path.name for path in paths[:3]) + (", …" if len(paths) > 3 else ""),
        way_out="Open the others one by one, or join them to the table under Data.",
        severity=Severity.NOTE,
    )
