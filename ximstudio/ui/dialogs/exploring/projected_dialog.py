"""Dialog that lists projected items: position, novelty, and mismatches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QFileDialog, QWidget

from ximstudio.export.projection import projection_columns, write_projection
from ximstudio.files.csv_table import tabbed
from ximstudio.jobs import Task
from ximstudio.model.result import PrototypeMap
from ximstudio.model.selection import Combine, Selection
from ximstudio.model.words import counted, grouped
from ximstudio.pictures.map_texts import short_node_name
from ximstudio.session.words import Words, without_folder
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.exploring.rows_table import RowsColumn, RowsTable
from ximstudio.ui.dialogs.tool_dialog import ToolDialog
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.runtime.messages import put_on_clipboard
from ximstudio.ui.widgets.boxes import STRETCH, hbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import button, combo_box, label
from ximstudio.ui.widgets.look.theme import the_theme
from ximstudio.ui.widgets.message_card import TONES, Fold, MessageCard, clear

if TYPE_CHECKING:
    from ximstudio.session.projection import ProjectedFile

ABOUT = (
    "New {items} are drawn as diamonds in Map and Positions. Novelty measures how badly each "
    "one fits: above 1 it fits worse than 99 % of the {items} that the map was trained on. "
    "Click a row to select the {items} at the same node."
)
NOVELTY = "Novelty"
STRANGE, FITS = "no", "yes"


class ProjectedDialog(ToolDialog):
    """Dialog with one table per file, the newest file first."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent, title="", about="", width=400, height=640)
        self._actions = actions
        self._projection = actions.projection
        self._listed: tuple[ProjectedFile, ...] = ()
        self._said: Words | None = None
        self.files = combo_box(name="File")
        self.summary = label(kind="strong", wrap=True)
        self.mismatches = Fold(open=True)
        self.table = RowsTable("New on this map")
        self.copy = button("Copy", icon_name="copy", tip="Copy the table")
        self.save = button("Save as CSV…", icon_name="save")
        self.remove = button("Remove", icon_name="delete", tip="Remove these from the map")
        below = hbox(self.copy, self.save, STRETCH, self.remove, gap=spacing.SMALL)
        for made in (self.copy, self.save, self.remove):
            made.setAutoDefault(False)
        for part in (self.files, self.summary, self.mismatches):
            self.column.addWidget(part)
        self.column.addWidget(self.table, 1)
        self.column.addLayout(below)
        self.files.activated.connect(self._show_file)
        self.table.chosen.connect(self._choose)
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self._choose_file)
        self.remove.clicked.connect(self._remove)
        actions.store.changed.connect(self._follow)
        the_theme().follow(self._show_file)

    @property
    def projected(self) -> ProjectedFile | None:
        """The shown file; None if there is none."""
        number = self.files.currentIndex()
        return self._listed[number] if 0 <= number < len(self._listed) else None

    def refresh(self) -> None:
        """List the items projected on the current map, the newest file first."""
        self._said = self._words
        self.introduce(
            f"New {self._words.items} on this map", ABOUT.format(items=self._words.items)
        )
        before, listed = self.projected, tuple(reversed(self._projection.projected))
        fresh = listed[:1] != self._listed[:1]
        self._listed = listed
        self.files.clear()
        self.files.addItems([each.name for each in listed])
        self.files.setVisible(len(listed) > 1)
        if before is not None and before in listed and not fresh:
            self.files.setCurrentIndex(listed.index(before))
        self._show_file()

    @property
    def _words(self) -> Words:
        return self._actions.inspector.words

    def _show_file(self, _: object = None) -> None:
        projected = self.projected
        for part in (self.table, self.copy, self.save, self.remove):
            part.setEnabled(projected is not None)
        if projected is None:
            self.summary.setText(f"No new {self._words.items} on this map.")
            self.mismatches.hide()
            self.table.show_columns(())
            return
        placed = projected.items
        n_strange = int(np.count_nonzero(placed.strange))
        those = "All of them fit."
        if n_strange:
            those = f"{grouped(n_strange)} of them {'does' if n_strange == 1 else 'do'} not belong."
        n_placed = counted(len(projected), self._words.item)
        self.summary.setText(f"{n_placed} of {projected.name}. {those}")
        self._show_mismatches(projected)
        columns = self._columns(projected)
        self.table.show_columns(columns)
        # Items that do not fit come first.
        self.table.sort([each.name for each in columns].index(NOVELTY), falling=True)

    def _show_mismatches(self, projected: ProjectedFile) -> None:
        """List missing and additional features, and items that are on the map already."""
        notes, said = projected.notes, self._words.said
        path = projected.items.matrix.source
        self.mismatches.setVisible(bool(notes))
        self.mismatches.set_title(f"{counted(len(notes), 'mismatch', 'mismatches')}")
        clear(self.mismatches.column)
        for note in notes:
            where = said(without_folder(note.where, path))
            card = MessageCard(TONES[note.severity], said(note.what), where=where, framed=False)
            self.mismatches.column.addWidget(card)

    def _columns(self, projected: ProjectedFile) -> list[RowsColumn]:
        placed, colours = projected.items, the_theme().colours
        tints = [colours.warning if each else colours.accent for each in placed.strange.tolist()]
        name = self._words.item.capitalize()
        columns = [RowsColumn(name=name, texts=placed.ids, colours=tints, wide=True)]
        model = None if self._projection.run is None else self._projection.run.result.model
        if isinstance(model, PrototypeMap) and placed.winners is not None:
            nodes = [short_node_name(model.grid, node) for node in placed.winners.tolist()]
            columns.append(RowsColumn(name="Node", texts=nodes, numbers=placed.winners))
        flags = [STRANGE if each else FITS for each in placed.strange.tolist()]
        return [
            *columns,
            RowsColumn(name=NOVELTY, numbers=placed.novelty),
            RowsColumn(name="Fits", texts=flags),
        ]

    def _choose(self, row: int, how: Combine) -> None:
        """Select the items at the node of a projected item."""
        run, projected = self._projection.run, self.projected
        if run is None or projected is None:
            return
        winners, of_run = projected.items.winners, run.result.winners
        if winners is not None and of_run is not None:
            members = of_run == winners[row]
            self._actions.selecting.select(Selection.where(members, run.matrix.item_ids), how)

    # Copy and save

    def _copy(self) -> None:
        run, projected = self._projection.run, self.projected
        if run is not None and projected is not None:
            put_on_clipboard(tabbed(projection_columns(run.result, projected.items)))

    def _choose_file(self) -> None:
        projected = self.projected
        if projected is None:
            return
        run = "map" if self._projection.run is None else self._projection.run.name
        first = f"{Path(projected.name).stem} on {run}.csv"
        dialog = QFileDialog(self, "Save as CSV", first, "CSV (*.csv)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.selectFile(first)
        dialog.fileSelected.connect(lambda name: self.save_as(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save_as(self, path: Path) -> None:
        """Write the table to a file."""
        run, projected = self._projection.run, self.projected
        if run is None or projected is None:
            return

        def work(_: Task[float, None]) -> None:
            write_projection(path, run.result, projected.items)

        self._actions.jobs.start(Job(label=f"Saving {path.name}", work=work))

    def _remove(self) -> None:
        if self.projected is not None:
            self._projection.remove(self.projected)

    def _follow(self) -> None:
        if not self.isVisible():
            return
        listed = tuple(reversed(self._projection.projected))
        if listed != self._listed or self._words != self._said:
            self.refresh()
