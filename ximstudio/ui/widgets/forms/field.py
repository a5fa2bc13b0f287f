"""Base class of form fields."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.model.spec import Spec
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.look.controls import label, mark


class Field(QWidget):
    """Control of one parameter, with its unit and a message below."""

    edited = Signal()
    """The user changed the value, to a valid one or not."""

    def __init__(self, spec: Spec) -> None:
        super().__init__()
        self.spec = spec
        self._message = label(kind="error", wrap=True)
        self._message.hide()
        self._column = vbox(self._message, into=self, gap=2, margins=0)
        if spec.unit:
            unit = label(spec.unit, kind="caption", wrap=True)
            self.add_below(unit)

    @property
    @abstractmethod
    def controls(self) -> tuple[QWidget, ...]:
        """Controls that can be marked; the first gets the focus."""

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
