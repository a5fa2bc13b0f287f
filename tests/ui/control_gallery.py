"""Every control in one window, to look at: `python -m tests.ui.control_gallery --scheme dark`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QMenu,
    QRadioButton,
    QSlider,
    QSpinBox,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import (
    Banner,
    ButtonKind,
    Size,
    Tone,
    button,
    combo_box,
    form,
    icon_segments,
    label,
    line,
    mark,
    segments,
    tool_button,
)
from ximstudio.ui.widgets.look.fonts import font
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.look.progress import ProgressBar
from ximstudio.ui.widgets.look.svg import icon_names
from ximstudio.ui.widgets.look.theme import Scheme, the_theme


class Gallery(QMainWindow):
    """A window with one of everything."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("XIM Studio: controls")
        self.addToolBar(_tool_bar())
        self.tabs = _middle()
        split = QSplitter()
        split.setHandleWidth(1)
        for part in (_steps(), self.tabs, _selection()):
            split.addWidget(part)
        split.setSizes([260, 680, 340])
        split.setStretchFactor(1, 1)
        self.setCentralWidget(split)
        self.statusBar().showMessage("Ready. yeast.csv, 186 genes × 79 samples")
        self.resize(1280, 800)


def _tool_bar() -> QToolBar:
    bar = QToolBar()
    bar.setMovable(False)
    bar.setIconSize(QSize(spacing.ICON + 4, spacing.ICON))
    bar.addWidget(tool_button("open", tip="Open", text="Open"))
    samples = tool_button("samples", tip="Samples", text="Samples")
    samples.setMenu(_menu(samples))
    samples.setPopupMode(samples.ToolButtonPopupMode.InstantPopup)
    bar.addWidget(samples)
    bar.addSeparator()
    bar.addWidget(tool_button("undo", tip="Undo"))
    redo = tool_button("redo", tip="Redo")
    redo.setEnabled(False)
    bar.addWidget(redo)
    bar.addSeparator()
    bar.addWidget(button("Train", kind=ButtonKind.PRIMARY, icon_name="train"))
    for name in ("pause", "stop"):
        bar.addWidget(tool_button(name, tip=name))
    bar.addSeparator()
    bar.addWidget(tool_button("compare", tip="Compare", text="Compare", checkable=True))
    bar.addWidget(tool_button("export", tip="Export", text="Export…"))
    gap = QWidget()
    gap.setSizePolicy(gap.sizePolicy().Policy.Expanding, gap.sizePolicy().Policy.Preferred)
    bar.addWidget(gap)
    find = QLineEdit()
    find.setProperty("kind", "search")
    find.setPlaceholderText("Find gene or sample")
    find.addAction(icon("search", role="muted"), QLineEdit.ActionPosition.LeadingPosition)
    find.setFixedWidth(240)
    bar.addWidget(find)
    return bar


def _menu(parent: QWidget) -> QMenu:
    menu = QMenu(parent)
    menu.addAction(icon("data"), "Yeast cell cycle")
    menu.addAction(icon("data"), "Leukaemia")
    menu.addSeparator()
    ticked = menu.addAction("Show recent files")
    ticked.setCheckable(True)
    ticked.setChecked(True)
    menu.addAction("Not available here").setEnabled(False)
    menu.addMenu("More").addAction("Inside")
    return menu


def _column(*, kind: str) -> tuple[QFrame, QVBoxLayout]:
    frame = QFrame()
    frame.setProperty("kind", kind)
    column = QVBoxLayout(frame)
    column.setContentsMargins(*([spacing.LARGE] * 4))
    column.setSpacing(spacing.MEDIUM)
    return frame, column


