"""The window's theme: which colours are in use, and who follows them."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from ximstudio.pictures.colours import DARK, LIGHT, Colours
from ximstudio.ui.widgets.look.fonts import font
from ximstudio.ui.widgets.look.recolouring import Recolouring
from ximstudio.ui.widgets.look.sheet import style_sheet


class Scheme(StrEnum):
    """The colour scheme chosen in the settings."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """The current colours; notifies everything that depends on them.

    Qt's own colour scheme has no effect without a desktop theme, so the palette and the style
    sheet are ours on every system; only the wish for light or dark is taken from it.
    """

    changed = Signal()
    """The colours have changed, and every widget has them."""

    def __init__(self) -> None:
        super().__init__()
        self._scheme = Scheme.AUTO
        self._colours = LIGHT
        self._application: QApplication | None = None
        self._recolouring = Recolouring(self)
        self._recolouring.done.connect(self.changed)

    @property
    def scheme(self) -> Scheme:
        return self._scheme

    @property
    def colours(self) -> Colours:
        return self._colours

    @property
    def dark(self) -> bool:
        return self._colours is DARK

    def follow(self, method: Callable[[], object]) -> None:
        """Call a method of a widget or of something it draws whenever the colours have changed.

        What takes its colours from the theme while it paints needs none: windows are painted again.
        """
        self._recolouring.follow(method)

    def dress(self, application: QApplication) -> None:
        """Give the application its style, type and colours, and follow the system from now on."""
        if self._application is None:
            application.styleHints().colorSchemeChanged.connect(self._look)
        self._application = application
        application.setStyle("Fusion")
        application.setFont(font())
        self._colours = self._wanted()
        self._apply()
        self.finish()

    def choose(self, scheme: Scheme) -> None:
        """Take light, dark, or whatever the system says, before anything else happens."""
        self.switch(scheme)
        self.finish()

    def switch(self, scheme: Scheme) -> None:
        """Change to light, dark, or whatever the system says, while the window listens."""
        self._scheme = scheme
        if self._application is not None:
            # Title bars and file dialogs belong to the system: tell it too.
            self._application.styleHints().setColorScheme(_QT_SCHEMES[scheme])
        self._look()

    def finish(self) -> None:
        """Complete a change of colours at once."""
        self._recolouring.finish()

    @property
    def settled(self) -> bool:
        """True if every widget has the colours in use."""
        return self._recolouring.over

    def _look(self) -> None:
        wanted = self._wanted()
        if wanted is not self._colours:
            self._colours = wanted
            self._apply()

    def _wanted(self) -> Colours:
        if self._scheme is not Scheme.AUTO:
            return DARK if self._scheme is Scheme.DARK else LIGHT
        system = QGuiApplication.styleHints().colorScheme()
        return DARK if system is Qt.ColorScheme.Dark else LIGHT

    def _apply(self) -> None:
        if self._application is None:
            self.changed.emit()
        else:
            sheet = style_sheet(self._colours)
            self._recolouring.begin(self._application, sheet, palette(self._colours))


_QT_SCHEMES = {
    Scheme.AUTO: Qt.ColorScheme.Unknown,
    Scheme.LIGHT: Qt.ColorScheme.Light,
    Scheme.DARK: Qt.ColorScheme.Dark,
}


@cache
def the_theme() -> Theme:
    """The one theme of this process."""
    return Theme()


def palette(colours: Colours) -> QPalette:
    """The colours as Qt's roles, for whatever the style sheet does not name."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    filled = QPalette()
    for target, colour in {
        role.Window: colours.window,
        role.WindowText: colours.text,
        role.Base: colours.surface,
        role.AlternateBase: colours.window,
        role.ToolTipBase: colours.raised,
        role.ToolTipText: colours.text,
        role.Text: colours.text,
        role.PlaceholderText: colours.muted,
        role.Button: colours.surface,
        role.ButtonText: colours.text,
        role.BrightText: colours.danger,
        role.Link: colours.accent,
        role.LinkVisited: colours.accent,
        role.Highlight: colours.selection,
        role.HighlightedText: colours.text,
        role.Accent: colours.accent,
        role.Light: colours.raised,
        role.Midlight: colours.hover,
        role.Mid: colours.border,
        role.Dark: colours.border_strong,
        role.Shadow: colours.border_strong,
    }.items():
        filled.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        filled.setColor(group.Disabled, target, QColor(colours.disabled))
    return filled
