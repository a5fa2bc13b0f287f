"""Form fields for all kinds of declared parameters except numbers, and what they have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from functools import partial
from typing import Any

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QCompleter, QLabel, QLineEdit, QSizePolicy, QWidget

from ximstudio.model.spec import Choice, FreeText, Spec, Switch, TextList
from ximstudio.session.parameter_words import bounds_text, option_name
from ximstudio.session.words import Words
from ximstudio.train.anchors import Pins
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import (
    ButtonKind,
    Size,
    button,
    combo_box,
    label,
    mark,
    tool_button,
)


class Field(QWidget):
    """Control of one parameter, with its unit and a message below."""

    edited = Signal()
    """The user changed the value, to a valid one or not."""

    controls: tuple[QWidget, ...]
    """Controls that can be marked; the first gets the focus."""

    def __init__(self, spec: Spec) -> None:
        super().__init__()
        self.spec = spec
        self._message = label(kind="error", wrap=True)
        self._message.hide()
        self._column = vbox(self._message, into=self, gap=2, margins=0)
        if spec.unit:
            unit = label(spec.unit, kind="caption", wrap=True)
            self.add_below(unit)

    @abstractmethod
    def show_value(self, value: Any, resolved: Any) -> None:
        """Show a value; `resolved` is the value of an automatic one, None if unknown."""

    @abstractmethod
    def read(self) -> Any:
        """Return the value; raise ValueError with the bounds if it is invalid."""

    @property
    def message(self) -> str:
        """The current message."""
        return self._message.text()

    def show_message(self, text: str, *, serious: bool = True) -> None:
        """Show a message; '' for none."""
        if text == self.message:
            return
        mark(self._message, "kind", "error" if serious else "warning")
        self._message.setText(text)
        self._message.setVisible(bool(text))

    def show_state(self, state: str) -> None:
        """Mark the controls: "error", "warning", or "" for neither."""
        for control in self.controls:
            if control.property("state") != state:
                mark(control, "state", state)

    def add_below(self, widget: QWidget) -> None:
        """Put something between the control and the message."""
        self._column.insertWidget(self._column.count() - 1, widget)


class ChoiceField(Field):
    """Field for one of several options, with a description of the chosen one."""

    def __init__(
        self, spec: Choice, without: Iterable[str] = (), words: Words | None = None
    ) -> None:
        super().__init__(spec)
        self.options = spec.options
        self._words = words
        self.combo = combo_box(name=spec.label)
        self.controls = (self.combo,)
        self.combo.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        left_out = set(without)
        for key in spec.options:
            if key not in left_out:
                self._add(key)
        self.about = Longest(self._said(key) for key in self.options)
        self._column.insertWidget(0, self.combo)
        self.add_below(self.about)
        self.combo.activated.connect(self._choose)

    def show_value(self, value: Any, _: Any) -> None:
        """Choose the option."""
        if self.combo.findData(value) < 0:
            self._add(value)
        self.combo.setCurrentIndex(self.combo.findData(value))
        self._explain()

    def read(self) -> Any:
        """The key of the option."""
        return self.combo.currentData()

    def _add(self, key: str) -> None:
        self.combo.addItem(option_name(key, self._words), key)
        about = self.options.get(key, "")
        self.combo.setItemData(self.combo.count() - 1, about, Qt.ItemDataRole.ToolTipRole)

    def _choose(self) -> None:
        self._explain()
        self.edited.emit()

    def _explain(self) -> None:
        self.about.setText(self._said(self.read()))

    def _said(self, key: str) -> str:
        """Return the description of an option, unless it repeats its name."""
        about = self.options.get(key, "")
        name = option_name(key, self._words).lower()
        says_more = about.removeprefix("the ").rstrip("s") != name.rstrip("s")
        return about[:1].upper() + about[1:] + "." if about and says_more else ""


class Longest(QLabel):
    """Label with room for the longest of several texts, so that the layout does not jump."""

    def __init__(self, texts: Iterable[str]) -> None:
        super().__init__()
        self.setProperty("kind", "caption")
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._texts = tuple(filter(None, texts))
        if not self._texts:
            self.hide()

    def heightForWidth(self, width: int) -> int:  # noqa: N802  (Qt's name)
        self.ensurePolished()
        metrics, wrapped = self.fontMetrics(), Qt.TextFlag.TextWordWrap
        room = QRect(0, 0, width, 0)
        heights = (metrics.boundingRect(room, wrapped, text).height() for text in self._texts)
        return max(heights, default=0)


class SwitchField(Field):
    """Yes or no."""

    def __init__(self, spec: Switch) -> None:
        super().__init__(spec)
        self.switch = QCheckBox()
        self.controls = (self.switch,)
        self.switch.setProperty("kind", "switch")
        self.switch.setAccessibleName(spec.label)
        # As high as other fields, to align with its name.
        row = hbox(self.switch)
        row.addStrut(spacing.CONTROL)
        self._column.insertLayout(0, row)
        self.switch.clicked.connect(self.edited)

    def show_value(self, value: Any, _: Any) -> None:
        """Switch on or off."""
        self.switch.setChecked(value)

    def read(self) -> Any:
        """Return whether it is on."""
        return self.switch.isChecked()


class TextField(Field):
    """Field for values written as one line of text: texts, lists, places."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self.edit = QLineEdit()
        self.controls = (self.edit,)
        self.edit.setAccessibleName(spec.label)
        self.edit.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        automatic = spec.automatic if isinstance(spec, TextList) else ""
        self.open = bool(automatic) or isinstance(spec, FreeText)
        """True if an empty text means None."""
        self.edit.setPlaceholderText(automatic)
        self._column.insertWidget(0, self.edit)
        self.edit.textEdited.connect(self.edited)

    def show_value(self, value: Any, _: Any) -> None:
        """Show the value in the form in which it is read."""
        self.edit.setText("" if value is None else self.spec.show(value))

    def read(self) -> Any:
        """Return the typed value."""
        text = self.edit.text().strip()
        if not text and self.open:
            return None
        wrong = ValueError(f"Must be {bounds_text(self.spec)}.")
        try:
            value = self.spec.normal(self.spec.parse(text))
        except ValueError:
            raise wrong from None
        if not self.spec.allows(value):
            raise wrong
        return value

    def suggest(self, words: Iterable[str]) -> None:
        """Offer completions while the user types."""
        completer = QCompleter(list(words), self.edit)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.edit.setCompleter(completer)


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
