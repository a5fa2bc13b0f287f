"""Form fields for one number and for pairs of numbers."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSizePolicy

from ximstudio.model.spec import Number, Pair
from ximstudio.session.parameter_words import bounds_text, number_read, number_text, pair_sign
from ximstudio.ui.widgets.boxes import hbox
from ximstudio.ui.widgets.forms.fields import Field
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label, mark
from ximstudio.ui.widgets.look.fonts import font

NARROWEST = 48
"""Minimum width of a number, for four digits."""


class NumberEdit(QLineEdit):
    """Field for a number that is checked while the user types; arrow keys change it."""

    def __init__(self, spec: Number, name: str) -> None:
        super().__init__()
        self.spec = spec
        self.setAccessibleName(name)
        self.setFont(font(tabular=True))
        self.setMinimumWidth(NARROWEST)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def read(self) -> Any:
        """Return the number; raise ValueError with the bounds if it is invalid."""
        wrong = ValueError(f"Must be {bounds_text(self.spec)}.")
        try:
            value = self.spec.normal(number_read(self.text()))
        except (ValueError, OverflowError):
            raise wrong from None
        if not self.spec.allows(value):
            raise wrong
        return value

    def says(self, value: Any) -> bool:
        """Return whether the text means this number: then the user's spelling stays."""
        try:
            return bool(self.read() == value)
        except ValueError:
            return False

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Change the number with up and down, in steps of its magnitude."""
        steps = {
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_PageUp: 10,
            Qt.Key.Key_PageDown: -10,
        }
        times = steps.get(Qt.Key(event.key()))
        if times is None:
            super().keyPressEvent(event)
            return
        self._step(times)

    def _step(self, times: int) -> None:
        try:
            value = float(self.read())
        except ValueError:
            return
        size = 10.0 ** (math.floor(math.log10(abs(value))) - 1) if value else 0.01
        moved = value + times * (max(1.0, round(size)) if self.spec.whole else size)
        wanted = min(max(round(moved, 12), self.spec.low), self.spec.high)
        if self.spec.allows(wanted):
            self.setText(number_text(wanted))
            self.textEdited.emit(self.text())


class NumberField(Field):
    """Field for a number, or "automatic"."""

    def __init__(self, spec: Number) -> None:
        super().__init__(spec)
        self.edit = NumberEdit(spec, spec.label)
        self.controls = (self.edit,)
        self.tick = _automatic_tick(spec.automatic) if spec.automatic else None
        self._column.insertWidget(0, self.edit)
        self.edit.textEdited.connect(self.edited)
        if self.tick is not None:
            self.add_below(self.tick)
            self.tick.clicked.connect(self._switch)

    def show_value(self, value: Any, resolved: Any) -> None:
        """Show the number; automatic ones are muted."""
        _show_number(self.edit, self.tick, value, resolved)

    def read(self) -> Any:
        """Return the number; None if it is automatic."""
        return None if _is_automatic(self.tick) else self.edit.read()

    def _switch(self) -> None:
        _follow_tick(self.edit, self.tick)
        self.edited.emit()


class PairField(Field):
    """Field for two numbers: rows × columns, or start → end."""

    def __init__(self, spec: Pair) -> None:
        super().__init__(spec)
        self.parts = (spec.first, spec.second)
        self.edits = tuple(NumberEdit(part, f"{spec.label}, {part.label}") for part in self.parts)
        self.controls = self.edits
        self.ticks = tuple(
            _automatic_tick(part.automatic, part.label) if part.automatic else None
            for part in self.parts
        )
        row = hbox(
            (self.edits[0], 1),
            label(pair_sign(spec), kind="muted"),
            (self.edits[1], 1),
            gap=spacing.HAIR + 2,
        )
        self._column.insertLayout(0, row)
        self.tick = _automatic_tick(spec.automatic) if spec.automatic else None
        if self.tick is not None:
            self.tick.setText("Suggested")
            self.add_below(self.tick)
            self.tick.clicked.connect(self._switch)
        for edit, tick in zip(self.edits, self.ticks, strict=True):
            edit.textEdited.connect(self.edited)
            if tick is not None:
                self.add_below(tick)
                tick.clicked.connect(self._switch)

    def show_value(self, value: Any, resolved: Any) -> None:
        """Show both numbers; automatic ones are muted."""
        known = resolved or (None, None)
        if self.tick is not None:
            for edit, given, number in zip(self.edits, value or known, known, strict=True):
                _show_number(edit, self.tick, None if value is None else given, number)
            return
        for each in zip(self.edits, self.ticks, value, known, strict=True):
            _show_number(*each)

    def read(self) -> Any:
        """Return both numbers; None if both are automatic."""
        if _is_automatic(self.tick):
            return None
        found, wrong = [], ""
        for edit, tick, part in zip(self.edits, self.ticks, self.parts, strict=True):
            try:
                found.append(None if _is_automatic(tick) else edit.read())
            except ValueError as error:
                wrong = (
                    wrong or f"{part.label.capitalize()}: {str(error)[:1].lower()}{str(error)[1:]}"
                )
        if wrong:
            raise ValueError(wrong)
        return tuple(found)

    def show_state(self, state: str) -> None:
        """Mark both, or only the invalid one."""
        wrong = [
            edit
            for edit, tick in zip(self.edits, self.ticks, strict=True)
            if _wrong(edit, tick or self.tick)
        ]
        for edit in self.edits:
            wanted = state if not wrong or edit in wrong else ""
            if edit.property("state") != wanted:
                mark(edit, "state", wanted)

    def _switch(self) -> None:
        for edit, tick in zip(self.edits, self.ticks, strict=True):
            _follow_tick(edit, tick or self.tick)
        self.edited.emit()


def _automatic_tick(meaning: str, part: str = "") -> QCheckBox:
    made = QCheckBox(f"Automatic {part}".strip())
    made.setToolTip(meaning[:1].upper() + meaning[1:] + ".")
    return made


def _is_automatic(tick: QCheckBox | None) -> bool:
    return tick is not None and tick.isChecked()


def _wrong(edit: NumberEdit, tick: QCheckBox | None) -> bool:
    if _is_automatic(tick):
        return False
    try:
        edit.read()
    except ValueError:
        return True
    return False


def _show_number(edit: NumberEdit, tick: QCheckBox | None, value: Any, resolved: Any) -> None:
    if tick is not None:
        tick.setChecked(value is None)
        edit.setPlaceholderText("automatic")
    edit.setEnabled(not _is_automatic(tick))
    if value is None or not edit.says(value):
        edit.setText(number_text(resolved if value is None else value))


def _follow_tick(edit: NumberEdit, tick: QCheckBox | None) -> None:
    edit.setEnabled(not _is_automatic(tick))
    if edit.isEnabled() and tick is not None and tick.hasFocus():
        edit.setFocus(Qt.FocusReason.OtherFocusReason)
