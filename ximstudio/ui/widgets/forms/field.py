"""What every field of a form has."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ximstudio.model.spec import Spec
from ximstudio.ui.look.controls import label, mark


class Field(QWidget):
    """The control of one parameter; below it its unit, and what is wrong with it."""

    edited = Signal()
    """A person changed something, right or wrong."""

    def __init__(self, spec: Spec) -> None:
        super().__init__()
        self.spec = spec
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._message = label(kind="error")
        self._message.setWordWrap(True)
        self._message.hide()
        self._column.addWidget(self._message)
        if spec.unit:
            unit = label(spec.unit, kind="caption")
            unit.setWordWrap(True)
            self.add_below(unit)

    @property
    @abstractmethod
    def controls(self) -> tuple[QWidget, ...]:
        """What can be marked as wrong, the first of which gets the focus."""

    @abstractmethod
    def show_value(self, value: Any, resolved: Any) -> None:
        """Show a value; `resolved` is what an automatic one comes to, None if that is not known."""

    @abstractmethod
    def read(self) -> Any:
        """The value as it stands; ValueError with the bound if it is not allowed."""

    @property
    def message(self) -> str:
        """What is said to be wrong, or risky."""
        return self._message.text()

    def show_message(self, text: str, *, serious: bool = True) -> None:
        """Say what is wrong; nothing if empty."""
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