def _steps() -> QWidget:
    frame, column = _column(kind="sidebar")
    column.addWidget(label("Steps", kind="section"))
    steps = QVBoxLayout()
    steps.setSpacing(2)
    for name, text in (("data", "Data"), ("prepare", "Prepare"), ("method", "Method")):
        step = button(text, kind=ButtonKind.STEP, icon_name=name)
        step.setCheckable(True)
        step.setChecked(name == "method")
        steps.addWidget(step)
    column.addLayout(steps)
    column.addWidget(line())
    fields = form()
    method = combo_box()
    method.addItems(["c-XIM", "t-XIM", "XIM", "SOM", "Batch SOM", "PCA"])
    fields.addRow("Method", method)
    rows = QSpinBox()
    rows.setValue(30)
    fields.addRow("Rows", rows)
    gamma = QDoubleSpinBox()
    gamma.setValue(1.5)
    mark(gamma, "state", "error")
    fields.addRow("Repulsion γ", gamma)
    fields.addRow("", label("γ must be below 1.", kind="error"))
    seed = QSpinBox()
    seed.setEnabled(False)
    fields.addRow("Seed", seed)
    fields.addRow("Name", QLineEdit("first run"))
    column.addLayout(fields)
    column.addWidget(segments({"rect": "Squares", "hex": "Hexagons"}, chosen="hex"))
    torus = QCheckBox("Toroid")
    torus.setProperty("kind", "switch")
    torus.setChecked(True)
    column.addWidget(torus)
    column.addWidget(button("More settings", kind=ButtonKind.LINK))
    column.addStretch()
    column.addWidget(label("Training, 12 s left", kind="caption"))
    progress = ProgressBar()
    progress.show_fraction(0.62)
    column.addWidget(progress)
    return frame


def _middle() -> QTabWidget:
    tabs = QTabWidget()
    tabs.setDocumentMode(True)
    tabs.addTab(_controls(), icon("map", role="muted"), "Map")
    tabs.addTab(_icons(), icon("positions", role="muted"), "Positions")
    tabs.addTab(QWidget(), icon("quality", role="muted"), "Quality")
    tabs.setTabEnabled(2, False)
    return tabs


def _controls() -> QWidget:
    frame, column = _column(kind="panel")
    column.setSpacing(spacing.LARGE)
    for tone, title, text in (
        (Tone.NOTE, "The settings have changed since this map was trained.", ""),
        (Tone.WARNING, "3 cells are not numbers.", "Column 'heat 20 min', first value 'n.d.'."),
        (Tone.DANGER, "The file could not be read.", "It ends in the middle of row 118."),
        (Tone.SUCCESS, "The map is finished.", ""),
    ):
        banner = Banner()
        actions = ("Mark as missing",) if tone is Tone.WARNING else ()
        banner.show_message(title, text, tone=tone, actions=actions)
        column.addWidget(banner)
    column.addWidget(label("Heading of a page", kind="heading"))
    column.addWidget(label("A title", kind="title"))
    column.addWidget(label("Second-rank text explains what the first says.", kind="muted"))
    for size in Size:
        column.addLayout(_buttons(size))
    column.addLayout(_choices())
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setValue(40)
    column.addWidget(slider)
    badges = QHBoxLayout()
    for tone_name in ("", "accent", "success", "warning", "danger"):
        badges.addWidget(label(tone_name or "badge", kind="badge", tone=tone_name))
    badges.addWidget(label("Ctrl+O", kind="key"))
    badges.addStretch()
    column.addLayout(badges)
    column.addStretch()
    return frame


def _buttons(size: Size) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(spacing.SMALL)
    row.addWidget(button("Train", kind=ButtonKind.PRIMARY, size=size, icon_name="train"))
    row.addWidget(button("Plain", size=size))
    row.addWidget(button("Ghost", kind=ButtonKind.GHOST, size=size, icon_name="star"))
    row.addWidget(button("Delete", kind=ButtonKind.DANGER, size=size, icon_name="delete"))
    for kind in (ButtonKind.PRIMARY, ButtonKind.PLAIN):
        off = button("Off", kind=kind, size=size, icon_name="check")
        off.setEnabled(False)
        row.addWidget(off)
    splits = {number: (f"split-{number}", f"{number} views") for number in ("1", "2", "4")}
    row.addWidget(icon_segments(splits))
    row.addStretch()
    return row


