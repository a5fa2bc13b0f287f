"""Switch for the mapped side of a file, and legend of the preview."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ximstudio.load import Guess
from ximstudio.load.attempt import MOST_COLUMNS, MOST_ROWS, Preview
from ximstudio.model.words import counted
from ximstudio.session.words import COLUMN, ROW
from ximstudio.ui.dialogs.importing.preview import LABELS, NAMES, TINTS
from ximstudio.ui.widgets.boxes import hbox
from ximstudio.ui.widgets.drawing.guard import guarded, painting
from ximstudio.ui.widgets.elided import Elided
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label, segments
from ximstudio.ui.widgets.look.theme import the_theme


class OrientationSwitch(QWidget):
    """Switch that maps rows or columns."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._word = label("Map the")
        self.sides = segments({"rows": "rows", "columns": "columns"})
        self.sides.chosen.connect(self.chosen)
        self._check = label("Please check", kind="badge", tone="warning")
        row = hbox(into=self, gap=spacing.SMALL, margins=0)
        for widget in (self._word, self.sides, self._check):
            row.addWidget(widget, alignment=Qt.AlignmentFlag.AlignVCenter)

    def show_preview(self, preview: Preview, guess: Guess | None) -> None:
        """Show what rows and columns of a file are, and which of them are mapped."""
        for side, word, n in (
            ("rows", preview.row_word, preview.n_rows),
            ("columns", preview.column_word, preview.n_columns),
        ):
            known = word not in (ROW, COLUMN)
            made = self.sides.button(side)
            made.setText(f"{counted(n, word)} in {side}" if known else counted(n, side[:-1]))
            made.setToolTip("" if guess is None else guess.reason)
        self.sides.choose(preview.items_in)
        self._check.setVisible(guess is not None and not guess.sure)


class PreviewLegend(QWidget):
    """Legend of the cell colours, and the shown part of the file."""

    def __init__(self) -> None:
        super().__init__()
        self._part = Elided(kind="caption")
        row = hbox(into=self, gap=spacing.HAIR, margins=0)
        self._keys: dict[str, tuple[QWidget, QWidget]] = {}
        for role in (NAMES, LABELS):
            patch, text = _Patch(TINTS[role]), label(role, kind="caption")
            self._keys[role] = (patch, text)
            row.addWidget(patch)
            row.addWidget(text)
            row.addSpacing(spacing.SMALL)
        row.addWidget(self._part, 1)

    def show_preview(self, preview: Preview) -> None:
        """Explain a preview."""
        labelled = bool(preview.row_labels or preview.column_labels)
        for widget in self._keys[LABELS]:
            widget.setVisible(labelled)
        parts = []
        if preview.n_rows > MOST_ROWS:
            parts.append(f"{MOST_ROWS} rows")
        if preview.n_columns > MOST_COLUMNS:
            parts.append(f"{MOST_COLUMNS} columns")
        self._part.show_text(f"first {' and '.join(parts)}" if parts else "")


class _Patch(QWidget):
    """Small square in a theme colour."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role
        self.setFixedSize(QSize(spacing.MEDIUM, spacing.MEDIUM))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  (Qt's name)
        del event
        colours = the_theme().colours
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.border_strong), 1, Qt.PenStyle.SolidLine))
            painter.setBrush(QColor(colours.named[self._role]))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
