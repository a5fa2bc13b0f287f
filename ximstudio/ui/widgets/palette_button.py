"""Button that chooses the palette for numbers."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QMenu, QToolButton, QWidgetAction

from ximstudio.maps.palettes import PALETTES, Palette, PaletteScheme, default_palette, palette_named
from ximstudio.ui.widgets.look import spacing
from ximstudio.views.common.state import Palettes

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
