"""Export dialog with pages for figure, text, tables, script and report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QStackedWidget, QTabBar, QWidget

from ximstudio.model.problem import Problem
from ximstudio.ui.dialogs.exporting.exporter import Exporter, FigureOffer
from ximstudio.ui.dialogs.exporting.figure_page import FigurePage
from ximstudio.ui.dialogs.exporting.page import ExportPage
from ximstudio.ui.dialogs.exporting.report_page import ReportPage
from ximstudio.ui.dialogs.exporting.tables_page import TablesPage
from ximstudio.ui.dialogs.exporting.text_pages import ScriptPage, TextPage
from ximstudio.ui.dialogs.help import give_help
from ximstudio.ui.runtime.messages import ProblemBanner
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.focus import put_in_order, stops
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, line
from ximstudio.ui.widgets.look.progress import ProgressBar
from ximstudio.ui.widgets.text_dialog import fit_into_window

PAGES: tuple[type[ExportPage], ...] = (FigurePage, TextPage, TablesPage, ScriptPage, ReportPage)
SIZE, LEAST = (1000, 700), (760, 520)
BAR_WIDTH = 120
SomePage = TypeVar("SomePage", bound=ExportPage)


class ExportDialog(QDialog):
    """Export dialog; Enter saves, Escape closes."""

    def __init__(self, exporting: Exporter, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.setMinimumSize(*LEAST)
        self.exporting = exporting
        self._built: dict[type[ExportPage], ExportPage] = {}
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName("What to export")
        self.banner = ProblemBanner()
        self._stack = QStackedWidget()
        self.status = Elided(kind="muted")
        self.bar = ProgressBar()
        self.bar.setFixedWidth(BAR_WIDTH)
        self.bar.hide()
        self.show_folder = button("Show in folder", kind=ButtonKind.LINK, size=Size.SMALL)
        self.show_folder.hide()
        self.close_button = button("Close")
        self.copy = button("Copy", icon_name="copy")
        self.save_as = button("Save as…")
        self.save = button("Save", kind=ButtonKind.PRIMARY, icon_name="save")
        self._saved: Path | None = None
        for kind in PAGES:
            self.tabs.setTabToolTip(self.tabs.addTab(kind.name), kind.about)
        give_help(self, PAGES[0].about)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        below = hbox(self.bar, self.status, self.show_folder, STRETCH, gap=spacing.SMALL)
        for made in (self.close_button, self.copy, self.save_as, self.save):
            made.setAutoDefault(False)
            below.addWidget(made)
        self.save.setDefault(True)
        top = vbox(self.tabs, line(), gap=0)
        vbox(
            top,
            self.banner,
            (self._stack, 1),
            below,
            into=self,
            gap=spacing.MEDIUM,
            margins=(spacing.LARGE, spacing.SMALL, spacing.LARGE, spacing.LARGE),
        )

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._turn)
        self.save.clicked.connect(lambda: self.page.save(ask=False))
        self.save_as.clicked.connect(lambda: self.page.save(ask=True))
        self.copy.clicked.connect(self._copy)
        self.close_button.clicked.connect(self.reject)
        self.show_folder.clicked.connect(self._open_folder)
        self.exporting.writing.changed.connect(self._show_state)
        self.exporting.changed.connect(self._follow)

    @property
    def page(self) -> ExportPage:
        """The current page."""
        return self.page_of(PAGES[self.tabs.currentIndex()])

    @property
    def figure(self) -> FigurePage:
        """The page of the figure."""
        return self.page_of(FigurePage)

    def page_of(self, kind: type[SomePage]) -> SomePage:
        """Return a page; it is built on first access."""
        if kind not in self._built:
            page = self._built[kind] = kind(self.exporting)
            page.changed.connect(self._show_state)
            page.announced.connect(self._announce)
            page.refused.connect(self.show_problems)
            self._stack.addWidget(page)
        made = self._built[kind]
        assert isinstance(made, kind)
        return made

    def begin(self, offers: Sequence[FigureOffer], *, page: str = FigurePage.key) -> None:
        """Open the dialog at a page, with these figures to choose from."""
        fit_into_window(self, SIZE, least=LEAST)
        self.figure.offer(offers)
        self.clear_announcement()
        self.tabs.setCurrentIndex([kind.key for kind in PAGES].index(page))
        self.open()
        # Do not focus the first tab.
        self.setFocus()
        self._turn()

    @property
    def tables(self) -> TablesPage:
        """The page of the tables."""
        return self.page_of(TablesPage)

    def show_problems(self, problems: tuple[Problem, ...]) -> None:
        """Show problems above the page."""
        self.clear_announcement()
        self.banner.show_problems(problems)

    def clear_announcement(self) -> None:
        """Clear the message."""
        self._announce("", None)
        self.banner.hide()

    def done(self, result: int) -> None:
        """Close and cancel running exports."""
        self.exporting.stop()
        super().done(result)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802  (Qt's names)
        """Move the focus in visual order; Qt would use the order of construction."""
        buttons = (self.show_folder, self.close_button, self.copy, self.save_as, self.save)
        below = (stop for part in (self.banner, *buttons) for stop in stops(part))
        put_in_order((self.tabs, *stops(self.page), *below))
        return super().focusNextPrevChild(next)

    def _copy(self) -> None:
        self.page.copy()

    def _turn(self, _: int = 0) -> None:
        page = self.page
        self._stack.setCurrentWidget(page)
        self.setWhatsThis(page.about)
        self.copy.setVisible(bool(page.copies))
        self.copy.setToolTip(page.copies)
        self.clear_announcement()
        if self.isVisible():
            self._show_page()

    def _show_page(self) -> None:
        """Update the page; the text page describes the chosen figure."""
        if isinstance(self.page, TextPage):
            self.page.plan = self.figure.plan
        self.page.show_session()
        self._show_state()

    def _follow(self) -> None:
        """Update after a change of the session, such as a finished training."""
        if self.isVisible():
            self._show_page()

    def _show_state(self) -> None:
        busy, why_not = self.exporting.writing.busy, self.page.why_not
        for made in (self.save, self.save_as, self.copy):
            made.setEnabled(not busy and not why_not)
        self.save.setToolTip(why_not or f"Save as a new file in {self.exporting.folder}")
        self.save_as.setToolTip(why_not)
        self.bar.setVisible(busy)
        if busy:
            self.banner.hide()
            self.status.show_text("Exporting…")
            self.show_folder.hide()
            fraction = self.exporting.writing.fraction
            if fraction > 0.0:
                self.bar.show_fraction(fraction)
            else:
                self.bar.show_unknown()
        elif self.status.full == "Exporting…":
            self.status.show_text("")

    def _announce(self, what: str, path: Path | None) -> None:
        self.status.show_text(what)
        self._saved = path
        self.show_folder.setVisible(path is not None)
        if path is not None:
            self.show_folder.setToolTip(str(path.parent))

    def _open_folder(self) -> None:
        if self._saved is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._saved.parent)))
