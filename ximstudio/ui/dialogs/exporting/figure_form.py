"""Form for a figure: view, width, font size, colours and format."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSizePolicy, QWidget

from ximstudio.export.choices import FORMATS, OF_PIXELS, FigureChoices
from ximstudio.figures.look import DOUBLE_MM, MIDDLE_MM, SINGLE_MM, Look
from ximstudio.maps.palettes import PALETTES
from ximstudio.model.spec import Number
from ximstudio.model.words import counted
from ximstudio.session.parameter_words import number_text
from ximstudio.ui.dialogs.exporting.exporter import FigureOffer
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.forms.numbers import NumberEdit
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box, form, label, mark, segments
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.menu_buttons import swatch
from ximstudio.views import view_named

OWN = "own"
OWN_WIDTH = 64
SWATCH = QSize(44, 12)
AS_SEEN = "As in the view"
WIDTHS = (SINGLE_MM, MIDDLE_MM, DOUBLE_MM)
WIDTH_TIPS = ("one column", "one and a half columns", "two columns")
RESOLUTIONS = (300.0, 600.0)
RESOLUTION_TIPS = ("for photographs and colours", "for lines and text")
FORMAT_TIPS = {
    "pdf": "For journals and printing: text stays text, lines stay lines",
    "svg": "For Inkscape and Illustrator: text stays text, lines stay lines",
    "png": "For slides and the web",
    "tiff": "For journals that ask for pixel images",
}


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


class FigureForm(QWidget):
    """Form that marks invalid fields and emits `edited` on every change."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        specs = {name: spec for name, spec in Look.specs().items() if isinstance(spec, Number)}
        self._offers: tuple[FigureOffer, ...] = ()
        self._n_chosen = 0
        self.view = combo_box(name="View", tip="The view to draw, as it is set in the window")
        self.width_mm = NumberChoice(specs["width_mm"], WIDTHS, WIDTH_TIPS)
        self.font_size = NumberChoice(specs["font_size"])
        self.colours = PaletteChoice()
        self.format = segments(FORMATS, name="Format")
        for key, tip in FORMAT_TIPS.items():
            self.format.button(key).setToolTip(tip)
        self.dpi = NumberChoice(specs["dpi"], RESOLUTIONS, RESOLUTION_TIPS)
        self.marked = QCheckBox()
        self.marked.setToolTip("Mark the selection as on the screen")
        self.table = QCheckBox("Table of measures")
        self.table.setToolTip("Print the measures of the compared maps in a table below them")
        self.titled = QCheckBox("Title")
        no_title = "Most journals ask for no title: the figure legend says what is shown"
        self.titled.setToolTip(no_title)
        self.title = QLineEdit()
        self.title.setAccessibleName("Text of the title")
        self.title.setMaxLength(200)
        self._written = False
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        fields = form()
        for name, field in (
            ("View", self.view),
            ("Width", self.width_mm),
            ("Font size", self.font_size),
            ("Colours", self.colours),
            ("Format", self.format),
            ("Resolution", self.dpi),
        ):
            fields.addRow(name, field)
        self._fields = fields
        vbox(
            fields,
            spacing.HAIR,
            self.marked,
            self.table,
            self.titled,
            self.title,
            STRETCH,
            into=self,
            gap=spacing.SMALL,
            margins=0,
        )

    def _connect(self) -> None:
        self.view.activated.connect(self._choose_view)
        self.format.chosen.connect(self._change)
        for field in (self.width_mm, self.font_size, self.colours, self.dpi):
            field.edited.connect(self._change)
        for tick in (self.marked, self.table, self.titled):
            tick.clicked.connect(self._change)
        self.title.textEdited.connect(self._write)

    # Choices

    @property
    def offer(self) -> FigureOffer | None:
        """The chosen figure."""
        number = self.view.currentIndex()
        return self._offers[number] if 0 <= number < len(self._offers) else None

    @property
    def choices(self) -> FigureChoices | None:
        """The choices; None while a field is invalid."""
        width_mm, font_size, dpi = self.width_mm.value, self.font_size.value, self.dpi.value
        if width_mm is None or font_size is None or dpi is None:
            return None
        return FigureChoices(
            width_mm=width_mm,
            font_size=font_size,
            dpi=dpi,
            palette=self.colours.key,
            format=self.format.value,
            marked=self.marked.isChecked(),
            table=self.table.isChecked(),
            titled=self.titled.isChecked(),
        )

    def show_choices(self, choices: FigureChoices) -> None:
        """Show earlier choices; no signal."""
        self.width_mm.show_value(choices.width_mm)
        self.font_size.show_value(choices.font_size)
        self.dpi.show_value(choices.dpi)
        self.colours.show_key(choices.palette)
        self.format.choose(choices.format)
        self.marked.setChecked(choices.marked)
        self.table.setChecked(choices.table)
        self.titled.setChecked(choices.titled)
        self._show_state()

    def show_offers(self, offers: Sequence[FigureOffer]) -> None:
        """Offer these figures and choose the first; no signal."""
        self._offers = tuple(offers)
        self._written = False
        with QSignalBlocker(self.view):
            self.view.clear()
            for offer in offers:
                self.view.addItem(icon(offer.icon), offer.name)
        self._show_state()

    def show_chosen(self, n_chosen: int, word: str) -> None:
        """Show how many items can be marked."""
        self._n_chosen = n_chosen
        chosen = counted(n_chosen, word) if n_chosen else f"selected {word}s"
        self.marked.setText(f"Mark the {chosen}" if n_chosen != 1 else f"Mark the selected {word}")
        self._show_state()

    def show_title(self, text: str) -> None:
        """Propose a title, unless the user has typed one."""
        if not self._written and text != self.title.text():
            self.title.setText(text)
            # Show the start of the text, which distinguishes it.
            self.title.setCursorPosition(0)

    def show_format(self, key: str) -> None:
        """Choose the format that matches a file name."""
        self.format.choose(key)
        self._change()

    def show_dense(self, dense: bool) -> None:
        """Enable the resolution where it matters: pixel formats and dense point clouds."""
        self._dense = dense
        self._show_state()

    _dense = False

    def _choose_view(self, _: int) -> None:
        self._dense = False
        self._change()

    def _write(self) -> None:
        self._written = True
        self._change()

    def _change(self, _: object = None) -> None:
        self._show_state()
        self.edited.emit()

    def _show_state(self) -> None:
        view = None if self.offer is None else view_named(self.offer.state.view)
        matters = self._dense or self.format.value in OF_PIXELS
        self.dpi.setEnabled(matters)
        idle = "Lines and text have no resolution; it applies to a copy as PNG"
        label = self._fields.labelForField(self.dpi)
        label.setEnabled(matters)
        label.setToolTip("Resolution" if matters else idle)
        self.marked.setVisible(view is None or view.marks_chosen)
        self.marked.setEnabled(self._n_chosen > 0)
        self.table.setVisible(view is not None and view.compares)
        self.title.setVisible(self.titled.isChecked())
