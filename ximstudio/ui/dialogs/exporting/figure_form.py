"""Form for a figure: view, width, font size, colours and format."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from ximstudio.export.choices import FORMATS, OF_PIXELS, FigureChoices
from ximstudio.figures.look import DOUBLE_MM, MIDDLE_MM, SINGLE_MM, Look
from ximstudio.model.spec import Number
from ximstudio.model.words import counted
from ximstudio.ui.dialogs.exporting.exporter import FigureOffer
from ximstudio.ui.dialogs.exporting.fields import NumberChoice, PaletteChoice
from ximstudio.ui.widgets.boxes import STRETCH, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import combo_box, form, segments
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.views import view_named

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
        self.titled.setToolTip(
            "Most journals ask for no title: the figure legend says what is shown"
        )
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
        chosen = counted(n_chosen, word) if n_chosen else f"chosen {word}s"
        self.marked.setText(f"Mark the {chosen}" if n_chosen != 1 else f"Mark the chosen {word}")
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
        help_text = (
            "Resolution"
            if matters
            else "Lines and text have no resolution; it applies to a copy as PNG"
        )
        label = self._fields.labelForField(self.dpi)
        label.setEnabled(matters)
        label.setToolTip(help_text)
        self.marked.setVisible(view is None or view.marks_chosen)
        self.marked.setEnabled(self._n_chosen > 0)
        self.table.setVisible(view is not None and view.compares)
        self.title.setVisible(self.titled.isChecked())
