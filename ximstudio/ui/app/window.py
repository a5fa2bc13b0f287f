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
from PySide6.QtWidgets import QDialog, QMainWindow, QStackedWidget, QWidget

from ximstudio import isolated
from ximstudio.model.problem import UserError
from ximstudio.prepare.input import Labelled
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.about import AboutDialog
from ximstudio.ui.app.first_map import FirstMap
from ximstudio.ui.app.menus import ExploreMenu, ExportMenu
from ximstudio.ui.app.status_bar import StatusLine
from ximstudio.ui.app.toolbar import TopBar
from ximstudio.ui.app.welcome import Welcome
from ximstudio.ui.app.workspace import Workspace
from ximstudio.ui.dialogs.help import GUIDE, HelpDialog, help_in_focus
from ximstudio.ui.files.autosave import Autosaver
from ximstudio.ui.files.figures import FigureOpener
from ximstudio.ui.files.opening import SHOW_READING, FileOpener
from ximstudio.ui.files.recovery import Recovery, RecoveryOffer
from ximstudio.ui.files.reopening import SessionOpener
from ximstudio.ui.files.saving import Saving
from ximstudio.ui.runtime.messages import ErrorDialog, ProblemBanner
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.widgets import shortcuts as keys
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.drop_area import DropCover, dropped_files, let_drops_through
from ximstudio.ui.widgets.focus import FocusRing, put_in_order, stops
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.ui.widgets.slices import EventLoopSlices
from ximstudio.views.compare import COMPARE

if TYPE_CHECKING:
    from ximstudio.ui.panels.runs.strip import RunsStrip
    from ximstudio.ui.panels.steps import Steps
    from ximstudio.ui.views.area import ViewArea
    from ximstudio.views.common.state import ViewState

SIZE = 1280, 800
LEAST = 900, 600


