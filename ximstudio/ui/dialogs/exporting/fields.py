"""Fields of the export dialog: numbers with presets, and palettes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from ximstudio.maps.palettes import PALETTES
from ximstudio.model.spec import Number
from ximstudio.session.parameter_words import number_text
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.forms.numbers import NumberEdit
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box, label, mark, segments
from ximstudio.ui.widgets.menu_buttons import swatch

OWN = "own"
OWN_WIDTH = 64
SWATCH = QSize(44, 12)
AS_SEEN = "As in the view"


class NumberChoice(QWidget):
    """Preset numbers side by side, and a field for any other."""

    edited = Signal()
    """The user changed it, to a valid value or not."""

    def __init__(self, spec: Number, usual: Sequence[float] = (), tips: Sequence[str] = ()) -> None:
        super().__init__()
        self.spec = spec
        self.setToolTip(spec.help)
        texts = {number_text(value): number_text(value) for value in usual}
        self.choice = segments({**texts, OWN: "Other"}, chosen=OWN)
        for text, tip in zip(texts, tips, strict=bool(tips)):
            self.choice.button(text).setToolTip(tip)
            self.choice.button(text).setAccessibleName(f"{spec.label} {text} {spec.unit}, {tip}")
        self.choice.button(OWN).setToolTip(f"Other {spec.label.lower()}: {spec.bounds} {spec.unit}")
        self._usual = texts
        self.edit = NumberEdit(spec, f"{spec.label}, {spec.unit}")
        self.edit.setFixedWidth(OWN_WIDTH)
        self.edit.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.edit.setToolTip(spec.help)
        self._unit, self._own_unit = (label(spec.unit, kind="muted") for _ in range(2))
        self._own = _row(self.edit, self._own_unit)
        self._message = label(kind="error", wrap=True)
        self._message.hide()
        column = vbox(into=self, gap=spacing.HAIR, margins=0)
        if usual:
            column.addWidget(_row(self.choice, self._unit))
        column.addWidget(self._own)
        column.addWidget(self._message)
        self.choice.chosen.connect(self._choose)
        self.edit.textEdited.connect(self._judge)

    @property
    def value(self) -> float | None:
        """The number; None if it is invalid."""
        if self.choice.value != OWN:
            return float(self.choice.value)
        try:
            return float(self.edit.read())
        except ValueError:
            return None

    def show_value(self, value: float) -> None:
        """Show a number; no signal."""
        text = number_text(value)
        self.choice.choose(text if text in self._usual else OWN)
        self.edit.setText(text)
        self._show_state()

    def _choose(self, key: str) -> None:
        if key != OWN:
            self.edit.setText(key)
        self._show_state()
        if key == OWN:
            self.edit.setFocus()
            self.edit.selectAll()
        self.edited.emit()

    def _judge(self) -> None:
        self._show_state()
        self.edited.emit()

    def _show_state(self) -> None:
        own = self.choice.value == OWN
        self._own.setVisible(own)
        self._unit.setVisible(not own)
        wrong = self.value is None
        mark(self.edit, "state", "error" if wrong else "")
        self._message.setText(f"Must be {self.spec.bounds} {self.spec.unit}." if wrong else "")
        self._message.setVisible(wrong)


def _row(*parts: QWidget) -> QWidget:
    """Return a row of widgets at their minimum width."""
    made = QWidget()
    hbox(*parts, STRETCH, into=made, gap=spacing.SMALL, margins=0)
    return made


class PaletteChoice(QWidget):
    """Choice of the palette: that of the view, or another one."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.combo: QComboBox = combo_box()
        self.combo.setIconSize(SWATCH)
        self.combo.setAccessibleName("Colours for numbers")
        self.combo.setToolTip(
            "Colours for numbers; classes keep their own. All palettes are safe for "
            "colour-blind readers."
        )
        self.combo.addItem(AS_SEEN, "")
        for palette in PALETTES:
            self.combo.addItem(swatch(palette, SWATCH), palette.name, palette.key)
        hbox(self.combo, into=self, margins=0)
        self.combo.activated.connect(lambda _: self.edited.emit())

    @property
    def key(self) -> str:
        """The key of the palette; '' for that of the view."""
        return str(self.combo.currentData())

    def show_key(self, key: str) -> None:
        """Show a choice; no signal."""
        with QSignalBlocker(self.combo):
            self.combo.setCurrentIndex(max(0, self.combo.findData(key)))
