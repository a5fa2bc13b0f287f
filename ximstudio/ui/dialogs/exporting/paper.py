"""A figure on its sheet of paper, as large as it will be printed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent, QScreen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label, segments
from ximstudio.ui.look.theme import the_theme
from ximstudio.ui.views.empty import Empty

MM_PER_INCH = 25.4
USUAL_DPI = 96.0
LIKELY_DPI = (50.0, 400.0)
"""Screens that claim something else do not know how large they are."""
FIT, TRUE, DOUBLE = "fit", "true", "double"
ZOOMS = {FIT: "Fit", TRUE: "100 %", DOUBLE: "200 %"}
SCALES = {TRUE: 1.0, DOUBLE: 2.0}
SHADOW = 6
"""Pixels around the sheet on which its shadow fades."""
AROUND = spacing.LARGE
PAPER = QColor("#FFFFFF")
"""Of the sheet, in dark surroundings, too: journals print on white."""
LEAST_SCALE = 0.05
LEAST_DPI, MOST_DPI = 72.0, 600.0
"""Figures are drawn no coarser than this, and no finer than eyes are."""
PAUSE_MILLISECONDS = 150
"""How long a size must last before the figure is drawn in it."""


def dots_per_inch(screen: QScreen | None) -> float:
    """How many pixels of a window are an inch on this screen, as far as it knows."""
    dpi = USUAL_DPI if screen is None else float(screen.physicalDotsPerInch())
    low, high = LIKELY_DPI
    return dpi if low <= dpi <= high else USUAL_DPI


class Paper(QWidget):
    """The sheet with its shadow; as large as `scale` says."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Figure as it is printed")
        self.image = QImage()
        self.size_mm = QSizeF(85.0, 85.0)
        self.scale = 1.0
        """Length on the screen for one on paper."""

    def show_figure(self, image: QImage, size_mm: QSizeF) -> None:
        """Show another figure."""
        self.image, self.size_mm = image, size_mm
        told = f"{size_mm.width():.0f} by {size_mm.height():.0f} millimetres"
        self.setAccessibleDescription(told)
        self.set_scale(self.scale)

    def set_scale(self, scale: float) -> None:
        """Show the sheet larger or smaller."""
        self.scale = scale
        sheet = self.sheet_size(scale)
        self.setFixedSize(
            QSize(round(sheet.width()) + 2 * AROUND, round(sheet.height()) + 2 * AROUND)
        )
        self.update()

    def sheet_size(self, scale: float) -> QSizeF:
        """The size of the sheet in pixels of the window."""
        return self.size_mm * (scale * dots_per_inch(self.screen()) / MM_PER_INCH)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802  (Qt's name)
        painter = QPainter(self)
        sheet = QRectF(AROUND, AROUND, self.width() - 2 * AROUND, self.height() - 2 * AROUND)
        for spread in range(SHADOW, 0, -1):
            edge = sheet.translated(0, 1).adjusted(-spread, -spread, spread, spread)
            painter.fillRect(edge, QColor(0, 0, 0, 7))
        painter.fillRect(sheet, PAPER)
        if not self.image.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(sheet, self.image)
        painter.end()


class Preview(QFrame):
    """The sheet on a table on which it can be moved; below it its size, and how it is seen."""

    resized = Signal()
    """The figure is seen in another size: draw it for as many pixels as `dpi` says."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self.paper = Paper()
        self.empty = Empty("export")
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._scroll.setWidget(self.paper)
        # Scroll areas have what they hold filled with the colour of the window.
        self.paper.setAutoFillBackground(False)
        self._scroll.setAccessibleName("Preview")
        self._scroll.setWhatsThis(
            "The figure as it is printed. At 100 % it is as large on the screen as on paper, if"
            " the screen knows its own size. Arrow keys move what does not fit."
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._scroll)
        self.zoom = segments(ZOOMS, chosen=FIT)
        self.zoom.setAccessibleName("Size of the preview")
        for key, tip in (
            (FIT, "As large as on paper, or as fits here"),
            (TRUE, "As large as on paper"),
            (DOUBLE, "Twice as large as on paper"),
        ):
            self.zoom.button(key).setToolTip(tip)
        self.caption = label(kind="muted")
        self._busy = label("Drawing…", kind="muted")
        self._busy.hide()
        self._dpi = 0.0
        self._calm = QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._calm.timeout.connect(self._look_closer)
        self.zoom.chosen.connect(self._fit)
        the_theme().follow(self._tint)
        self._lay_out()
        self._tint()

    def _lay_out(self) -> None:
        below = QHBoxLayout()
        below.setContentsMargins(spacing.MEDIUM, spacing.HAIR, spacing.SMALL, spacing.HAIR)
        below.setSpacing(spacing.SMALL)
        below.addWidget(self.caption)
        below.addWidget(self._busy)
        below.addStretch(1)
        below.addWidget(self.zoom)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addLayout(below)

    @property
    def dpi(self) -> float:
        """The resolution in which the figure is to be drawn to be sharp here."""
        dpi = self.paper.scale * dots_per_inch(self.screen()) * self.devicePixelRatioF()
        # A tenth of a pixel more or less is nothing to draw anew for.
        return min(max(LEAST_DPI, round(dpi, 1)), MOST_DPI)

    @property
    def is_blank(self) -> bool:
        """Whether no figure is seen."""
        return self._stack.currentWidget() is self.empty

    @property
    def is_sharp(self) -> bool:
        """Whether the figure was drawn for the size in which it is seen."""
        return self.dpi == self._dpi

    def show_figure(self, image: QImage, size_mm: tuple[float, float], *, dpi: float) -> None:
        """Show a figure that was drawn with this resolution."""
        self.empty.patience.stop()
        self._dpi = dpi
        self.paper.show_figure(image, QSizeF(*size_mm))
        self._stack.setCurrentWidget(self._scroll)
        self._fit()

    def show_wait(self) -> None:
        """Say that the figure is being drawn, if there is no other one."""
        if self.is_blank:
            self.empty.show_wait("Drawing…", "The first figure takes a second longer.")

    def show_busy(self, busy: bool) -> None:
        """Show whether the figure that is seen is about to be another one."""
        self._busy.setVisible(busy and not self.is_blank)

    def show_message(self, title: str, text: str) -> None:
        """Say why there is no figure."""
        self.caption.setText("")
        self.empty.show_message(title, text)
        self._stack.setCurrentWidget(self.empty)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Draw anew on a screen that is finer or coarser than the one before."""
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._fit()
        return super().event(event)

    def _fit(self, _: str = "") -> None:
        """Show the sheet in the chosen size, and have it drawn for it once that lasts."""
        self.paper.set_scale(self._wanted_scale())
        if self.is_blank:
            return
        size = self.paper.size_mm
        text = f"{size.width():.0f} × {size.height():.0f} mm"
        seen = f", shown at {self.paper.scale:.0%}".replace("%", " %")
        self.caption.setText(text + ("" if abs(self.paper.scale - 1.0) < 0.005 else seen))
        if not self.is_sharp:
            self._calm.start()

    def _wanted_scale(self) -> float:
        if self.zoom.value != FIT:
            return SCALES[self.zoom.value]
        full, room = self.paper.sheet_size(1.0), self._stack.size()
        across = (room.width() - 2 * AROUND) / max(full.width(), 1.0)
        down = (room.height() - 2 * AROUND) / max(full.height(), 1.0)
        return max(LEAST_SCALE, min(across, down, 1.0))

    def _look_closer(self) -> None:
        if not self.is_sharp:
            self.resized.emit()

    def _tint(self) -> None:
        # The table that the sheet lies on: a little darker than the window, so that white is seen.
        self._scroll.setStyleSheet(f"QScrollArea {{ background: {the_theme().colours.sunken}; }}")
        self.paper.update()
