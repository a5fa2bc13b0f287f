"""The main window: toolbar, steps, views, runs and status."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Labelled
from ximstudio.ui import keys
from ximstudio.ui.desk import Desk
from ximstudio.ui.drop import DropCover, dropped_files
from ximstudio.ui.help import GUIDE, AboutDialog, HelpDialog, help_in_focus
from ximstudio.ui.look import spacing
from ximstudio.ui.look.theme import Scheme, the_theme
from ximstudio.ui.messages import ErrorDialog, ProblemBanner
from ximstudio.ui.opening import Opening
from ximstudio.ui.panels.steps import Steps
from ximstudio.ui.runs import RunsStrip
from ximstudio.ui.settings import Settings
from ximstudio.ui.status import StatusLine
from ximstudio.ui.studio import Phase, Studio
from ximstudio.ui.toolbar import TopBar
from ximstudio.ui.views import VIEWS
from ximstudio.ui.views.area import Pane, ViewArea
from ximstudio.ui.welcome import Welcome
from ximstudio.ui.words import name_of

SIZE = 1280, 800
LEAST = 900, 600
STEPS_WIDTH = 360


class MainWindow(QMainWindow):
    """Welcome until there is a table; then steps on the left, views in the centre, runs below.

    Without `settings` nothing is remembered.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self.setWindowTitle("XIM Studio")
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self.settings = Settings() if settings is None else settings
        self._labelled: Labelled | None = None
        self.desk = Desk(self)
        self.studio = Studio(self.desk)
        self.opening = Opening(self, self.studio, self.settings)
        self.bar = TopBar(self.studio)
        self.banner = ProblemBanner()
        self.welcome = Welcome(self.settings)
        self.steps = Steps(self.studio)
        self.views = ViewArea(self.studio)
        self.runs = RunsStrip(self.studio)
        self.status = StatusLine(self.studio)
        self.errors = ErrorDialog(self)
        self.help = HelpDialog(self)
        self.about = AboutDialog(self)
        self._lay_out()
        self._explain()
        self._connect()
        self._set_keys()
        self._restore()

    # Building

    def _lay_out(self) -> None:
        self.across = QSplitter()
        self.across.setChildrenCollapsible(False)
        self.across.addWidget(self.steps)
        self.across.addWidget(self.views)
        self.across.setStretchFactor(1, 1)
        self.across.setSizes([STEPS_WIDTH, SIZE[0] - STEPS_WIDTH])
        work = QWidget()
        down = QVBoxLayout(work)
        down.setContentsMargins(0, 0, 0, 0)
        down.setSpacing(0)
        down.addWidget(self.across, 1)
        down.addWidget(self.runs)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(work)
        centre = QWidget()
        self._notices = QWidget()
        notices = QVBoxLayout(self._notices)
        notices.setContentsMargins(*([spacing.SMALL] * 4))
        notices.addWidget(self.banner)
        self._notices.hide()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._notices)
        column.addWidget(self.pages, 1)
        self.setCentralWidget(centre)
        self.addToolBar(self.bar)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setStatusBar(self.status)
        self._cover = DropCover(centre)
        self.setAcceptDrops(True)
        # Files may be dropped anywhere; plots and lists would keep them to themselves.
        for area in self.findChildren(QAbstractScrollArea):
            area.viewport().setAcceptDrops(False)
            area.setAcceptDrops(False)

    def _explain(self) -> None:
        """Give every part something to say when F1 is pressed in it."""
        texts = dict(GUIDE)
        for panel in self.steps.panels:
            panel.setWhatsThis(panel.whatsThis() or texts.get(panel.name, ""))
        for pane in self.views.panes:
            for view in pane.views:
                view.setWhatsThis(view.whatsThis() or view.about)
        self.runs.setWhatsThis(texts["Runs"])
        self.welcome.setWhatsThis(texts["Open"])

    def _connect(self) -> None:
        self.desk.changed.connect(self._show_page)
        self.desk.refused.connect(self.show_problems)
        self.banner.closed.connect(self._notices.hide)
        self.status.problems_wanted.connect(lambda: self.show_problems(self.banner.problems))
        bar, welcome, opening = self.bar, self.welcome, self.opening
        for asks in (bar, welcome):
            asks.open_wanted.connect(opening.choose_file)
            asks.sample_wanted.connect(opening.open_sample)
        welcome.recent_wanted.connect(opening.open_recent)
        welcome.text_pasted.connect(opening.open_text)
        welcome.forget_wanted.connect(self._forget)
        bar.train_wanted.connect(self.train)
        bar.scheme_wanted.connect(self.choose_scheme)
        bar.forget_wanted.connect(lambda: self._forget(None))
        bar.help_wanted.connect(self.show_help)
        bar.about_wanted.connect(self.about.open)
        self.runs.folded.connect(lambda folded: self._switch("runs folded", folded))

    def _set_keys(self) -> None:
        for key, slot in (
            (keys.OPEN, self.opening.choose_file),
            (keys.TRAIN, self.train),
            (keys.STOP, self.stop),
            (keys.HELP, self.show_help),
        ):
            QShortcut(QKeySequence(key.keys), self, slot)
        for number in range(len(VIEWS)):
            QShortcut(
                QKeySequence(f"Ctrl+{number + 1}"),
                self,
                lambda number=number: self.show_view(number),
            )

    # What a person does

    def train(self) -> None:
        """Train or go on, and open the step that shows it."""
        if self.studio.phase is not Phase.RUNNING and self.bar.train.isEnabled():
            self.steps.open([panel.key for panel in self.steps.panels].index("train"))
            self.studio.train()

    def stop(self) -> None:
        """End what is going on."""
        self.status.stop()

    def show_view(self, number: int) -> None:
        """Show a view in the pane that the keyboard is in, or in the first."""
        self._pane.tabs.setCurrentIndex(number)

    @property
    def _pane(self) -> Pane:
        focus = QApplication.focusWidget()
        inside = (
            pane
            for pane in self.views.panes
            if pane.isVisible() and focus is not None and pane.isAncestorOf(focus)
        )
        return next(inside, self.views.panes[0])

    def choose_scheme(self, scheme: str) -> None:
        """Switch to light, dark, or as the system has it."""
        the_theme().choose(Scheme(scheme))
        self.settings.change(scheme=Scheme(scheme))

    def show_help(self) -> None:
        """Open the help page with what is in focus on top."""
        self.help.show_about(help_in_focus())

    def _forget(self, name: str | None) -> None:
        if name is None:
            self.settings.change(recent=())
        else:
            self.settings.forget_file(name)
        self.welcome.show_recent()

    # What is shown

    def show_problems(self, problems: object) -> None:
        """Show what was refused on top of the window."""
        assert isinstance(problems, tuple)
        self.banner.show_problems(problems)
        self._notices.setVisible(bool(problems))

    def show_unexpected(self, error: object) -> None:
        """Show an exception that nobody caught; refusals go where refusals go."""
        if isinstance(error, UserError):
            self.desk.refused.emit(error.problems)
        elif isinstance(error, BaseException):
            self.errors.show_error(error)

    def _show_page(self) -> None:
        data = self.studio.session.data
        if data is not None and data.labelled is not self._labelled:
            # What was refused was about another table.
            self._labelled = data.labelled
            self._notices.hide()
        self.pages.setCurrentIndex(0 if data is None else 1)
        self.setWindowTitle("XIM Studio" if data is None else f"{name_of(data)} – XIM Studio")

    # Files that are dragged

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802  (Qt's name)
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()
            self._show_drop(active=True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802  (Qt's name)
        self._show_drop(active=False)
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802  (Qt's name)
        self._show_drop(active=False)
        event.acceptProposedAction()
        self.opening.open_files(dropped_files(event.mimeData()))

    def _show_drop(self, *, active: bool) -> None:
        welcome = self.pages.currentWidget() is self.welcome
        self.welcome.drop_area.light_up(active and welcome)
        if active and not welcome:
            self._cover.cover()
        else:
            self._cover.hide()

    # What is remembered

    def _restore(self) -> None:
        layout = self.settings.now.layout
        if "window" in layout:
            self.restoreGeometry(_bytes(layout["window"]))
        if "across" in layout:
            self.across.restoreState(_bytes(layout["across"]))
        self.runs.show_folded(self.settings.now.switches.get("runs folded", False))
        self.bar.schemes[self.settings.now.scheme].setChecked(True)
        if not self.settings.forgetful:
            the_theme().choose(self.settings.now.scheme)

    def _switch(self, name: str, on: bool) -> None:
        self.settings.change(switches={**self.settings.now.switches, name: on})

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  (Qt's name)
        """End all work before the window goes."""
        self.settings.change(
            layout={
                **self.settings.now.layout,
                "window": _text(self.saveGeometry()),
                "across": _text(self.across.saveState()),
            }
        )
        # Gone for the person at once, even if the compiler takes a second to let go.
        self.hide()
        self.desk.close()
        super().closeEvent(event)


def _text(state: QByteArray) -> str:
    return bytes(state.toBase64().data()).decode("ascii")


def _bytes(text: str) -> QByteArray:
    return QByteArray.fromBase64(text.encode("ascii", errors="replace"))
