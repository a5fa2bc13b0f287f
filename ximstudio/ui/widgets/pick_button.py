"""Button with a menu of which exactly one entry is checked."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.icons import icon


class PickButton(QToolButton):
    """Button with an icon or a short text; `show_options` fills its menu."""

    chosen = Signal()

    def __init__(self, *, tip: str, icon_name: str = "", text: str = "") -> None:
        super().__init__()
        self._options: dict[str, str] = {}
        self._tips: dict[str, str] = {}
        self._value: str | None = None
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setText(text)
        if icon_name:
            self.setIcon(icon(icon_name))
            self.setIconSize(QSize(spacing.ICON, spacing.ICON))

    @property
    def value(self) -> str | None:
        """The key of what the user chose, offered now or not; None if nothing was."""
        return self._value

    def show_options(
        self, options: Mapping[str, str], holds: str, tips: Mapping[str, str] | None = None
    ) -> None:
        """Offer these texts by key; tick the chosen or, if not offered, the effective one."""
        tips = self._tips if tips is None else dict(tips)
        if (dict(options), tips) != (self._options, self._tips):
            self._options, self._tips = dict(options), tips
            self._fill()
        ticked = self._value if self._value in self._options else holds
        for action in self._menu.actions():
            action.setChecked(action.data() == ticked)

    def choose(self, key: str) -> None:
        """Choose an option as the user would."""
        self._value = key
        self.show_options(self._options, key)
        self.chosen.emit()

    def restore(self, key: str | None) -> None:
        """Restore an earlier choice, if it is offered. No signal."""
        self._value = key
        for action in self._menu.actions() if key is not None else ():
            action.setChecked(action.data() == key)

    def _fill(self) -> None:
        self._menu.clear()
        group = QActionGroup(self._menu)
        for key, text in self._options.items():
            # A single ampersand would be a mnemonic.
            action = self._menu.addAction(text.replace("&", "&&"))
            action.setData(key)
            action.setCheckable(True)
            action.setToolTip(self._tips.get(key, text))
            action.triggered.connect(lambda _=False, key=key: self.choose(key))
            group.addAction(action)
