"""Buttons with a menu: one of several options, and the palette for numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QIcon, QImage, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QMenu, QToolButton, QWidgetAction

from ximstudio.maps.palettes import PALETTES, Palette, PaletteScheme, default_palette, palette_named
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.views.common.state import Palettes


class PickButton(QToolButton):
    """Button with an icon or a short text; `show_options` fills its menu."""

    chosen = Signal()

    def __init__(self, *, tip: str, icon_name: str = "", text: str = "") -> None:
        super().__init__()
        self._options: dict[str, str] = {}
        self._tips: dict[str, str] = {}
        self.value: str | None = None
        """The key of what the user chose, offered now or not; None if nothing was."""
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

    def show_options(
        self, options: Mapping[str, str], holds: str, tips: Mapping[str, str] | None = None
    ) -> None:
        """Offer these texts by key; tick the chosen or, if not offered, the effective one."""
        tips = self._tips if tips is None else dict(tips)
        if (dict(options), tips) != (self._options, self._tips):
            self._options, self._tips = dict(options), tips
            self._fill()
        ticked = self.value if self.value in self._options else holds
        for action in self._menu.actions():
            action.setChecked(action.data() == ticked)

    def choose(self, key: str) -> None:
        """Choose an option as the user would."""
        self.value = key
        self.show_options(self._options, key)
        self.chosen.emit()

    def restore(self, key: str | None) -> None:
        """Restore an earlier choice, if it is offered. No signal."""
        self.value = key
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


SWATCH = QSize(44, 12)
LARGE_SWATCH = QSize(72, 14)
WIDTH, ROW = 180, 28


class PaletteButton(QToolButton):
    """Button that shows the current palette; one is stored per scheme."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._scheme = PaletteScheme.SEQUENTIAL
        self._chosen = {scheme: default_palette(scheme).key for scheme in PaletteScheme}
        self._list = QListWidget()
        self._list.setIconSize(LARGE_SWATCH)
        self._list.setFixedWidth(WIDTH)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemClicked.connect(self._choose_item)
        self._list.itemActivated.connect(self._choose_item)
        # Qt's menu would squeeze the swatches into squares.
        menu = QMenu(self)
        entry = QWidgetAction(menu)
        entry.setDefaultWidget(self._list)
        menu.addAction(entry)
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(SWATCH)
        self.setAccessibleName("Colours")
        self.setToolTip("Colours; all palettes are safe for colour-blind readers")
        self._fill()

    @property
    def keys(self) -> Palettes:
        """The key of the palette for every scheme."""
        return tuple(self._chosen.items())

    def show_scheme(self, scheme: PaletteScheme) -> None:
        """Offer the palettes of this scheme."""
        if scheme is not self._scheme:
            self._scheme = scheme
            self._fill()

    def choose(self, key: str) -> None:
        """Use another palette for the numbers of its scheme."""
        self._chosen[palette_named(key).scheme] = key
        self._fill()
        self.chosen.emit()

    def restore(self, keys: Palettes) -> None:
        """Restore an earlier choice. No signal."""
        self._chosen.update(keys)
        self._fill()

    def _choose_item(self, item: QListWidgetItem) -> None:
        self.menu().close()
        self.choose(item.data(Qt.ItemDataRole.UserRole))

    def _fill(self) -> None:
        now = palette_named(self._chosen[self._scheme])
        self.setIcon(swatch(now, SWATCH))
        self._list.clear()
        for palette in PALETTES:
            if palette.scheme is self._scheme:
                item = QListWidgetItem(swatch(palette, LARGE_SWATCH), palette.name, self._list)
                item.setData(Qt.ItemDataRole.UserRole, palette.key)
                item.setToolTip(palette.source)
                if palette is now:
                    self._list.setCurrentItem(item)
        self._list.setFixedHeight(ROW * self._list.count() + 2 * spacing.HAIR)


def swatch(palette: Palette, size: QSize) -> QIcon:
    """Return a palette as a small bar."""
    columns = np.linspace(0, len(palette.table) - 1, size.width()).astype(np.int64)
    row = np.ascontiguousarray(palette.table[columns])
    image = QImage(row.data, size.width(), 1, 3 * size.width(), QImage.Format.Format_RGB888)
    picture = QPixmap.fromImage(image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio))
    made = QIcon(picture)
    # Otherwise Qt tints the chosen one.
    made.addPixmap(picture, QIcon.Mode.Selected)
    return made
