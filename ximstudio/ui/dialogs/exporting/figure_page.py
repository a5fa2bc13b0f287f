"""The figure page: what is seen in a view, drawn for paper, with a preview in its true size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea

from ximstudio.figures.plan import FigurePlan
from ximstudio.ui.dialogs.export_choices import ENDINGS, FORMATS, FigureChoices
from ximstudio.ui.dialogs.export_figure_form import FigureForm
from ximstudio.ui.dialogs.export_page import ExportPage, length_text
from ximstudio.ui.dialogs.export_paper import Preview
from ximstudio.ui.exporting import Exporting, Offer, Refused
from ximstudio.ui.look import spacing

if TYPE_CHECKING:
    from ximstudio.export.planned_figure import Printed, Written
    from ximstudio.pictures.sweep import SweepPicture

FORM_WIDTH = 300
MIME = {".svg": "image/svg+xml", ".pdf": "application/pdf", ".png": "image/png"}
"""What programs that take figures ask the clipboard for."""


class FigurePage(ExportPage):
    """Fields on the left, the sheet on the right; every change is drawn, the newest only."""

    key = "figure"
    name = "Figure"
    about = (
        "A figure for paper, drawn anew from the map as the view shows it. Text stays text in PDF"
        " and SVG. The file carries how it was made: dropped on the window, it opens again."
    )
    copies = "Copy the figure, to paste it into a document or slides"

    def __init__(self, exporting: Exporting) -> None:
        super().__init__(exporting)
        self.form = FigureForm()
        self.preview = Preview()
        self._drawn: FigurePlan | None = None
        self._wrong = ""
        inside = QScrollArea()
        inside.setFrameShape(QFrame.Shape.NoFrame)
        inside.setWidgetResizable(True)
        inside.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside.setFixedWidth(FORM_WIDTH)
        inside.setWidget(self.form)
        self.form.setProperty("kind", "page")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(spacing.LARGE)
        row.addWidget(inside)
        row.addWidget(self.preview, 1)
        self.form.show_choices(FigureChoices.from_values(exporting.chosen(self.key)))
        self.form.edited.connect(self._change)
        self.preview.resized.connect(self._draw)
        exporting.drawing.changed.connect(self._wait)

    def offer(self, offers: Sequence[Offer]) -> None:
        """Offer these figures, the first of which is chosen."""
        self.form.show_offers(offers)

    def show_session(self) -> None:
        """Draw what is chosen."""
        studio = self.exporting.studio
        self.form.show_chosen(studio.choosing.n_here, studio.inspecting.words.item)
        self._propose_title()
        self._drawn = None
        self._draw(at_once=True)

    @property
    def plan(self) -> FigurePlan | None:
        """The figure as it is chosen; None while a field is wrong, or there is nothing to draw."""
        offer, choices = self.form.offer, self.form.choices
        if offer is None or choices is None:
            return None
        selection = self.exporting.studio.session.selection
        return choices.plan(offer.state, selection, title=self.form.title.text().strip())

    @property
    def why_not(self) -> str:
        if self.plan is None:
            return "A field on the left is not right"
        return self._wrong

    @property
    def _sweep(self) -> SweepPicture | None:
        return None if self.form.offer is None else self.form.offer.sweep

    # Drawing

    def _propose_title(self) -> None:
        if self.form.offer is not None:
            self.form.show_title(self.exporting.title(self.form.offer.state))

    def _change(self) -> None:
        self._propose_title()
        choices = self.form.choices
        if choices is not None:
            self.exporting.remember(self.key, choices.as_values())
            self._wrong = ""
            if self.plan != self._drawn:
                self._draw()
        self.changed.emit()

    def _draw(self, *, at_once: bool = False) -> None:
        plan = self.plan
        if plan is None:
            return
        dpi = self.preview.dpi

        def done(outcome: Printed | Refused) -> None:
            if isinstance(outcome, Refused):
                self._refuse(outcome)
                return
            self._wrong, self._drawn = "", plan
            image = QImage.fromData(outcome.png)
            self.preview.show_figure(image, outcome.size_mm, dpi=outcome.dpi)
            self.form.show_dense(outcome.dense)
            self.changed.emit()

        self.exporting.preview(plan, sweep=self._sweep, dpi=dpi, done=done, at_once=at_once)
        self.preview.show_wait()

    def _refuse(self, refused: Refused) -> None:
        """Say in place of the figure why there is none."""
        said = self.exporting.studio.inspecting.words.said
        first, *_ = refused.problems
        self._wrong = said(first.what)
        self._drawn = None
        where = f"{first.where[:1].upper()}{first.where[1:]}"
        # One below the other: neither a place nor a way out continues the other's sentence.
        text = "\n".join(said(each) for each in (where, first.way_out) if each)
        self.preview.show_message(said(first.what), text)
        self.changed.emit()

    def _wait(self) -> None:
        """Show that what is seen is not what is chosen any more."""
        self.preview.show_busy(self.exporting.drawing.busy)

    # Taking it along

    def copy(self) -> None:
        """Put the figure on the clipboard, in all kinds that programs ask for."""
        plan = self.plan
        if plan is None:
            return

        def done(outcome: Mapping[str, bytes] | Refused) -> None:
            self.take(outcome, lambda: self._put(outcome))  # type: ignore[arg-type]

        self.exporting.copy_figure(plan, done, sweep=self._sweep)

    def _put(self, files: Mapping[str, bytes]) -> None:
        data = QMimeData()
        for suffix, content in files.items():
            data.setData(MIME[suffix], content)
        data.setImageData(QImage.fromData(files[".png"]))
        QGuiApplication.clipboard().setMimeData(data)
        self.told.emit("Copied the figure as PNG, SVG and PDF", None)

    def save(self, *, ask: bool) -> None:
        """Write the figure, at once or to a file that is asked for."""
        offer, choices = self.form.offer, self.form.choices
        if offer is not None and choices is not None:
            name = self.exporting.name(offer.name.lower(), state=offer.state)
            self.to_file(name, FORMATS, chosen=choices.format, then=self.save_as, ask=ask)

    def save_as(self, path: Path) -> None:
        """Write the figure to a file, in the format that its name asks for."""
        suffix = path.suffix.lower().lstrip(".")
        wanted = ENDINGS.get(suffix, suffix)
        if wanted in FORMATS and wanted != self.form.format.value:
            self.form.show_format(wanted)
        plan = self.plan
        if plan is None:
            return

        def done(outcome: Written | Refused) -> None:
            self.take(outcome, lambda: self._tell(outcome))  # type: ignore[arg-type]

        self.exporting.save_figure(path, plan, done, sweep=self._sweep)

    def _tell(self, written: Written) -> None:
        width, height = written.size_mm
        size, length = f"{width:.0f} × {height:.0f} mm", length_text(written.n_bytes)
        self.told.emit(f"Saved {written.path.name} · {size} · {length}", written.path)
