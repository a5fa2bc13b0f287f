"""The steps on the left: their names one below the other, and the chosen one opened beneath."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
)

from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, button, label, line
from ximstudio.ui.look.icons import icon
from ximstudio.ui.panels import PANELS, Panel
from ximstudio.ui.studio import Studio

WIDTH = 320


class Steps(QFrame):
    """Data, Prepare, Method, Train: done ones carry a tick."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.setProperty("kind", "sidebar")
        self.setMinimumWidth(WIDTH)
        self._studio = studio
        self.panels: tuple[Panel, ...] = tuple(panel(studio) for panel in PANELS)
        self._group = QButtonGroup(self)
        self._buttons: list[QPushButton] = []
        self._stack = QStackedWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(spacing.LARGE, spacing.LARGE, spacing.LARGE, spacing.LARGE)
        layout.setSpacing(spacing.HAIR)
        layout.addWidget(label("STEPS", kind="heading"))
        for number, panel in enumerate(self.panels):
            made = button(panel.name, icon_name=panel.icon, kind=Kind.STEP)
            made.setCheckable(True)
            self._group.addButton(made, number)
            self._buttons.append(made)
            layout.addWidget(made)
            scroll = QScrollArea()
            scroll.setWidgetResizable(True)
            scroll.setFrameShape(QFrame.Shape.NoFrame)
            scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            scroll.setWidget(panel)
            self._stack.addWidget(scroll)
        layout.addWidget(line())
        layout.addWidget(self._stack, 1)
        self._group.idClicked.connect(self.open)
        studio.desk.changed.connect(self.show_session)
        studio.phase_changed.connect(self.show_session)
        self.open(0)
        self.show_session()

    def open(self, number: int) -> None:
        """Open one step."""
        self._buttons[number].setChecked(True)
        self._stack.setCurrentIndex(number)

    def show_session(self) -> None:
        """Fill all steps, and tick those that are done."""
        for panel, made in zip(self.panels, self._buttons, strict=True):
            panel.show_session()
            made.setIcon(icon("check" if panel.done else panel.icon))
            made.setEnabled(panel.ready)
