"""Field for pins: a list with remove buttons, and a line to add one."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from ximstudio.session.words import Words
from ximstudio.train.anchor_params import Pins
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.forms.fields import Field
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, button, label, tool_button

MOST_LISTED = 12
"""Maximum number of listed pins; the rest is counted."""


class PinsField(Field):
    """Field that lists pins, and removes and adds them."""

    def __init__(self, spec: Pins, words: Words | None = None) -> None:
        super().__init__(spec)
        self._item = "item" if words is None else words.item
        self.rows = PinRows()
        self.none = label(
            f"None. Select a {self._item} on the map and press Pin.", kind="caption", wrap=True
        )
        self.edit = QLineEdit()
        self.controls = (self.edit,)
        self.edit.setPlaceholderText(f"row:column={self._item}")
        self.edit.setAccessibleName(f"{spec.label}: add one")
        self.edit.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for place, widget in enumerate((self.edit, self.none, self.rows)):
            self._column.insertWidget(place, widget)
        # On Enter or focus loss: an incomplete pin is not an error while the user types.
        self.edit.editingFinished.connect(self._add)
        self.rows.changed.connect(self._take)

    def show_value(self, value: Any, _: Any) -> None:
        """List the pins."""
        self.edit.clear()
        self.rows.show_pins(tuple(value))
        self.none.setVisible(not value)

    def read(self) -> Any:
        """Return all pins; raise ValueError if the typed one is invalid."""
        if self.edit.text().strip():
            raise ValueError(f"Write row:column={self._item}, such as 3:5=YAL001C.")
        return self.rows.pins

    def _add(self) -> None:
        text = self.edit.text().strip()
        place, _, item = text.partition("=")
        if place.strip() and item.strip():
            self._take((*self.rows.pins, text))
        elif text or self.message:
            self.edited.emit()

    def _take(self, pins: tuple[str, ...]) -> None:
        self.show_value(pins, None)
        self.edited.emit()


class PinRows(QWidget):
    """List of pins with remove buttons."""

    changed = Signal(object)
    """Pins were removed; carries the remaining ones."""

    def __init__(self) -> None:
        super().__init__()
        self.pins: tuple[str, ...] = ()
        self.rows: list[_PinRow] = []
        self.clear = button("Remove all", kind=ButtonKind.LINK, size=Size.SMALL)
        self._list = vbox(gap=0)
        vbox(self._list, self.clear, into=self, gap=0, margins=0)
        self.clear.clicked.connect(lambda: self.changed.emit(()))
        self.clear.hide()

    def show_pins(self, pins: tuple[str, ...]) -> None:
        """List these."""
        if pins == self.pins:
            return
        self.pins = pins
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [_PinRow(text) for text in pins[:MOST_LISTED]]
        for row in self.rows:
            row.cross.clicked.connect(partial(self._remove, row.text))
            self._list.addWidget(row)
        n_more = len(pins) - len(self.rows)
        self.clear.setText(f"Remove all {len(pins)}" if n_more else "Remove all")
        self.clear.setVisible(len(pins) > 1)

    def _remove(self, text: str, _: bool = False) -> None:
        self.changed.emit(tuple(pin for pin in self.pins if pin != text))


class _PinRow(QWidget):
    """Row of a pin: node, item, and remove button."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        place, item = pin_words(text)
        self.item = Elided(item, mode=Qt.TextElideMode.ElideMiddle)
        self.place = label(place, kind="muted")
        self.cross = tool_button("close", tip=f"Remove the pin of {item}", size=Size.SMALL)
        hbox((self.item, 1), self.place, self.cross, into=self, gap=spacing.SMALL, margins=0)


def pin_words(text: str) -> tuple[str, str]:
    """Return node and item of a pin as text: ('row 3, column 5', 'YAL001C')."""
    place, _, item = text.partition("=")
    row, colon, column = (part.strip() for part in place.partition(":"))
    return (f"row {row}, column {column}" if colon else f"node {row}", item.strip())
