"""Findings of the data doctor as cards, with buttons that repair them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from ximstudio.doctor import Finding, Repair, check_named
from ximstudio.load import Choices
from ximstudio.model.problem import Problem
from ximstudio.model.words import counted
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Data
from ximstudio.session.sides import items_in_rows
from ximstudio.session.words import Overview, shortened, spoken, way_out_text
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.elided import FittingButton
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import Size, Tone, label, tool_button
from ximstudio.ui.widgets.message_card import TONES, MessageCard, clear

NO_PROBLEMS = "The data doctor found no problems."


def open_findings(data: Data) -> tuple[Finding, ...]:
    """Return the findings that the user has neither repaired nor decided to leave."""
    return tuple(finding for finding in data.findings if _decision(finding, data) is None)


def decisions(data: Data) -> tuple[tuple[Finding, Repair], ...]:
    """Return the findings that the user decided to leave, with the chosen repairs."""
    decided = ((finding, _decision(finding, data)) for finding in data.findings)
    return tuple((finding, repair) for finding, repair in decided if repair is not None)


def _decision(finding: Finding, data: Data) -> Repair | None:
    """Return the repair by which the user left a finding as it is; None without one.

    If a step refused, the doctor checked the table as read and finds again what other steps of the
    recipe repair.
    """
    present = [step for step in data.input.recipe.steps if step.on]
    for repair in finding.repairs:
        if not repair.steps or (repair.settles and data.opened is not None):
            continue
        if all(step in present for step in repair.steps):
            return repair
    return None


def with_repair(data: Data, recipe: Recipe, repair: Repair) -> Recipe:
    """Return the recipe with the steps of a repair added: at its end or, if a step refused and the
    doctor checked the table as read, at its start.
    """
    if data.opened is None:
        return Recipe(steps=(*repair.steps, *recipe.steps))
    return Recipe(steps=(*recipe.steps, *repair.steps))


def carry_out(actions: Actions, repair: Repair) -> None:
    """Apply a repair: add its steps to the recipe, or read the table again."""
    data = actions.session.data
    if data is None:
        return
    recipe = with_repair(data, actions.recipe, repair)
    if repair.choices:
        choices = data.input.choices.replace(**repair.choices)
        actions.reread(replace(data.input, choices=choices, recipe=recipe))
    else:
        actions.set_recipe(recipe, label_of(repair, data))


def label_of(repair: Repair, data: Data) -> str:
    """Return the text of a repair's button, in the words of the table."""
    of = next((found for found in data.findings if repair in found.repairs), None)
    return spoken(repair.label, data.overview if of is None else words_of(of, data))


def words_of(finding: Finding, data: Data) -> Overview:
    """Return the words for both sides in a finding; neutral ones if it is about the orientation."""
    if not check_named(finding.key).of_orientation:
        return data.overview
    sides = ("row", "column") if items_in_rows(data) else ("column", "row")
    return replace(data.overview, item=sides[0], feature=sides[1])


def problem_card(problem: Problem, data: Data, tone: Tone, *, framed: bool = True) -> MessageCard:
    """Return a card of a problem of a table, in the words of the table."""

    def said(text: str) -> str:
        return spoken(shortened(text, data), data.overview)

    where, way_out = said(problem.address), said(way_out_text(problem))
    return MessageCard(tone, said(problem.what), where=where, way_out=way_out, framed=framed)


class Findings(QWidget):
    """One card per finding, in the order of repair."""

    repaired = Signal(object)
    """The repair that the user chose."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[FindingCard] = []
        self._column = vbox(into=self, gap=spacing.SMALL, margins=0)

    def show_findings(self, data: Data) -> None:
        """Show the findings about a table."""
        clear(self._column)
        found = open_findings(data)
        self.cards = [FindingCard(finding, data) for finding in found]
        self.setVisible(bool(found) or not data.problems)
        if not found:
            self._column.addWidget(_all_well(data))
            return
        heading = f"{counted(len(found), 'finding')} of the data doctor"
        self._column.addWidget(label(heading.upper(), kind="section"))
        for card in self.cards:
            card.repaired.connect(self.repaired)
            self._column.addWidget(card)


def _all_well(data: Data) -> MessageCard:
    """Return the card that says that nothing was found, or how all findings were settled."""
    decided = [
        f"{spoken(shortened(finding.what, data), words_of(finding, data))}"
        f" Decided: {label_of(repair, data)}."
        for finding, repair in decisions(data)
    ]
    what = "All findings are settled." if decided else NO_PROBLEMS
    return MessageCard(Tone.SUCCESS, what, where="\n".join(decided), framed=False)


class FindingCard(MessageCard):
    """Card of a finding: what, where, and buttons that repair it."""

    repaired = Signal(object)

    def __init__(self, finding: Finding, data: Data) -> None:
        words = words_of(finding, data)

        def said(text: str) -> str:
            return spoken(shortened(text, data), words)

        super().__init__(
            TONES[finding.severity],
            said(finding.what),
            where=said(finding.where),
            way_out="" if finding.repairs else said(finding.way_out),
            badge="" if finding.sure else "Check first",
        )
        self.finding = finding
        self.buttons: list[FittingButton] = []
        self.menu = QMenu(self)
        if not finding.repairs:
            return
        first, *others = finding.repairs
        made = FittingButton(said(first.label), tip=said(_steps_of(first)))
        made.clicked.connect(lambda: self.repaired.emit(first))
        self.buttons.append(made)
        self.add_action(made)
        if others:
            self.menu.setToolTipsVisible(True)
            for repair in others:
                action = self.menu.addAction(said(repair.label))
                action.setToolTip(said(_steps_of(repair)))
                action.triggered.connect(lambda _=False, repair=repair: self.repaired.emit(repair))
            more = tool_button("more", tip="Other repairs", size=Size.SMALL)
            more.setMenu(self.menu)
            more.setPopupMode(more.ToolButtonPopupMode.InstantPopup)
            self.add_action(more)
        self.end_actions()


def _steps_of(repair: Repair) -> str:
    """Return what a repair does: how the file is read again, and the steps."""
    specs = Choices.specs()
    read = [
        f"Read the file again, with {specs[name].label}: {specs[name].show(value)}"
        for name, value in repair.choices.items()
    ]
    return "\n".join((*read, *(step.sentence for step in repair.steps)))
