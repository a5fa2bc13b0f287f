"""Reasons why training is not possible, each with a button that fixes it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ximstudio.doctor import Repair
from ximstudio.model.problem import Problem, Severity
from ximstudio.session import Data
from ximstudio.session.words import shortened, spoken, way_out_text
from ximstudio.ui.panels.data.findings import FindingCard, open_findings
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, Tone, button
from ximstudio.ui.widgets.message_card import MessageCard, clear

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
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(spacing.SMALL)
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
                one.repaired.connect(self._repair)
            return [*found]

        def said(text: str) -> str:
            return spoken(shortened(text, data), data.overview)

        return [
            self._card(
                said(problem.what),
                said(problem.address),
                said(way_out_text(problem)),
                DATA if problem.step is None else PREPARE,
            )
            for problem in data.problems
        ]

    def _of_method(self, problems: tuple[Problem, ...]) -> list[MessageCard]:
        return [self._card(one.what, "", one.way_out, METHOD) for one in problems]

    def _card(self, what: str, where: str, way_out: str, step: str) -> MessageCard:
        card = MessageCard(Tone.DANGER, what, where=where, way_out=way_out)
        lead = button(SHOWS[step], size=Size.SMALL)
        lead.clicked.connect(lambda: self.step_wanted.emit(step))
        card.add_action(lead)
        card.end_actions()
        return card

    def _repair(self, repair: Repair) -> None:
        self.repaired.emit(repair)
