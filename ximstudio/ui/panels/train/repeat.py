"""What the Train button would do once more, and another seed at one click."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ximstudio.session.repeated import free_seed, same_run
from ximstudio.session.session import Session
from ximstudio.train.schedules import schedules
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Kind, button, mark
from ximstudio.ui.panels.data_cards import prose


class RepeatNote(QWidget):
    """Says that the map as planned is there already; without one there is nothing to see."""

    seed_wanted = Signal(object)
    """A person wants to train with this seed; Qt's own integers are too short for all."""

    def __init__(self) -> None:
        super().__init__()
        self.seed: int | None = None
        self.text = prose(kind="caption")
        self.other = button("", kind=Kind.LINK)
        # Below the text, its first letter stands where that of the text does.
        mark(self.other, "edge", "flush")
        self.other.clicked.connect(lambda: self.seed_wanted.emit(self.seed))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, spacing.HAIR)
        column.setSpacing(0)
        column.addWidget(self.text)
        column.addWidget(self.other)
        self.hide()

    def show_session(self, session: Session) -> str:
        """Compare what is planned with the runs; the name of the same one, if there is one."""
        matrix = None if session.data is None else session.data.matrix
        same = None if matrix is None else same_run(session.plan, matrix, session.runs)
        self.setVisible(same is not None)
        if same is None or matrix is None:
            return ""
        # What takes no steps takes no chances, either.
        by_chance = schedules(session.plan.params, matrix.n_items) is not None
        self.seed = free_seed(session.plan, matrix, session.runs)
        more = " Another seed gives another map." if by_chance else ""
        self.text.setText(f"This map exists: {same.name}.{more}")
        self.other.setText(f"Train with seed {self.seed}")
        self.other.setVisible(by_chance)
        return same.name
