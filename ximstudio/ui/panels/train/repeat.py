"""Note that the planned map already exists, with a button for another seed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.session.plan_changes import free_seed, same_run
from ximstudio.session.session import Session
from ximstudio.train.schedules import schedules
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, mark
from ximstudio.ui.widgets.message_card import prose


class RepeatNote(QWidget):
    """Note that the planned map already exists; hidden otherwise."""

    seed_wanted = Signal(object)
    """The user wants to train with this seed; an object, as Qt's integers are too short for all
    seeds.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seed: int | None = None
        self.text = prose(kind="caption")
        self.other = button("", kind=ButtonKind.LINK)
        # Align the button with the text above it.
        mark(self.other, "edge", "flush")
        self.other.clicked.connect(lambda: self.seed_wanted.emit(self.seed))
        vbox(self.text, self.other, into=self, gap=0, margins=(0, 0, 0, spacing.HAIR))
        self.hide()

    def show_session(self, session: Session) -> str:
        """Compare the plan with the runs; return the name of an equal one."""
        matrix = None if session.data is None else session.data.matrix
        same = None if matrix is None else same_run(session.plan, matrix, session.runs)
        self.setVisible(same is not None)
        if same is None or matrix is None:
            return ""
        # Methods without steps do not depend on the seed.
        by_chance = schedules(session.plan.params, matrix.n_items) is not None
        self.seed = free_seed(session.plan, matrix, session.runs)
        more = " Another seed gives another map." if by_chance else ""
        self.text.setText(f"This map already exists: {same.name}.{more}")
        self.other.setText(f"Train with seed {self.seed}")
        self.other.setVisible(by_chance)
        return same.name
