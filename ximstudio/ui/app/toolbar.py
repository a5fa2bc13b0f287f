"""Toolbar: open, save, train, explore, compare, export; find, settings, help."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from ximstudio.load.samples import samples
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.actions.trainer import Phase
from ximstudio.ui.app.find_field import WIDE, FindField
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, tool_button
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

SCHEMES = {
    Scheme.AUTO: "Follow the system's colours",
    Scheme.LIGHT: "Light colours",
    Scheme.DARK: "Dark colours",
}


ROOMY = 1160
"""From this width on, all buttons show their text."""
TIGHT, LEAST_FINDER = 960, 150
"""Below this width the search field has its minimum width."""


class TopBar(QToolBar):
    """Toolbar whose buttons follow the state of training; it emits signals for what others do."""

    open_wanted = Signal()
    save_wanted = Signal()
    save_as_wanted = Signal()
    sample_wanted = Signal(str)
    train_wanted = Signal()
    compare_wanted = Signal()
    scheme_wanted = Signal(str)
    forget_wanted = Signal()
    """The user wants to clear the recent files."""
    help_wanted = Signal()
    about_wanted = Signal()
    guide_wanted = Signal()
    """The user wants to see the first-map guide."""
    reading_wanted = Signal(bool)
    """True if the import dialog is always shown."""

    def __init__(self, actions: Actions, explore: QToolButton, export: QToolButton) -> None:
        super().__init__("Main")
        self.setObjectName("main bar")
        self.setMovable(False)
        self.setWhatsThis("Open a table, train a map, pause or stop; settings and help.")
        # Set on the toolbar: it determines the icon size of its buttons.
        self.setIconSize(QSize(spacing.ICON + spacing.HAIR, spacing.ICON))
        # The user could not show it again.
        self.toggleViewAction().setEnabled(False)
        self._actions = actions
        self.explore, self.export = explore, export
        self.open = tool_button("open", tip="Open a table or a session (Ctrl+O)", text="Open")
        self.save = tool_button("save", tip="")
        self.save.setMenu(self._save_menu())
        self.save.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.examples = _with_menu(
            tool_button("samples", tip="Open an example table", text="Examples"),
            self._examples_menu(),
        )
        self.undo = tool_button("undo", tip="")
        self.redo = tool_button("redo", tip="")
        self.train = button("Train", kind=ButtonKind.PRIMARY, icon_name="train")
        self.pause = tool_button("pause", tip="Pause; Continue resumes training")
        self.stop = tool_button("stop", tip="Stop and keep the current map (Esc)")
        self.compare = tool_button("compare", tip="", text="Compare")
        self.finder = FindField(actions)
        self.settings = _with_menu(tool_button("settings", tip="Settings"), self._settings_menu())
        self.help = tool_button("help", tip="Help on the focused part of the window (F1)")
        self._fill()
        self.open.clicked.connect(self.open_wanted)
        self.save.clicked.connect(self.save_wanted)
        self.undo.clicked.connect(actions.undo)
        self.redo.clicked.connect(actions.redo)
        self.train.clicked.connect(self.train_wanted)
        self.pause.clicked.connect(actions.pause)
        self.stop.clicked.connect(actions.stop)
        self.compare.clicked.connect(self.compare_wanted)
        self.help.clicked.connect(self.help_wanted)
        actions.phase_changed.connect(self.show_session)
        actions.store.changed.connect(self.show_session)
        self.show_session()
        self.show_saved(unsaved=False, able=False)

    def _fill(self) -> None:
        # "Continue" is longer than "Train"; the buttons after it must not move.
        self.train.setText("Continue")
        self.train.setMinimumWidth(self.train.sizeHint().width())
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        groups: tuple[tuple[QWidget, ...], ...] = (
            (self.open, self.examples, self.save),
            (self.undo, self.redo),
            (self.train, self.pause, self.stop),
            (self.explore, self.compare, self.export),
        )
        for group in groups:
            for widget in group:
                self.addWidget(widget)
            if group is not groups[-1]:
                self.addSeparator()
        for widget in (gap, self.finder, self.settings, self.help):
            self.addWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        """Hide the texts of buttons if there is no room for all of them."""
        super().resizeEvent(event)
        styles = Qt.ToolButtonStyle
        narrow = self.width() < ROOMY
        style = styles.ToolButtonIconOnly if narrow else styles.ToolButtonTextBesideIcon
        for made in (self.examples, self.explore, self.compare, self.export):
            made.setToolButtonStyle(style)
        # In the narrowest windows the search field shrinks before buttons are cut.
        self.finder.setMaximumWidth(LEAST_FINDER if self.width() < TIGHT else WIDE)

    def show_session(self) -> None:
        """Enable the available actions."""
        phase = self._actions.phase
        data = self._actions.session.data
        able = data is not None and data.matrix is not None
        self.train.setText("Continue" if phase is Phase.PAUSED else "Train")
        # Enabled even if the table cannot be trained on: it then opens the step that explains why.
        opened = data is not None
        self.train.setEnabled(phase is Phase.PAUSED or (phase is Phase.IDLE and opened))
        self.pause.setEnabled(phase is Phase.RUNNING)
        self.stop.setEnabled(phase is not Phase.IDLE)
        self.train.setToolTip(self._train_tip(phase, opened=opened, able=able))

        self.compare.setEnabled(able)
        tip = "Compare methods and maps side by side" if able else "Open a table first"
        self.compare.setToolTip(tip)

        self._show_way(self.undo, "Undo", self._actions.undoes, "Ctrl+Z")
        self._show_way(self.redo, "Redo", self._actions.redoes, "Ctrl+Shift+Z")

    def show_saved(self, *, unsaved: bool, able: bool) -> None:
        """Show whether the session has unsaved changes."""
        self.save.setEnabled(able)
        text = (
            "Save the session (Ctrl+S)" if unsaved or not able else "Everything is saved (Ctrl+S)"
        )
        self.save.setToolTip(text if able else "Nothing to save yet")
        self.save.setAccessibleName(self.save.toolTip())

    @staticmethod
    def _show_way(made: QToolButton, word: str, what: str, key: str) -> None:
        """Show what undo or redo would do."""
        made.setEnabled(bool(what))
        text = f"{word}: {what} ({key})" if what else f"Nothing to {word.lower()}"
        made.setToolTip(text)
        made.setAccessibleName(text)

    def _same_run(self) -> str:
        """Return the name of the run that training would repeat; '' for none."""
        session = self._actions.session
        matrix = None if session.data is None else session.data.matrix
        if matrix is None or not session.runs:
            return ""
        # Imported late: it imports the measures.
        from ximstudio.session.plan_changes import same_run

        same = same_run(session.plan, matrix, session.runs)
        return "" if same is None else same.name

    def _train_tip(self, phase: Phase, *, opened: bool, able: bool) -> str:
        if phase is Phase.PAUSED:
            return "Continue training (Ctrl+R)"
        if phase is Phase.RUNNING:
            return "Training"
        if able:
            same = self._same_run()
            usual = "Train a new map with the chosen method (Ctrl+R)"
            return f"Train {same} again: another seed gives another map" if same else usual
        if opened:
            return "The table cannot be trained on yet: click to see why and to fix it"
        return "Open a table first"

    def _examples_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for key, sample in samples().items():
            action = menu.addAction(icon("data"), sample.title)
            action.setToolTip(sample.about)
            action.triggered.connect(lambda _, key=key: self.sample_wanted.emit(key))
        return menu

    def _save_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(icon("save"), "Save").triggered.connect(self.save_wanted)
        menu.addAction("Save as… (Ctrl+Shift+S)").triggered.connect(self.save_as_wanted)
        return menu

    def _settings_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        self.schemes = {}
        for scheme, text in SCHEMES.items():
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(scheme is the_theme().scheme)
            action.triggered.connect(lambda _, key=scheme.value: self.scheme_wanted.emit(key))
            group.addAction(action)
            self.schemes[scheme] = action
        menu.addSeparator()
        self.reading = menu.addAction("Always show the import dialog")
        self.reading.setCheckable(True)
        self.reading.toggled.connect(self.reading_wanted)
        menu.addAction("Forget recent files").triggered.connect(self.forget_wanted)
        menu.addSeparator()
        menu.addAction("Show the first-map guide").triggered.connect(self.guide_wanted)
        menu.addAction("About XIM Studio").triggered.connect(self.about_wanted)
        return menu


def _with_menu(made: QToolButton, menu: QMenu) -> QToolButton:
    made.setMenu(menu)
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return made