def _choices() -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(spacing.LARGE)
    for text, state in (("Ticked", 2), ("Partly", 1), ("Not", 0)):
        tick = QCheckBox(text)
        tick.setTristate(state == 1)
        tick.setCheckState(Qt.CheckState(state))
        row.addWidget(tick)
    for number, text in enumerate(("Genes", "Samples")):
        choice = QRadioButton(text)
        choice.setChecked(number == 0)
        row.addWidget(choice)
    for on in (True, False):
        switch = QCheckBox("On" if on else "Off")
        switch.setProperty("kind", "switch")
        switch.setChecked(on)
        row.addWidget(switch)
    off = QCheckBox("Disabled")
    off.setChecked(True)
    off.setEnabled(False)
    row.addWidget(off)
    row.addStretch()
    return row


def _icons() -> QWidget:
    frame, column = _column(kind="panel")
    grid = QGridLayout()
    for number, name in enumerate(icon_names()):
        shown = QLabel()
        shown.setPixmap(icon(name).pixmap(spacing.ICON_LARGE, spacing.ICON_LARGE))
        grid.addWidget(shown, number // 6, 2 * (number % 6))
        grid.addWidget(label(name, kind="caption"), number // 6, 2 * (number % 6) + 1)
    column.addLayout(grid)
    column.addStretch()
    return frame


def _selection() -> QWidget:
    frame, column = _column(kind="panel")
    top = QHBoxLayout()
    top.addWidget(label("23 genes", kind="title"))
    top.addStretch()
    for name in ("copy", "save", "more"):
        top.addWidget(tool_button(name, tip=name, size=Size.SMALL))
    column.addLayout(top)
    table = QTableWidget(6, 3)
    for number, text in enumerate(("Gene", "Label", "Error")):
        side = Qt.AlignmentFlag.AlignRight if number == 2 else Qt.AlignmentFlag.AlignLeft
        heading = QTableWidgetItem(text)
        heading.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        table.setHorizontalHeaderItem(number, heading)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(30)
    table.setShowGrid(False)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setStretchLastSection(True)
    table.setSelectionBehavior(table.SelectionBehavior.SelectRows)
    for row in range(6):
        cells = (f"YBR{11 * row + 118}W", "Ribo" if row % 2 else "Resp", f"{0.31 + row:.3f}")
        for number, text in enumerate(cells):
            item = QTableWidgetItem(text)
            if number == 2:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                item.setFont(font(tabular=True))
            table.setItem(row, number, item)
    table.selectRow(2)
    column.addWidget(table)
    column.addWidget(label("Runs", kind="section"))
    runs = QListWidget()
    runs.setProperty("framed", "true")
    for text in ("c-XIM 30 × 30", "SOM 20 × 20", "t-XIM 30 × 30, toroid"):
        runs.addItem(text)
    runs.setCurrentRow(0)
    runs.setMaximumHeight(110)
    column.addWidget(runs)
    figures = label("111.11\n888.88")
    figures.setFont(font(weight=QFont.Weight.Medium, tabular=True))
    column.addWidget(figures)
    return frame


def main(arguments: Sequence[str] | None = None) -> int:
    """Show the gallery, or save a picture of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scheme", choices=[each.value for each in Scheme], default="auto")
    parser.add_argument("--tab", type=int, default=0)
    parser.add_argument("--save", help="write a picture to this file and end")
    chosen = parser.parse_args(arguments)
    application = QApplication(sys.argv[:1])
    the_theme().dress(application)
    the_theme().choose(Scheme(chosen.scheme))
    window = Gallery()
    window.tabs.setCurrentIndex(chosen.tab)
    window.show()
    if chosen.save:
        application.processEvents()
        window.grab().save(chosen.save)
        return 0
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
