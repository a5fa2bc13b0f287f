"""The doctor's findings as cards, with repairs at one click."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from ximstudio.doctor import Finding, Repair
from ximstudio.doctor.shape import TRANSPOSED
from ximstudio.load import Choices
from ximstudio.model.words import counted
from ximstudio.prepare.recipe import Recipe
from ximstudio.session import Data
from ximstudio.session.overview import Overview
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import Size, Tone, label, tool_button
from ximstudio.ui.panels.data_button import FittingButton
from ximstudio.ui.panels.data_cards import TONES, MessageCard, clear
from ximstudio.ui.panels.data_sides import items_in_rows
from ximstudio.ui.panels.data_words import in_window, shortened, spoken
from ximstudio.ui.studio import Studio


def open_findings(data: Data) -> tuple[Finding, ...]:
    """What nobody has decided about yet: repaired ones are gone, others may be left on purpose."""
    return tuple(finding for finding in data.findings if _decision(finding, data) is None)


def decisions(data: Data) -> tuple[tuple[Finding, Repair], ...]:
    """What is there as before, on purpose, and what was decided about it."""
    decided = ((finding, _decision(finding, data)) for finding in data.findings)
    return tuple((finding, repair) for finding, repair in decided if repair is not None)


def _decision(finding: Finding, data: Data) -> Repair | None:
    """The decision to leave a finding as it is: the recipe has its steps. None without one.

    If a step refused, the doctor looked at the table as read, and finds again what other steps
    of the recipe repair.
    """
    present = [step for step in data.input.recipe.steps if step.on]
    for repair in finding.repairs:
        if not repair.steps or (repair.settles and data.opened is not None):
            continue
        if all(step in present for step in repair.steps):
            return repair
    return None


def with_repair(data: Data, recipe: Recipe, repair: Repair) -> Recipe:
    """The recipe with the steps of a repair, where the doctor looked: at its end, or, if a step
    refused and the doctor saw the table as read, at its beginning.
    """
    if data.opened is None:
        return Recipe(steps=(*repair.steps, *recipe.steps))
    return Recipe(steps=(*recipe.steps, *repair.steps))


def carry_out(studio: Studio, repair: Repair) -> None:
    """Prepare the present table with a repair, or read it again as the repair says."""
    data = studio.session.data
    if data is None:
        return
    recipe = with_repair(data, studio.recipe, repair)
    if repair.choices:
        choices = data.input.choices.replace(**repair.choices)
        studio.reread(replace(data.input, choices=choices, recipe=recipe))
    else:
        studio.set_recipe(recipe, label_of(repair, data))


def label_of(repair: Repair, data: Data) -> str:
    """The label of a repair in the words of the table, as its button has it."""
    of = next((found for found in data.findings if repair in found.repairs), None)
    return spoken(repair.label, data.overview if of is None else words_of(of, data))


def words_of(finding: Finding, data: Data) -> Overview:
    """What both sides are called in a finding; one about which is which cannot call them so."""
    if finding.key != TRANSPOSED.key:
        return data.overview
    sides = ("row", "column") if items_in_rows(data) else ("column", "row")
    return replace(data.overview, item=sides[0], feature=sides[1])


class Findings(QWidget):
    """One card per finding, in the order in which they are best repaired."""

    repaired = Signal(object)
    """The repair that a person chose."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[FindingCard] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(spacing.SMALL)

    def show_findings(self, data: Data) -> None:
        """Show what was found in a table."""
        clear(self._column)
        found = open_findings(data)
        self.cards = [FindingCard(finding, data) for finding in found]
        self.setVisible(bool(found) or not data.problems)
        if not found:
            self._column.addWidget(_all_well(data))
            return
        heading = f"{counted(len(found), 'finding')} of the doctor"
        self._column.addWidget(label(heading.upper(), kind="section"))
        for card in self.cards:
            card.repaired.connect(self.repaired)
            self._column.addWidget(card)


def _all_well(data: Data) -> MessageCard:
    """Say that nothing was found, or what was decided about all that was."""
    decided = [
        f"{spoken(shortened(finding.what, data), words_of(finding, data))}"
        f" Decided: {label_of(repair, data)}."
        for finding, repair in decisions(data)
    ]
    what = "Nothing is left to decide." if decided else "The doctor found nothing wrong."
    return MessageCard(Tone.SUCCESS, what, where="\n".join(decided), framed=False)


class FindingCard(MessageCard):
    """What was found, where, and what can be done about it."""

    repaired = Signal(object)

    def __init__(self, finding: Finding, data: Data) -> None:
        words = words_of(finding, data)

        def said(text: str) -> str:
            return spoken(in_window(shortened(text, data)), words)

        super().__init__(
            TONES[finding.severity],
            said(finding.what),
            where=said(finding.where),
            way_out="" if finding.repairs else said(finding.way_out),
            badge="" if finding.sure else "Look first",
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
            more = tool_button("more", tip="Other ways", size=Size.SMALL)
            more.setMenu(self.menu)
            more.setPopupMode(more.ToolButtonPopupMode.InstantPopup)
            self.add_action(more)
        self.end_actions()


def _steps_of(repair: Repair) -> str:
    """What a repair does: how the file is read again, and the steps."""
    specs = Choices.specs()
    read = [
        f"Read the file again, with {specs[name].label}: {specs[name].show(value)}"
        for name, value in repair.choices.items()
    ]
    return "\n".join((*read, *(step.sentence for step in repair.steps)))
