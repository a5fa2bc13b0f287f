"""Figure page: form and preview at print size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFrame, QScrollArea

from ximstudio.export.choices import ENDINGS, FORMATS, FigureChoices
from ximstudio.load import Report
from ximstudio.model.problem import Problem
from ximstudio.session.shown import Shown
from ximstudio.ui.dialogs.exporting.exporter import Exporter, FigureOffer
from ximstudio.ui.dialogs.exporting.figure_form import FigureForm
from ximstudio.ui.dialogs.exporting.page import ExportPage, length_text
from ximstudio.ui.dialogs.exporting.paper import FigurePreview
from ximstudio.ui.widgets.boxes import hbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.views.common.figure_plan import FigurePlan

if TYPE_CHECKING:
    from ximstudio.export.planned_figure import Printed, WrittenFigure
    from ximstudio.views.compare.sweep_picture import SweepPicture

FORM_WIDTH = 300
MIME = {".png": "image/png", ".svg": "image/svg+xml", ".pdf": "application/pdf"}
"""Formats that are put on the clipboard, so that every program accepts one, and their types."""


class FigurePage(ExportPage):
    """Form on the left, preview on the right; only the newest change is drawn."""

    key = "figure"
    name = "Figure"
    about = (
        "A figure for print, drawn as the view shows it. Text stays text in PDF and SVG. The "
        "file records how it was made: drop it on the window to reproduce it."
    )
    copies = "Copy the figure, to paste it into a document or a slide"

    def __init__(self, exporting: Exporter) -> None:
        super().__init__(exporting)
        self.form = FigureForm()
        self.preview = FigurePreview()
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
        hbox(inside, (self.preview, 1), into=self, gap=spacing.LARGE, margins=0)
        self.form.show_choices(FigureChoices.from_values(exporting.chosen(self.key)))
        self.form.edited.connect(self._change)
        self.preview.resized.connect(self._draw)
        exporting.drawing.changed.connect(self._wait)

    def offer(self, offers: Sequence[FigureOffer]) -> None:
        """FigureOffer these figures and choose the first."""
        self.form.show_offers(offers)

    def show_session(self) -> None:
        """Draw what is chosen."""
        actions = self.exporting.actions
        self.form.show_chosen(actions.selecting.n_here, actions.inspector.words.item)
        self._propose_title()
        self._drawn = None
        self._draw(at_once=True)

    @property
    def plan(self) -> FigurePlan | None:
        """The planned figure; None while a field is invalid or there is nothing to draw."""
        offer, choices = self.form.offer, self.form.choices
        if offer is None or choices is None:
            return None
        selection = self.exporting.actions.session.selection
        return choices.plan(offer.state, selection, title=self.form.title.text().strip())

    @property
    def why_not(self) -> str:
        if self.plan is None:
            return "Correct the marked field on the left"
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

        def done(outcome: Printed) -> None:
            self._wrong, self._drawn = "", plan
            image = QImage.fromData(outcome.png)
            self.preview.show_figure(image, outcome.size_mm, dpi=outcome.dpi)
            self.form.show_dense(outcome.dense)
            self.changed.emit()

        self.exporting.preview(
            plan, sweep=self._sweep, dpi=dpi, done=done, refused=self._refuse, at_once=at_once
        )
        self.preview.show_wait()

    def _refuse(self, problems: tuple[Problem, ...]) -> None:
        """Show why there is no figure."""
        said = self.exporting.actions.inspector.words.said
        first, *_ = problems
        self._wrong = said(first.what)
        self._drawn = None
        # On separate lines: they are separate sentences.
        text = "\n".join(said(each) for each in (first.where, first.way_out) if each)
        self.preview.show_message(said(first.what), text)
        self.changed.emit()

    def _wait(self) -> None:
        """Show that the preview is outdated."""
        self.preview.show_busy(self.exporting.drawing.busy)

    # Copy and save

    def copy(self) -> None:
        """Copy the figure in several formats."""
        plan, sweep = self.plan, self._sweep
        if plan is None:
            return

        def work(shown: Shown, report: Report) -> Mapping[str, bytes]:
            from ximstudio.export.planned_figure import figure_files

            return figure_files(shown, plan, tuple(MIME), sweep=sweep, report=report)

        self.exporting.make_of_map(work, self._put, self.refused.emit)

    def _put(self, files: Mapping[str, bytes]) -> None:
        data = QMimeData()
        for suffix, content in files.items():
            data.setData(MIME[suffix], content)
        data.setImageData(QImage.fromData(files[".png"]))
        QGuiApplication.clipboard().setMimeData(data)
        self.announced.emit("Copied the figure as PNG, SVG and PDF", None)

    def save(self, *, ask: bool) -> None:
        """Write the figure, at once or to a file chosen by the user."""
        offer, choices = self.form.offer, self.form.choices
        if offer is not None and choices is not None:
            name = self.exporting.name(offer.name.lower(), state=offer.state)
            self.to_file(name, FORMATS, chosen=choices.format, then=self.save_as, ask=ask)

    def save_as(self, path: Path) -> None:
        """Write the figure to a file, in the format of its suffix."""
        suffix = path.suffix.lower().lstrip(".")
        wanted = ENDINGS.get(suffix, suffix)
        if wanted in FORMATS and wanted != self.form.format.value:
            self.form.show_format(wanted)
        plan, sweep = self.plan, self._sweep
        if plan is None:
            return

        def work(shown: Shown, report: Report) -> WrittenFigure:
            from ximstudio.export.planned_figure import write_figure

            return write_figure(path, shown, plan, sweep=sweep, report=report)

        self.exporting.make_of_map(work, self._announce, self.refused.emit)

    def _announce(self, written: WrittenFigure) -> None:
        width, height = written.size_mm
        size, length = f"{width:.0f} × {height:.0f} mm", length_text(written.n_bytes)
        self.announced.emit(f"Saved {written.path.name} · {size} · {length}", written.path)
