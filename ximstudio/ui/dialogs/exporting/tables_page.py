"""Tables page: tables, items and format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QScrollArea, QWidget

from ximstudio.export.choices import TableChoices
from ximstudio.export.table_files import FILES, TableFile, WrittenTables, table_paths, write_tables
from ximstudio.export.table_kinds import TABLES, TableKind
from ximstudio.export.wanted import Need, TableOptions, is_there
from ximstudio.load import Report
from ximstudio.model.words import counted, grouped
from ximstudio.session.session import Session
from ximstudio.ui.dialogs.exporting.exporter import Exporter
from ximstudio.ui.dialogs.exporting.page import ExportPage, length_text
from ximstudio.ui.runtime.job_queue import ignore
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box, form, label, segments
from ximstudio.ui.widgets.question import ask

ALL, CHOSEN = "all", "chosen"
ITEMS = "items"
"""Key of the table that `TableOptions` apply to."""
FORM_WIDTH = 300


class TablesPage(ExportPage):
    """Page with a line per table: its size, or why it is unavailable."""

    key = "tables"
    name = "Tables"
    about = (
        "Annotations, positions, clusters and measures of everything on the map; also "
        "prototypes and more, for spreadsheets and other programs."
    )

    def __init__(self, exporting: Exporter) -> None:
        super().__init__(exporting)
        self.choices = TableChoices.from_values(exporting.chosen(self.key))
        self.file = combo_box(name="Format")
        for kind in FILES:
            self.file.addItem(kind.name, kind.key)
        self.which = segments({ALL: "All", CHOSEN: "Selected"})
        self.with_values = QCheckBox("Include values")
        self.with_values.setToolTip("Adds the prepared values as columns")
        self.about_file = label(kind="muted", wrap=True)
        self.lines = {kind.key: _Line(kind) for kind in TABLES}
        self._lay_out()
        self.file.setCurrentIndex(max(0, self.file.findData(self.choices.format)))
        self.which.choose(CHOSEN if self.choices.only_selected else ALL)
        self.with_values.setChecked(self.choices.with_values)
        for key, each in self.lines.items():
            each.tick.setChecked(key in self.choices.tables)
            each.tick.clicked.connect(self._change)
        self.file.activated.connect(self._change)
        self.which.chosen.connect(self._change)
        self.with_values.clicked.connect(self._change)

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("kind", "page")
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, spacing.MEDIUM, 0)
        grid.setHorizontalSpacing(spacing.MEDIUM)
        grid.setVerticalSpacing(spacing.SMALL)
        grid.setColumnStretch(2, 1)
        for row, each in enumerate(self.lines.values()):
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(each.tick, row, 0, top)
            grid.addWidget(each.size, row, 1, top | Qt.AlignmentFlag.AlignRight)
            grid.addWidget(each.about, row, 2, top)
        grid.setRowStretch(len(self.lines), 1)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(inside)
        self._items = label()
        fields = form()
        fields.addRow("Format", self.file)
        fields.addRow(self._items, self.which)
        side = QWidget()
        side.setFixedWidth(FORM_WIDTH)
        parts = fields, self.with_values, spacing.HAIR, self.about_file, STRETCH
        vbox(*parts, into=side, gap=spacing.SMALL, margins=0)
        hbox(side, (self._scroll, 1), into=self, gap=spacing.LARGE, margins=0)

    # Choices

    @property
    def kind(self) -> TableFile:
        """The chosen format."""
        return FILES[self.file.currentIndex()]

    @property
    def wanted(self) -> TableOptions:
        """The wanted items and values."""
        return TableOptions(
            only_selected=self.which.value == CHOSEN and self.which.button(CHOSEN).isEnabled(),
            with_values=self.with_values.isChecked(),
        )

    @property
    def keys(self) -> tuple[str, ...]:
        """The ticked and available tables, in order."""
        ticks = {key: each.tick for key, each in self.lines.items()}
        return tuple(key for key, tick in ticks.items() if tick.isChecked() and tick.isEnabled())

    @property
    def why_not(self) -> str:
        nothing = "" if self.keys or not self.kind.tables else "Select at least one table"
        return self.kind.why_not(self.exporting.actions.session) or nothing

    def choose_selected(self) -> None:
        """Tick only the table of items, restricted to the selection."""
        for key, each in self.lines.items():
            each.tick.setChecked(key == ITEMS)
        self.which.choose(CHOSEN)
        if not self.kind.tables:
            self.file.setCurrentIndex(0)
        self._change()

    def show_session(self) -> None:
        """Show the available tables, and count their rows and columns."""
        session, words = self.exporting.actions.session, self.exporting.actions.inspector.words
        self._items.setText(words.items.capitalize())
        n_chosen = self.exporting.actions.selecting.n_here
        some = is_there(Need.SELECTION, session)
        chosen = self.which.button(CHOSEN)
        chosen.setEnabled(some)
        chosen.setText(f"Selected ({grouped(n_chosen)})" if some else "Selected")
        self.which.button(ALL).setToolTip(f"All {words.items} of the map")
        only = f"Only the {counted(n_chosen, 'selected ' + words.item)}"
        chosen.setToolTip(only if some else f"No {words.items} are selected")
        if not some:
            self.which.choose(ALL)
        for each in self.lines.values():
            each.show_session(session, words.said)
        self._count(session)
        self._show_state()

    def _count(self, session: Session) -> None:
        """Count rows and columns of every table in the background."""
        wanted = self.wanted
        there = [kind for kind in TABLES if kind.lacking(session) is None]

        def work(report: Report) -> Mapping[str, tuple[int, int]]:
            sizes = {}
            for number, kind in enumerate(there):
                report(number / len(there))
                sheet = kind.sheet(session, wanted)
                sizes[kind.key] = sheet.n_rows, len(sheet.columns)
            return sizes

        def done(sizes: Mapping[str, tuple[int, int]]) -> None:
            for key, (rows, columns) in sizes.items():
                self.lines[key].show_size(rows, columns)

        # Problems are shown when the tables are saved.
        self.exporting.describe(work, done, ignore)

    def _change(self, _: object = None) -> None:
        ticked = tuple(key for key, each in self.lines.items() if each.tick.isChecked())
        self.choices = TableChoices(
            tables=ticked,
            format=self.kind.key,
            only_selected=self.which.value == CHOSEN,
            with_values=self.with_values.isChecked(),
        )
        self.exporting.remember(self.key, self.choices.as_values())
        self._count(self.exporting.actions.session)
        self._show_state()

    def _show_state(self) -> None:
        words = self.exporting.actions.inspector.words
        self.about_file.setText(words.said(self.kind.about))
        session = self.exporting.actions.session
        for number, kind in enumerate(FILES):
            why_not = kind.why_not(session)
            about = words.said(why_not or kind.about)
            self.file.setItemData(number, about, Qt.ItemDataRole.ToolTipRole)
        self._scroll.setEnabled(self.kind.tables)
        self.changed.emit()

    # Files

    def save(self, *, ask: bool) -> None:
        """Write the tables, at once or to a file chosen by the user."""
        kind, keys = self.kind, self.keys
        what = keys[0] if kind.tables and len(keys) == 1 else "tables" if kind.tables else ""
        what = self.lines[what].tick.text().lower() if what in self.lines else what
        suffix = kind.suffix.lstrip(".")
        name = self.exporting.name(what)
        self.to_file(name, {suffix: kind.name}, chosen=suffix, then=self._look_at, ask=ask)

    def _look_at(self, path: Path) -> None:
        """Ask before replacing files that Qt has not asked about."""
        there = [each for each in table_paths(path, self.keys, self.kind) if each.exists()]
        if not there or there == [path]:
            self.save_as(path)
            return
        ask(
            self.window(),
            title=f"Replace {counted(len(there), 'file')}?",
            text=", ".join(each.name for each in there),
            yes="Replace",
            then=lambda: self.save_as(path),
        )

    def save_as(self, path: Path) -> None:
        """Write the tables to one file, or to several with a common prefix."""
        session, keys = self.exporting.actions.session, self.keys
        kind, wanted = self.kind, self.wanted

        def work(report: Report) -> WrittenTables:
            return write_tables(path, session, keys, file=kind, wanted=wanted, report=report)

        self.exporting.make(work, self._announce, self.refused.emit)

    def _announce(self, written: WrittenTables) -> None:
        first, *more = written.paths
        names = counted(len(written.paths), "file") if more else first.name
        self.announced.emit(f"Saved {names} · {length_text(written.n_bytes)}", first)
        if written.notes:
            self.refused.emit(written.notes)


class _Line:
    """Line of a table: tick box with its name, its size, and its description or why it is
    unavailable.
    """

    def __init__(self, kind: TableKind) -> None:
        self.kind = kind
        self.tick = QCheckBox(kind.name)
        self.size = label(kind="muted")
        self.about = label(kind="muted", wrap=True)

    def show_session(self, session: Session, said: Callable[[str], str]) -> None:
        why_not = self.kind.why_not(session)
        with QSignalBlocker(self.tick):
            self.tick.setText(said(self.kind.name))
        self.tick.setEnabled(not why_not)
        self.about.setText(said(why_not or self.kind.about))
        self.about.setEnabled(not why_not)
        self.tick.setToolTip(said(self.kind.about))
        self.size.setText("" if why_not else "…")

    def show_size(self, rows: int, columns: int) -> None:
        self.size.setText(f"{grouped(rows)} × {grouped(columns)}")
        size_text = f"{counted(rows, 'row')}, {counted(columns, 'column')}"
        self.size.setToolTip(size_text)
        self.tick.setAccessibleDescription(size_text)
