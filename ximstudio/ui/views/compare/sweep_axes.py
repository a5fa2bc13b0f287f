"""Settings that a sweep varies, and their values: a row per setting."""

from __future__ import annotations

import re
from math import prod
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from ximstudio.measure.sweep import MOST_AXES, SweepAxis, suggested_values
from ximstudio.model.params import Params
from ximstudio.model.spec import Choice, Number, Pair, Spec, Switch
from ximstudio.session.words import Words
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, combo_box, label, mark, tool_button

SWEPT = (Number, Pair, Choice, Switch)
"""Kinds of settings with values to vary."""
USUAL = ("repulsion", "width", "perplexity", "graph_neighbours", "least_distance", "shape")
"""Settings swept by default, if a method has them."""
N_USUAL = 2
BETWEEN = "; "
WORDS = Words()


class AxisRow(QWidget):
    """A setting, and its values as typed."""

    changed = Signal()
    removed = Signal()

    def __init__(self, params: Params, name: str, words: Words) -> None:
        """Offer the settings of a method, in the words of the table, and choose this one."""
        super().__init__()
        self.params, self._words = params, words
        self.which = combo_box(name="Setting")
        self.values = QLineEdit()
        self.values.setAccessibleName("Values")
        self.remove = tool_button(
            "close", tip="Remove this setting from the sweep", size=Size.SMALL
        )
        hbox(
            (self.which, 2), (self.values, 3), self.remove, into=self, gap=spacing.SMALL, margins=0
        )
        for key, spec in swept(params).items():
            self.which.addItem(f"{words.said(spec.label)} {spec.symbol}".strip(), key)
        self.which.setCurrentIndex(max(self.which.findData(name), 0))
        self._suggest()
        self.which.activated.connect(self._suggest)
        self.values.textChanged.connect(lambda _: self.changed.emit())
        self.remove.clicked.connect(self.removed)

    @property
    def name(self) -> str:
        """The chosen setting."""
        return str(self.which.currentData())

    @property
    def _spec(self) -> Spec:
        return self.params.specs()[self.name]

    def axis(self) -> SweepAxis:
        """Parse the values of the setting; ValueError with the reason if they are invalid."""
        spec = self._spec
        written = parts(spec, self.values.text())
        return SweepAxis(self.name, tuple(_read(spec, part, self._words) for part in written))

    def say(self, wrong: str) -> None:
        """Mark the values as invalid, with the reason; '' if they are valid."""
        mark(self.values, "state", "error" if wrong else "")
        text = f"{self._spec.help} Separate several values with semicolons."
        self.values.setToolTip(wrong or self._words.said(text))

    def _suggest(self, _: int = 0) -> None:
        found = suggested_values(self._spec, getattr(self.params, self.name))
        self.values.setText(BETWEEN.join(self._spec.show(value) for value in found))
        self.say("")


class SweepAxes(QWidget):
    """One to three settings."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._params: Params | None = None
        self._kind: tuple[type[Params], Words] | None = None
        self._words = Words()
        self.rows: list[AxisRow] = []
        self.add = tool_button("plus", tip="Vary another setting", text="Setting", size=Size.SMALL)
        self.wrong = label(kind="caption", tone="danger")
        self.wrong.hide()
        last = hbox(self.add, self.wrong, STRETCH)
        self._column = vbox(last, into=self, gap=spacing.HAIR, margins=0)
        self.add.clicked.connect(self._add_next)

    def show_params(self, params: Params, words: Words = WORDS) -> None:
        """Sweep around these; the settings follow the method, the words the table."""
        if (type(params), words) == self._kind:
            self._params = params
            for row in self.rows:
                # The typed values stay.
                row.params = params
            return
        self._params, self._words, self._kind = params, words, (type(params), words)
        while self.rows:
            self._drop(self.rows[0])
        names = [name for name in USUAL if name in swept(params)] or list(swept(params))
        for name in names[:N_USUAL]:
            self._append(name)
        self._say()

    def axes(self) -> tuple[SweepAxis, ...]:
        """All settings with their values; ValueError if some are invalid."""
        return tuple(row.axis() for row in self.rows)

    @property
    def n_maps(self) -> int:
        """Number of maps; 0 while a value is invalid."""
        try:
            found = self.axes()
        except ValueError:
            return 0
        return prod(len(axis.values) for axis in found) if found else 0

    def _add_next(self) -> None:
        assert self._params is not None
        taken = {row.name for row in self.rows}
        preferred = (*USUAL, *swept(self._params))
        name = next(
            (each for each in preferred if each in swept(self._params) and each not in taken), ""
        )
        if name:
            self._append(name)
            self._say()

    def _append(self, name: str) -> None:
        assert self._params is not None
        row = AxisRow(self._params, name, self._words)
        row.changed.connect(self._say)
        row.removed.connect(lambda: self._remove(row))
        self.rows.append(row)
        self._column.insertWidget(len(self.rows) - 1, row)

    def _remove(self, row: AxisRow) -> None:
        self._drop(row)
        self._say()

    def _drop(self, row: AxisRow) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _say(self) -> None:
        """Mark invalid values, and offer more settings up to the maximum."""
        first = ""
        for row in self.rows:
            try:
                row.axis()
                row.say("")
            except ValueError as error:
                row.say(str(error))
                first = first or str(error)
            row.remove.setEnabled(len(self.rows) > 1)
        self.wrong.setText(first)
        self.wrong.setVisible(bool(first))
        self.add.setEnabled(len(self.rows) < MOST_AXES)
        self.changed.emit()


def swept(params: Params) -> dict[str, Spec]:
    """Settings of a method that have values to vary."""
    return {name: spec for name, spec in params.specs().items() if isinstance(spec, SWEPT)}


def parts(spec: Spec, text: str) -> list[str]:
    """Split the typed values: at semicolons, or also commas if values have none."""
    between = r";" if isinstance(spec, Pair) else r"[;,]"
    return [part.strip() for part in re.split(between, text) if part.strip()]


def _read(spec: Spec, text: str, words: Words) -> Any:
    wrong = f"{words.said(spec.label)} cannot be “{text}”: {words.said(spec.bounds)}."
    try:
        value = spec.parse(text)
    except (ValueError, OverflowError):
        raise ValueError(wrong) from None
    if not spec.allows(value):
        raise ValueError(wrong)
    return value
