"""The bar across the top: open, save, train, explore, compare, export; find, settings, help."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from ximstudio.load.samples import samples
from ximstudio.ui.find import WIDE, FindField
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, button, tool_button
from ximstudio.ui.look.icons import icon
from ximstudio.ui.look.theme import Scheme, the_theme
from ximstudio.ui.studio import Studio
from ximstudio.ui.training import Phase

SCHEMES = {
    Scheme.AUTO: "Colours as the system has them",
    Scheme.LIGHT: "Light colours",
    Scheme.DARK: "Dark colours",
}


ROOMY = 1160
"""From this width on all buttons have their words."""
TIGHT, LEAST_FINDER = 960, 150
"""Below this width the field to find genes is as narrow as it may be."""


class TopBar(QToolBar):
    """Its buttons follow what training is doing; what it cannot do itself it asks for."""

    open_wanted = Signal()
    save_wanted = Signal()
    save_as_wanted = Signal()
    sample_wanted = Signal(str)
    train_wanted = Signal()
    compare_wanted = Signal()
    scheme_wanted = Signal(str)
    forget_wanted = Signal()
    """A person wants the recent files forgotten."""
    help_wanted = Signal()
    about_wanted = Signal()
    guide_wanted = Signal()
    """The user wants to be guided through a first map again."""
    reading_wanted = Signal(bool)
    """Whether the user wants to be shown how each table is read, clear or not."""

    def __init__(self, studio: Studio, explore: QToolButton, export: QToolButton) -> None:
        super().__init__("Main")
        self.setObjectName("main bar")
        self.setMovable(False)
        self.setWhatsThis("Open a table, train a map of it, pause or stop; settings and help.")
        # A tool bar tells its buttons how large their icons are.
        self.setIconSize(QSize(spacing.ICON + spacing.HAIR, spacing.ICON))
        # Nobody could bring it back.
        self.toggleViewAction().setEnabled(False)
        self._studio = studio
        self.explore, self.export = explore, export
        self.open = tool_button("open", tip="Open a table or a session (Ctrl+O)", text="Open")
        self.save = tool_button("save", tip="")
        self.save.setMenu(self._save_menu())
        self.save.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.examples = _with_menu(
            tool_button("samples", tip="Example tables to try it on", text="Examples"),
            self._examples_menu(),
        )
        self.undo = tool_button("undo", tip="")
        self.redo = tool_button("redo", tip="")
        self.train = button("Train", kind=Kind.PRIMARY, icon_name="train")
        self.pause = tool_button("pause", tip="Pause; Train goes on where it was")
        self.stop = tool_button("stop", tip="Stop and keep the map as it is (Esc)")
        self.compare = tool_button("compare", tip="", text="Compare")
        self.finder = FindField(studio)
        self.settings = _with_menu(tool_button("settings", tip="Settings"), self._settings_menu())
        self.help = tool_button("help", tip="Help about what is in focus (F1)")
        self._fill()
        self.open.clicked.connect(self.open_wanted)
        self.save.clicked.connect(self.save_wanted)
        self.undo.clicked.connect(studio.undo)
        self.redo.clicked.connect(studio.redo)
        self.train.clicked.connect(self.train_wanted)
        self.pause.clicked.connect(studio.pause)
        self.stop.clicked.connect(studio.stop)
        self.compare.clicked.connect(self.compare_wanted)
        self.help.clicked.connect(self.help_wanted)
        studio.phase_changed.connect(self.show_session)
        studio.desk.changed.connect(self.show_session)
        self.show_session()
        self.show_saved(unsaved=False, able=False)

    def _fill(self) -> None:
        # "Continue" is longer than "Train"; what stands behind must not jump.
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
        """Leave words away where there is no room for all: cut ones would say less than none."""
        super().resizeEvent(event)
        styles = Qt.ToolButtonStyle
        narrow = self.width() < ROOMY
        style = styles.ToolButtonIconOnly if narrow else styles.ToolButtonTextBesideIcon
        for made in (self.examples, self.explore, self.compare, self.export):
            made.setToolButtonStyle(style)
        # Where there is least room the field gives way: buttons that are cut cannot be read.
        self.finder.setMaximumWidth(LEAST_FINDER if self.width() < TIGHT else WIDE)

    def show_session(self) -> None:
        """Enable what can be done now."""
        phase = self._studio.phase
        data = self._studio.session.data
        able = data is not None and data.matrix is not None
        self.train.setText("Continue" if phase is Phase.PAUSED else "Train")
        # Of a table that cannot be trained on it opens the step that says why, and mends it.
        opened = data is not None
        self.train.setEnabled(phase is Phase.PAUSED or (phase is Phase.IDLE and opened))
        self.pause.setEnabled(phase is Phase.RUNNING)
        self.stop.setEnabled(phase is not Phase.IDLE)
        self.train.setToolTip(self._train_tip(phase, opened=opened, able=able))

        self.compare.setEnabled(able)
        tip = "Methods and maps side by side" if able else "Open a table first"
        self.compare.setToolTip(tip)

        self._show_way(self.undo, "Undo", self._studio.undoes, "Ctrl+Z")
        self._show_way(self.redo, "Redo", self._studio.redoes, "Ctrl+Shift+Z")

    def show_saved(self, *, unsaved: bool, able: bool) -> None:
        """Say whether the session is saved as it is."""
        self.save.setEnabled(able)
        text = "Save the session (Ctrl+S)" if unsaved or not able else "All is saved (Ctrl+S)"
        self.save.setToolTip(text if able else "Nothing to save yet")
        self.save.setAccessibleName(self.save.toolTip())

    @staticmethod
    def _show_way(made: QToolButton, word: str, what: str, key: str) -> None:
        """Say what a step back or forth would do, if one can be made."""
        made.setEnabled(bool(what))
        text = f"{word}: {what} ({key})" if what else f"Nothing to {word.lower()}"
        made.setToolTip(text)
        made.setAccessibleName(text)

    def _same_run(self) -> str:
        """The name of the run that training would make again; empty if there is none."""
        session = self._studio.session
        matrix = None if session.data is None else session.data.matrix
        if matrix is None or not session.runs:
            return ""
        # Not above: it brings what maps are measured with.
        from ximstudio.session.repeated import same_run

        same = same_run(session.plan, matrix, session.runs)
        return "" if same is None else same.name

    def _train_tip(self, phase: Phase, *, opened: bool, able: bool) -> str:
        if phase is Phase.PAUSED:
            return "Go on where training was paused (Ctrl+R)"
        if phase is Phase.RUNNING:
            return "Training"
        if able:
            same = self._same_run()
            usual = "Train a new map with the chosen method (Ctrl+R)"
            return f"Train {same} once more: another seed gives another map" if same else usual
        if opened:
            return "The table cannot be trained on yet: click to see why, and to mend it"
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
        self.reading = menu.addAction("Show how each table is read")
        self.reading.setCheckable(True)
        self.reading.toggled.connect(self.reading_wanted)
        menu.addAction("Forget recent files").triggered.connect(self.forget_wanted)
        menu.addSeparator()
        menu.addAction("Guide me through a first map").triggered.connect(self.guide_wanted)
        menu.addAction("About XIM Studio").triggered.connect(self.about_wanted)
        return menu


def _with_menu(made: QToolButton, menu: QMenu) -> QToolButton:
    made.setMenu(menu)
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return made
