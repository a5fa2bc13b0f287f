"""Notes below the Train button: obstacles, and that the planned map already exists."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.model.problem import Problem, Severity
from ximstudio.session import Data
from ximstudio.session.plan_changes import free_seed, same_run
from ximstudio.session.session import Session
from ximstudio.train.schedules import schedules
from ximstudio.ui.panels.data.findings import FindingCard, open_findings, problem_card
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, Size, Tone, button, mark
from ximstudio.ui.widgets.message_card import MessageCard, clear, prose

DATA, PREPARE, METHOD = "data", "prepare", "method"
"""Keys of the steps where the user can fix something by hand."""
SHOWS = {DATA: "Show the data", PREPARE: "Show the step", METHOD: "Show the setting"}


class Obstacles(QWidget):
    """One card per reason: findings with repairs, other problems with a link to their step."""

    repaired = Signal(object)
    """The repair that the user chose."""
    step_wanted = Signal(str)
    """Key of the step where the user can fix it."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[MessageCard] = []
        self._state: tuple[object, ...] = ()
        self._column = vbox(into=self, gap=spacing.SMALL, margins=0)
        self.hide()

    def show_obstacles(self, data: Data | None, problems: tuple[Problem, ...]) -> None:
        """Show what prevents training on this table with these settings."""
        state = (data, problems)
        if state == self._state:
            return
        self._state = state
        clear(self._column)
        self.cards = [] if data is None else [*self._of_data(data), *self._of_method(problems)]
        for card in self.cards:
            self._column.addWidget(card)
        self.setVisible(bool(self.cards))

    def _of_data(self, data: Data) -> list[MessageCard]:
        if data.matrix is not None:
            return []
        errors = [each for each in open_findings(data) if each.severity is Severity.ERROR]
        if errors and data.opened is not None:
            found = [FindingCard(finding, data) for finding in errors]
            for one in found:
                one.repaired.connect(self.repaired)
            return [*found]
        cards = (problem_card(problem, data, Tone.DANGER) for problem in data.problems)
        return [
            self._leading(card, DATA if problem.step is None else PREPARE)
            for card, problem in zip(cards, data.problems, strict=True)
        ]

    def _of_method(self, problems: tuple[Problem, ...]) -> list[MessageCard]:
        cards = (MessageCard(Tone.DANGER, one.what, way_out=one.way_out) for one in problems)
        return [self._leading(card, METHOD) for card in cards]

    def _leading(self, card: MessageCard, step: str) -> MessageCard:
        """Return the card with a button that opens a step."""
        lead = button(SHOWS[step], size=Size.SMALL)
        lead.clicked.connect(lambda: self.step_wanted.emit(step))
        card.add_action(lead)
        card.end_actions()
        return card


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
