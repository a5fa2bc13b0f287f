"""Form fields for all kinds of declared parameters except numbers, and what they have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QCompleter, QLabel, QLineEdit, QSizePolicy, QWidget

from ximstudio.model.spec import Choice, FreeText, Spec, Switch, TextList
from ximstudio.session.parameter_words import bounds_text, option_name
from ximstudio.session.words import Words
from ximstudio.ui.widgets.boxes import hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box, label, mark


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