class MainWindow(QMainWindow):
    """Main window: the welcome page, and the workspace as soon as there is a table.

    The workspace is built when it is first needed: see `work`. Without `settings` nothing is
    stored.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self.setWindowTitle("XIM Studio")
        self.setMinimumSize(*LEAST)
        self.resize(*SIZE)
        self.settings = settings = Settings() if settings is None else settings
        self._labelled: Labelled | None = None
        self.user_actions = actions = Actions(self)
        self.store, self.jobs = actions.store, actions.jobs
        self.keeping = Saving(self, actions, settings, views=self._view_values)
        self.reopening = SessionOpener(
            self,
            actions,
            settings,
            self.keeping,
            build=self._build_views,
            restore=self._restore_views,
        )
        self.figures = FigureOpener(self, actions, settings, self.keeping, show=self._show_view)
        self.opening = FileOpener(
            self,
            actions,
            settings,
            keeping=self.keeping,
            reopening=self.reopening,
            figures=self.figures,
        )
        self.autosaving = Autosaver(self, actions, self.keeping, folder=settings.recovery)
        self.recovering = Recovery(
            self, actions, self.reopening, self.autosaving, folder=settings.recovery
        )
        self.explorer = ExploreMenu(self, actions, settings)
        self.exporter = ExportMenu(self)
        self.bar = TopBar(actions, self.explorer.button, self.exporter.button)
        self.banner = ProblemBanner()
        self.offer = RecoveryOffer()
        self.first_map = FirstMap(actions, settings)
        self.welcome = Welcome(settings)
        self.page = Workspace(actions)
        self.status = StatusLine(actions)
        self._lay_out()
        self._connect()
        self._set_keys()
        self._restore()

    # Parts

    @property
    def work(self) -> Workspace:
        """The workspace; it is built on first access."""
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
        """The dialog for unexpected errors."""
        return ErrorDialog(self)

    @cached_property
    def help(self) -> HelpDialog:
        """The help page."""
        return HelpDialog(self)

    @cached_property
    def about(self) -> AboutDialog:
        """The About dialog."""
        return AboutDialog(self)

    # Building

    def _lay_out(self) -> None:
        self.pages = QStackedWidget()
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(self.page)
        centre = QWidget()
        self._notices = QWidget()
        vbox(self.banner, into=self._notices, margins=spacing.SMALL)
        self._notices.hide()
        self._offers = vbox(self.offer)
        guide = hbox(self.first_map, margins=(spacing.SMALL, spacing.HAIR, spacing.SMALL, 0))
        vbox(self._offers, self._notices, guide, (self.pages, 1), into=centre, gap=0, margins=0)
        self.setCentralWidget(centre)
        self.addToolBar(self.bar)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setStatusBar(self.status)
        self._cover = DropCover(centre)
        self._ring = FocusRing(self)
        self.setAcceptDrops(True)
        let_drops_through(self)
        self.welcome.setFocus()
        self.welcome.setWhatsThis(GUIDE["Open"])

    def _connect(self) -> None:
        self.page.built.connect(self._restore_work)
        self.store.changed.connect(self._show_page)
        self.keeping.changed.connect(self._show_title)
        self.keeping.announced.connect(self.status.announce)
        self.figures.announced.connect(self.status.announce)
        self.recovering.found.connect(self._show_offer)
        self.offer.recover_wanted.connect(self.recovering.recover)
        self.offer.discard_wanted.connect(self.recovering.discard)
        self.jobs.refused.connect(self.show_problems)
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
        bar.compare_wanted.connect(lambda: self.views.pane.show_view(COMPARE.key))
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
            (keys.UNDO, self.user_actions.undo),
            (keys.REDO, self.user_actions.redo),
            (keys.ALL, self.user_actions.selecting.select_all),
            (keys.NONE, self.user_actions.selecting.clear),
            (keys.INVERT, self.user_actions.selecting.invert),
            (keys.BEFORE, self.user_actions.selecting.select_before),
            (keys.ZOOM, self.user_actions.derived_maps.zoom_in),
            (keys.UP, self.user_actions.derived_maps.go_up),
            (keys.FIND, self.bar.finder.begin),
            (keys.STOP, self.stop),
            (keys.HELP, self.show_help),
            (keys.QUIT, self.close),
        ):
            QShortcut(QKeySequence(key.keys), self, slot)

    # Actions of the user

    def train(self) -> None:
        """Train or continue, and open the Train step."""
        if self.user_actions.phase is not Phase.RUNNING and self.bar.train.isEnabled():
            self.steps.open_step("train")
            self.user_actions.train()

    def save(self) -> None:
        """Save the session; ask for a file if it has none."""
        if self.keeping.can_save:
            self.keeping.save()

    def save_as(self) -> None:
        """Ask for a file and save the session."""
        self.keeping.save_as()

    def stop(self) -> None:
        """Cancel the running job."""
        self.status.stop()

    def choose_scheme(self, scheme: str) -> None:
        """Switch to light, dark, or the system's colours."""
        the_theme().switch(Scheme(scheme))
        self.settings.change(scheme=Scheme(scheme))

    def show_help(self) -> None:
        """Open the help page with the focused widget on top."""
        self.help.show_about(help_in_focus())

    def show_about(self) -> None:
        """Open the About dialog."""
        self.about.open()

    def _forget(self, name: str | None) -> None:
        if name is None:
            self.settings.change(recent=())
        else:
            self.settings.forget_file(name)
        self.welcome.show_recent()

    # Display

    def show_problems(self, problems: object) -> None:
        """Show problems at the top of the window."""
        assert isinstance(problems, tuple)
        self.banner.show_problems(problems)
        self._notices.setVisible(bool(problems))

    def show_unexpected(self, error: object) -> None:
        """Show an uncaught exception; a UserError is shown as problems."""
        if isinstance(error, UserError):
            self.jobs.refused.emit(error.problems)
        elif isinstance(error, BaseException):
            self.errors.show_error(error)

    def _show_page(self) -> None:
        data = self.user_actions.session.data
        if data is not None and data.labelled is not self._labelled:
            # The problems were about another table.
            self._labelled = data.labelled
            self._notices.hide()
        # A session without its table may have maps.
        empty = data is None and not self.user_actions.session.runs
        self._turn_to(self.welcome if empty else self.work)

    def _turn_to(self, page: QWidget) -> None:
        if page is not self.pages.currentWidget():
            self.pages.setCurrentWidget(page)
            # Qt would focus the first button.
            (self if page is self.page else page).setFocus()

    def _show_offer(self, left: object) -> None:
        assert isinstance(left, tuple)
        self.offer.show_left(left)
        gap = spacing.SMALL if left else 0
        self._offers.setContentsMargins(gap, gap, gap, 0)

    def _show_title(self) -> None:
        """Show the name of the session and Qt's marker for unsaved changes."""
        name = self.keeping.name
        self.setWindowTitle(f"{name}[*] – XIM Studio" if name else "XIM Studio")
        self.setWindowModified(bool(name) and self.keeping.unsaved)
        self.bar.show_saved(unsaved=self.keeping.unsaved, able=self.keeping.can_save)

    def _view_values(self) -> dict[str, Any]:
        """Return the state of the views; empty before they are built."""
        return self.page.views.state if self.page.is_built else {}

    def _show_view(self, state: ViewState) -> None:
        """Set a view as in a figure."""
        pane = self.views.pane
        pane.show_view(state.view)
        pane.view.restore(state)
        self.views.show_panes(self.views.split.value)

    def _build_views(self, values: object, then: Callable[[], None]) -> None:
        """Build the workspace and the views for these values, in slices."""
        self._in_pieces(self._pieces_for(values), then)

    def _in_pieces(self, pieces: Iterator[object], then: Callable[[], None]) -> None:
        """Run the pieces one per event-loop iteration."""
        # A separate queue: another session may be loading, too.
        slices = EventLoopSlices(self)

        def over() -> None:
            slices.deleteLater()
            then()

        slices.run_through(pieces, over)

    def _pieces_for(self, values: object) -> Iterator[bool]:
        while self.page.build():
            yield True
        for _ in self.page.views.build_for(values):
            yield True
        # Shown while empty: showing it takes as long as filling it.
        self._turn_to(self.page)
        yield True

    def _restore_views(self, values: object, then: Callable[[], None]) -> None:
        self._in_pieces(self.views.restoring(values), then)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802  (Qt's names)
        """Move the focus in visual order; Qt would use the order of construction."""
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

    # Drag and drop

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

    # Stored state

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
        panel.announced.connect(self.status.announce)
        panel.chosen.export_wanted.connect(self.exporter.show_selected)

    def _switch(self, name: str, on: bool) -> None:
        self.settings.change(switches={**self.settings.now.switches, name: on})

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  (Qt's name)
        """End all work before the window closes."""
        layout = {**self.settings.now.layout, "window": _text(self.saveGeometry())}
        if self.page.is_built:
            layout["across"] = _text(self.page.across.saveState())
        self.settings.change(layout=layout)
        # Close dialogs: they could not be answered, and one that reads a file would continue.
        for dialog in self.findChildren(QDialog):
            dialog.close()
        # Hide at once, even if the compiler needs another second.
        self.hide()
        self.user_actions.ahead.end()
        isolated.close()
        self.jobs.close()
        self.autosaving.end()
        self.keeping.release()
        for timer in self.findChildren(QTimer):
            timer.stop()
        for slices in self.findChildren(EventLoopSlices):
            slices.cancel()
        super().closeEvent(event)


def _text(state: QByteArray) -> str:
    return bytes(state.toBase64().data()).decode("ascii")


def _bytes(text: str) -> QByteArray:
    return QByteArray.fromBase64(text.encode("ascii", errors="replace"))
