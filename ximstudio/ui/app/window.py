"""The main window: toolbar, steps, views, runs and status."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from ximstudio import isolated
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Labelled
from ximstudio.ui import keys
from ximstudio.ui.about import AboutDialog
from ximstudio.ui.autosaving import Autosaving
from ximstudio.ui.desk import Desk
from ximstudio.ui.drop import DropCover, dropped_files, let_drops_through
from ximstudio.ui.explorer import Explorer
from ximstudio.ui.exporter import Exporter
from ximstudio.ui.figures import Figures
from ximstudio.ui.first_map import FirstMap
from ximstudio.ui.focus_ring import FocusRing
from ximstudio.ui.help import GUIDE, HelpDialog, help_in_focus
from ximstudio.ui.keeping import Keeping
from ximstudio.ui.look import spacing
from ximstudio.ui.look.theme import Scheme, the_theme
from ximstudio.ui.messages import ErrorDialog, ProblemBanner
from ximstudio.ui.opening import SHOW_READING, Opening
from ximstudio.ui.recovering import Recovering
from ximstudio.ui.recovery_offer import RecoveryOffer
from ximstudio.ui.reopening import Reopening
from ximstudio.ui.settings import Settings
from ximstudio.ui.status import StatusLine
from ximstudio.ui.studio import Studio
from ximstudio.ui.tab_order import put_in_order, stops
from ximstudio.ui.toolbar import TopBar
from ximstudio.ui.training import Phase
from ximstudio.ui.turns import Turns
from ximstudio.ui.welcome import Welcome
from ximstudio.ui.work import Work

if TYPE_CHECKING:
    from ximstudio.pictures.states import ViewState
    from ximstudio.ui.panels.steps import Steps
    from ximstudio.ui.runs import RunsStrip
    from ximstudio.ui.views.area import ViewArea

SIZE = 1280, 800
LEAST = 900, 600


class MainWindow(QMainWindow):
    """Welcome until there is a table; then the page to work on it.

    That page is not built before somebody needs it: see `work`. Without `settings` nothing is
    remembered.
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
        self.keeping = Keeping(self, self.studio, self.settings, views=self._view_values)
        self.reopening = Reopening(
            self,
            self.studio,
            self.settings,
            self.keeping,
            build=self._build_views,
            restore=self._restore_views,
        )
        self.figures = Figures(self, self.studio, self.settings, self.keeping, show=self._show_view)
        self.opening = Opening(
            self,
            self.studio,
            self.settings,
            keeping=self.keeping,
            reopening=self.reopening,
            figures=self.figures,
        )
        recovery = self.settings.recovery
        self.autosaving = Autosaving(self, self.studio, self.keeping, folder=recovery)
        self.recovering = Recovering(
            self, self.studio, self.reopening, self.autosaving, folder=recovery
        )
        self.explorer = Explorer(self, self.studio, self.settings)
        self.exporter = Exporter(self)
        self.bar = TopBar(self.studio, self.explorer.button, self.exporter.button)
        self.banner = ProblemBanner()
        self.offer = RecoveryOffer()
        self.first_map = FirstMap(self.studio, self.settings)
        self.welcome = Welcome(self.settings)
        self.page = Work(self.studio)
        self.status = StatusLine(self.studio)
        self._lay_out()
        self._connect()
        self._set_keys()
        self._restore()

    # Parts

    @property
    def work(self) -> Work:
        """The page to work on a table; built now if it is not."""
        self.page.finish()
        return self.page

    @property
    def steps(self) -> Steps:
        """The steps on the left."""
        return self.work.steps

    @property
    def views(self) -> ViewArea:
        """The views in the centre."""
        return self.work.views

    @property
    def runs(self) -> RunsStrip:
        """The runs below."""
        return self.work.runs

    @cached_property
    def errors(self) -> ErrorDialog:
        """What went wrong that should not have."""
        return ErrorDialog(self)

    @cached_property
    def help(self) -> HelpDialog:
        """The help page."""
        return HelpDialog(self)

    @cached_property
    def about(self) -> AboutDialog:
        """What this is, and what to cite."""
        return AboutDialog(self)

    # Building

    def _lay_out(self) -> None:
        self.pages = QStackedWidget()
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(self.page)
        centre = QWidget()
        self._notices = QWidget()
        notices = QVBoxLayout(self._notices)
        notices.setContentsMargins(*([spacing.SMALL] * 4))
        notices.addWidget(self.banner)
        self._notices.hide()
        self._offers = QVBoxLayout()
        self._offers.addWidget(self.offer)
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._offers)
        column.addWidget(self._notices)
        guide = QHBoxLayout()
        guide.setContentsMargins(spacing.SMALL, spacing.HAIR, spacing.SMALL, 0)
        guide.addWidget(self.first_map)
        column.addLayout(guide)
        column.addWidget(self.pages, 1)
        self.setCentralWidget(centre)
        self.addToolBar(self.bar)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setStatusBar(self.status)
        self._cover = DropCover(centre)
        self._ring = FocusRing(self)
        self.setAcceptDrops(True)
        let_drops_through(self)
        self.welcome.setFocus()
        self.welcome.setWhatsThis(dict(GUIDE)["Open"])

    def _connect(self) -> None:
        self.page.built.connect(self._restore_work)
        self.desk.changed.connect(self._show_page)
        self.keeping.changed.connect(self._show_title)
        self.keeping.told.connect(self.status.tell)
        self.figures.told.connect(self.status.tell)
        self.recovering.found.connect(self._show_offer)
        self.offer.recover_wanted.connect(self.recovering.recover)
        self.offer.discard_wanted.connect(self.recovering.discard)
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
        bar.save_wanted.connect(self.save)
        bar.save_as_wanted.connect(self.save_as)
        bar.train_wanted.connect(self.train)
        bar.compare_wanted.connect(lambda: self.views.pane.show_view("compare"))
        bar.scheme_wanted.connect(self.choose_scheme)
        bar.forget_wanted.connect(lambda: self._forget(None))
        bar.help_wanted.connect(self.show_help)
        bar.about_wanted.connect(self.show_about)
        bar.guide_wanted.connect(self.first_map.begin)
        bar.reading.setChecked(self.settings.now.switches.get(SHOW_READING, False))
        bar.reading_wanted.connect(lambda on: self._switch(SHOW_READING, on))
        self.first_map.train_wanted.connect(self.train)

    def _set_keys(self) -> None:
        for key, slot in (
            (keys.OPEN, self.opening.choose_file),
            (keys.SAVE, self.save),
            (keys.SAVE_AS, self.save_as),
            (keys.TRAIN, self.train),
            (keys.UNDO, self.studio.undo),
            (keys.REDO, self.studio.redo),
            (keys.ALL, self.studio.choosing.select_all),
            (keys.NONE, self.studio.choosing.clear),
            (keys.INVERT, self.studio.choosing.invert),
            (keys.BEFORE, self.studio.choosing.select_before),
            (keys.ZOOM, self.studio.descending.zoom_in),
            (keys.UP, self.studio.descending.go_up),
            (keys.FIND, self.bar.finder.begin),
            (keys.STOP, self.stop),
            (keys.HELP, self.show_help),
            (keys.QUIT, self.close),
        ):
            QShortcut(QKeySequence(key.keys), self, slot)

    # What a person does

    def train(self) -> None:
        """Train or go on, and open the step that shows it."""
        if self.studio.phase is not Phase.RUNNING and self.bar.train.isEnabled():
            self.steps.open_step("train")
            self.studio.train()

    def save(self) -> None:
        """Save the session, and ask where if it has no file yet."""
        if self.keeping.can_save:
            self.keeping.save()

    def save_as(self) -> None:
        """Ask where the session is to be saved."""
        self.keeping.save_as()

    def stop(self) -> None:
        """End what is going on."""
        self.status.stop()

    def choose_scheme(self, scheme: str) -> None:
        """Switch to light, dark, or as the system has it."""
        the_theme().switch(Scheme(scheme))
        self.settings.change(scheme=Scheme(scheme))

    def show_help(self) -> None:
        """Open the help page with what is in focus on top."""
        self.help.show_about(help_in_focus())

    def show_about(self) -> None:
        """Say what this is."""
        self.about.open()

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
        # A session may have come without its table, and have maps all the same.
        empty = data is None and not self.studio.session.runs
        self._turn_to(self.welcome if empty else self.work)

    def _turn_to(self, page: QWidget) -> None:
        if page is not self.pages.currentWidget():
            self.pages.setCurrentWidget(page)
            # Qt gives the keyboard to the first button in line, which nobody asked for.
            (self if page is self.page else page).setFocus()

    def _show_offer(self, left: object) -> None:
        assert isinstance(left, tuple)
        self.offer.show_left(left)
        gap = spacing.SMALL if left else 0
        self._offers.setContentsMargins(gap, gap, gap, 0)

    def _show_title(self) -> None:
        """Say what is worked on, and by Qt's sign whether it is unsaved."""
        name = self.keeping.name
        self.setWindowTitle(f"{name}[*] – XIM Studio" if name else "XIM Studio")
        self.setWindowModified(bool(name) and self.keeping.unsaved)
        self.bar.show_saved(unsaved=self.keeping.unsaved, able=self.keeping.can_save)

    def _view_values(self) -> dict[str, Any]:
        """How the views are set; nothing before there are any."""
        return self.page.views.state if self.page.is_built else {}

    def _show_view(self, state: ViewState) -> None:
        """Set a view as it was in a figure."""
        pane = self.views.pane
        pane.show_view(state.view)
        pane.view.restore(state)
        self.views.show_panes(self.views.split.value)

    def _build_views(self, values: object, then: Callable[[], None]) -> None:
        """Build the page and the views that these values set, in pieces that nobody feels."""
        self._in_pieces(self._pieces_for(values), then)

    def _in_pieces(self, pieces: Iterator[object], then: Callable[[], None]) -> None:
        """Do one piece after the other; in between the window is painted, and listens."""
        # Of its own: another session may be on its way, too.
        turns = Turns(self)

        def over() -> None:
            turns.deleteLater()
            then()

        turns.go_through(pieces, over)

    def _pieces_for(self, values: object) -> Iterator[bool]:
        while self.page.build():
            yield True
        for _ in self.page.views.build_for(values):
            yield True
        # Empty as it is: to show it takes as long as to fill it.
        self._turn_to(self.page)
        yield True

    def _restore_views(self, values: object, then: Callable[[], None]) -> None:
        self._in_pieces(self.views.restoring(values), then)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802  (Qt's names)
        """Go through the window as it is seen; Qt would go to what was built later at last."""
        page = stops(self.welcome) if self.pages.currentWidget() is self.welcome else None
        put_in_order(
            (
                *stops(self.bar),
                *stops(self.offer),
                *stops(self.banner),
                *stops(self.first_map),
                *(self.page.stops() if page is None else page),
                *stops(self.status),
            )
        )
        moved = super().focusNextPrevChild(next)
        self._ring.follow()
        return moved

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
        self.bar.schemes[self.settings.now.scheme].setChecked(True)
        if not self.settings.forgetful:
            the_theme().choose(self.settings.now.scheme)
        if self.settings.trouble is not None:
            self.show_problems((self.settings.trouble,))

    def _restore_work(self) -> None:
        now = self.settings.now
        if "across" in now.layout:
            self.page.across.restoreState(_bytes(now.layout["across"]))
        self.page.runs.show_folded(now.switches.get("runs folded", False))
        self.page.runs.place_wanted.connect(self.explorer.choose_file)
        self.page.runs.export_wanted.connect(self.exporter.show_run)
        self.page.runs.folded.connect(lambda folded: self._switch("runs folded", folded))
        panel = self.page.panel
        if "selection folded" in now.switches:
            panel.show_folded(now.switches["selection folded"])
        panel.folded.connect(lambda folded: self._switch("selection folded", folded))
        panel.told.connect(self.status.tell)
        panel.chosen.export_wanted.connect(self.exporter.show_selected)

    def _switch(self, name: str, on: bool) -> None:
        self.settings.change(switches={**self.settings.now.switches, name: on})

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  (Qt's name)
        """End all work before the window goes."""
        layout = {**self.settings.now.layout, "window": _text(self.saveGeometry())}
        if self.page.is_built:
            layout["across"] = _text(self.page.across.saveState())
        self.settings.change(layout=layout)
        # Nobody could answer them any more, and one that reads a file would go on.
        for dialog in self.findChildren(QDialog):
            dialog.close()
        # Gone for the person at once, even if the compiler takes a second to let go.
        self.hide()
        self.studio.ahead.end()
        isolated.close()
        self.desk.close()
        self.autosaving.end()
        self.keeping.release()
        for timer in self.findChildren(QTimer):
            timer.stop()
        for turns in self.findChildren(Turns):
            turns.take()
        super().closeEvent(event)


def _text(state: QByteArray) -> str:
    return bytes(state.toBase64().data()).decode("ascii")


def _bytes(text: str) -> QByteArray:
    return QByteArray.fromBase64(text.encode("ascii", errors="replace"))
