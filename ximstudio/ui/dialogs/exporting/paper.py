"""Preview of a figure at print size."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent, QScreen
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from ximstudio.ui.views.common.view import Empty
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label, segments
from ximstudio.ui.widgets.look.theme import the_theme

MM_PER_INCH = 25.4
USUAL_DPI = 96.0
LIKELY_DPI = (50.0, 400.0)
"""Plausible resolutions; other values mean that the screen reports a wrong size."""
FIT, TRUE, DOUBLE = "fit", "true", "double"
ZOOMS = {FIT: "Fit", TRUE: "100 %", DOUBLE: "200 %"}
SCALES = {TRUE: 1.0, DOUBLE: 2.0}
SHADOW = 6
"""Width of the shadow around the sheet, in pixels."""
AROUND = spacing.LARGE
PAPER = QColor("#FFFFFF")
"""Colour of the sheet in all themes: journals print on white."""
LEAST_SCALE = 0.05
LEAST_DPI, MOST_DPI = 72.0, 600.0
"""Minimum and maximum resolution of the preview."""
PAUSE_MILLISECONDS = 150
"""Milliseconds that a size must last before the figure is drawn again."""


def dots_per_inch(screen: QScreen | None) -> float:
    """Return the logical pixels per inch of a screen."""
    dpi = USUAL_DPI if screen is None else float(screen.physicalDotsPerInch())
    low, high = LIKELY_DPI
    return dpi if low <= dpi <= high else USUAL_DPI


class Paper(QWidget):
    """Sheet with a shadow, at `scale`."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Figure as printed")
        self.image = QImage()
        self.size_mm = QSizeF(85.0, 85.0)
        self.scale = 1.0
        """Scale of the screen relative to paper."""

    def show_figure(self, image: QImage, size_mm: QSizeF) -> None:
        """Show another figure."""
        self.image, self.size_mm = image, size_mm
        size_text = f"{size_mm.width():.0f} by {size_mm.height():.0f} millimetres"
        self.setAccessibleDescription(size_text)
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
        """Size of the sheet in logical pixels."""
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


class FigurePreview(QFrame):
    """Scrollable sheet with its size and zoom below."""

    resized = Signal()
    """The zoom has changed: draw the figure again with `dpi`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self.paper = Paper()
        self.empty = Empty("export")
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._scroll.setWidget(self.paper)
        # Scroll areas fill their content with the window colour.
        self.paper.setAutoFillBackground(False)
        self._scroll.setAccessibleName("Preview")
        self._scroll.setWhatsThis(
            "The figure as printed. At 100 % it has the size that it has on paper, if the "
            "screen reports its size correctly. Arrow keys scroll."
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._scroll)
        self.zoom = segments(ZOOMS, chosen=FIT, name="Size of the preview")
        for key, tip in (
            (FIT, "Actual size, or fit to the window"),
            (TRUE, "Actual size"),
            (DOUBLE, "Twice the actual size"),
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
        below = hbox(
            self.caption,
            self._busy,
            STRETCH,
            self.zoom,
            gap=spacing.SMALL,
            margins=(spacing.MEDIUM, spacing.HAIR, spacing.SMALL, spacing.HAIR),
        )
        vbox((self._stack, 1), below, into=self, gap=0, margins=0)

    @property
    def dpi(self) -> float:
        """Resolution at which the figure is sharp at this zoom."""
        dpi = self.paper.scale * dots_per_inch(self.screen()) * self.devicePixelRatioF()
        # Rounded, so that tiny changes do not cause a redraw.
        return min(max(LEAST_DPI, round(dpi, 1)), MOST_DPI)

    @property
    def is_blank(self) -> bool:
        """True if no figure is shown."""
        return self._stack.currentWidget() is self.empty

    @property
    def is_sharp(self) -> bool:
        """True if the figure was drawn for the current zoom."""
        return self.dpi == self._dpi

    def show_figure(self, image: QImage, size_mm: tuple[float, float], *, dpi: float) -> None:
        """Show a figure drawn with this resolution."""
        self.empty.patience.stop()
        self._dpi = dpi
        self.paper.show_figure(image, QSizeF(*size_mm))
        self._stack.setCurrentWidget(self._scroll)
        self._fit()

    def show_wait(self) -> None:
        """Show that the figure is being drawn, unless another one is shown."""
        if self.is_blank:
            self.empty.show_wait("Drawing…", "The first figure takes a second longer.")

    def show_busy(self, busy: bool) -> None:
        """Show whether the figure is about to be replaced."""
        self._busy.setVisible(busy and not self.is_blank)

    def show_message(self, title: str, text: str) -> None:
        """Show why there is no figure."""
        self.caption.setText("")
        self.empty.show_message(title, text)
        self._stack.setCurrentWidget(self.empty)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  (Qt's name)
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Draw again on a screen with another resolution."""
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._fit()
        return super().event(event)

    def _fit(self, _: str = "") -> None:
        """Apply the zoom, and draw the figure again when it has settled."""
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
        # Background a little darker than the window, so that the white sheet stands out.
        self._scroll.setStyleSheet(f"QScrollArea {{ background: {the_theme().colours.sunken}; }}")
        self.paper.update()
