"""The page of a view that draws: what is to be seen on top, then the drawing and its key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from ximstudio.ui.drawing.colour_bar import ColourBar
from ximstudio.ui.drawing.legend import Legend
from ximstudio.ui.look import spacing
from ximstudio.ui.views.chooser import Chooser

BAR_WIDTH, LEGEND_WIDTH = 104, 190


class Key(QWidget):
    """What colours mean, beside a drawing: a legend of classes, a bar of numbers, both or none."""

    def __init__(self) -> None:
        super().__init__()
        self.legend, self.bar = Legend(), ColourBar()
        column = QVBoxLayout(self)
        column.setContentsMargins(spacing.SMALL, spacing.SMALL, spacing.SMALL, spacing.MEDIUM)
        column.setSpacing(spacing.MEDIUM)
        column.addWidget(self.legend)
        column.addWidget(self.bar, 1, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addStretch()

    def show_parts(self, *, legend: bool, bar: bool) -> None:
        """Show these; the width is the same whatever the numbers are, so that nothing jumps."""
        self.legend.setVisible(legend)
        self.legend.setMaximumHeight(self.legend.sizeHint().height() + spacing.SMALL)
        self.bar.setVisible(bar)
        self.setFixedWidth(LEGEND_WIDTH if legend else BAR_WIDTH)
        self.setVisible(legend or bar)


def page(chooser: Chooser, buttons: Sequence[QWidget], body: QLayout) -> QFrame:
    """The chooser on the left of the top, buttons on its right, and the body below."""
    head = QHBoxLayout()
    head.setContentsMargins(spacing.MEDIUM, spacing.SMALL, spacing.SMALL, spacing.SMALL)
    head.setSpacing(spacing.HAIR)
    head.addWidget(chooser, 1)
    for made in buttons:
        head.addWidget(made)
    frame = QFrame()
    frame.setProperty("kind", "panel")
    column = QVBoxLayout(frame)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addLayout(head)
    column.addLayout(body, 1)
    return frame
