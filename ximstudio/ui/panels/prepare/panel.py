"""Prepare step: the recipe with switches, parameters and histograms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from ximstudio.jobs import Task
from ximstudio.model.params import Params
from ximstudio.prepare.planned import Planned, planned
from ximstudio.prepare.recipe import Recipe, read_recipe, write_recipe
from ximstudio.prepare.step import Step, StepGroup
from ximstudio.prepare.steps import STEPS
from ximstudio.session import Data
from ximstudio.session.step_accounts import Account, accounts_of
from ximstudio.session.words import Words, size_words
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.panels.prepare.step import StepCard
from ximstudio.ui.runtime.job_queue import Job
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import button, tool_button
from ximstudio.ui.widgets.message_card import prose

FILES = "Recipes (*.json);;All files (*)"
NO_STEPS = (
    "No steps yet: the map is trained on the table as read. Repairs by the data doctor appear "
    "here as steps."
)


class StepMenu(QMenu):
    """Menu with one submenu per group."""

    def __init__(self, parent: QWidget, chosen: Callable[[Step], None]) -> None:
        super().__init__(parent)
        self._groups = {group: self.addMenu(group.value) for group in StepGroup}
        for inner in self._groups.values():
            inner.setToolTipsVisible(True)
        self._entries = [(self._groups[step.group].addAction(step.name), step) for step in STEPS]
        for action, step in self._entries:
            action.setData(step.key)
            action.triggered.connect(lambda _=False, step=step: chosen(step))
        self.speak(Words())

    def speak(self, words: Words) -> None:
        """Name groups and steps in the words of a table."""
        for group, inner in self._groups.items():
            inner.setTitle(words.said(group.value))
        for action, step in self._entries:
            action.setText(words.said(step.name))
            action.setToolTip(words.said(step.about))


class PreparePanel(Panel):
    """Prepare step: the recipe with switches, parameters and histograms."""

    key = "prepare"
    name = "Prepare"
    icon = "prepare"

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions)
        self._shown: tuple[Data | None, Recipe] | None = None
        self.cards: list[StepCard] = []
        self._just_added = False
        self.add = button("Add step", icon_name="plus")
        self.add.setProperty("menu", "true")
        self.menu = StepMenu(self, self.add_step)
        self.add.setMenu(self.menu)
        more = tool_button("more", tip="Save or load the recipe")
        self.recipe_menu = self._built_menu()
        more.setMenu(self.recipe_menu)
        more.setPopupMode(more.ToolButtonPopupMode.InstantPopup)
        self._more = more
        self._empty = prose(kind="muted")
        self._outcome = prose(kind="muted")
        self._column = vbox(gap=spacing.SMALL)
        head = hbox(self.add, STRETCH, more, gap=spacing.SMALL)
        vbox(
            head,
            self._empty,
            self._column,
            self._outcome,
            STRETCH,
            into=self,
            gap=spacing.MEDIUM,
            margins=(0, spacing.SMALL, spacing.HAIR, spacing.LARGE),
        )
        # A requested recipe may be refused, or preparing may be cancelled.
        actions.jobs.ended.connect(self.show_session)
        self.show_session()

    def _built_menu(self) -> QMenu:
        menu = QMenu(self)
        self.saving = menu.addAction("Save recipe…")
        self.saving.triggered.connect(self._ask_where_to_save)
        menu.addAction("Load recipe…").triggered.connect(self._ask_what_to_load)
        menu.addSeparator()
        self.clearing = menu.addAction("Remove all steps")
        self.clearing.triggered.connect(
            lambda: self.user_actions.set_recipe(Recipe(), "Remove all steps")
        )
        return menu

    @property
    def done(self) -> bool:
        return self.matrix is not None

    # Display

    def show_session(self) -> None:
        """Show the current session."""
        data, recipe = self.data, self.user_actions.recipe
        if self._shown is not None and self._shown[0] is data and self._shown[1] is recipe:
            return
        self._shown = (data, recipe)
        self.menu.speak(Words.of(data))
        for widget in (self.add, self._more):
            widget.setEnabled(data is not None)
        for action in (self.saving, self.clearing):
            action.setEnabled(bool(recipe.steps))
        self._empty.setVisible(not recipe.steps)
        self._empty.setText("Open a table first." if data is None else NO_STEPS)
        if data is not None:
            self._show_cards(accounts_of(recipe.steps, data), data)
        waiting = data is not None and recipe is not data.input.recipe
        text = "Preparing…" if waiting else ""
        if data is not None and not waiting and recipe.steps and data.opened is not None:
            text = f"Result: {size_words(data)}."
        self._outcome.setText(text)
        self._outcome.setVisible(bool(text))

    def _show_cards(self, accounts: tuple[Account, ...], data: Data) -> None:
        kept = matched(self.cards, accounts)
        cards = []
        for account in accounts:
            card = kept.get(account.number) or self._made_card(account, data)
            card.show_account(account, data, last=account.number == len(accounts) - 1)
            cards.append(card)
        for card in self.cards:
            if card not in cards:
                card.hide()
                card.deleteLater()
        if cards != self.cards:
            # Not by takeAt(): Python would keep the layout item alive.
            for card in self.cards:
                self._column.removeWidget(card)
            for card in cards:
                self._column.addWidget(card)
        self.cards = cards
        if self._just_added and cards:
            cards[-1].set_open(True)
        self._just_added = False
        for card in cards:
            if card.account.problems:
                card.set_open(True)

    def _made_card(self, account: Account, data: Data) -> StepCard:
        card = StepCard(account, data)
        card.switched.connect(lambda on: self._switch(card.account.number, on))
        card.changed.connect(lambda params: self._change(card.account.number, params))
        card.moved.connect(lambda by: self._move(card.account.number, by))
        card.removed.connect(lambda: self._remove(card.account.number))
        return card

    # Actions of the user

    def add_step(self, step: Step) -> None:
        """Add a step at the end of the recipe and open it."""
        self._just_added = True
        steps = (*self.user_actions.recipe.steps, planned(step.key))
        self._set(steps, f"Add “{step.name}”")

    def _switch(self, number: int, on: bool) -> None:
        steps = list(self.user_actions.recipe.steps)
        steps[number] = replace(steps[number], on=on)
        name = steps[number].step.name
        self._set(tuple(steps), f"Switch “{name}” {'on' if on else 'off'}")

    def _change(self, number: int, params: Params) -> None:
        steps = list(self.user_actions.recipe.steps)
        steps[number] = replace(steps[number], params=params)
        self._set(tuple(steps), f"Change “{steps[number].step.name}”")

    def _move(self, number: int, by: int) -> None:
        steps = list(self.user_actions.recipe.steps)
        if 0 <= number + by < len(steps):
            steps.insert(number + by, steps.pop(number))
            self._set(tuple(steps), f"Move “{steps[number + by].step.name}”")

    def _remove(self, number: int) -> None:
        steps = list(self.user_actions.recipe.steps)
        gone = steps.pop(number)
        self._set(tuple(steps), f"Remove “{gone.step.name}”")

    def _set(self, steps: tuple[Planned, ...], what: str) -> None:
        self.user_actions.set_recipe(Recipe(steps=steps), Words.of(self.data).said(what))
        # At once: preparing may take a while, and the user may go on changing steps.
        self.show_session()

    # Files

    def save_recipe(self, path: Path) -> None:
        """Write the recipe to a file."""
        recipe = self.user_actions.recipe

        def work(_: Task[float, None]) -> None:
            write_recipe(recipe, path)

        self.user_actions.jobs.start(Job(label=f"Saving {path.name}", work=work))

    def load_recipe(self, path: Path) -> None:
        """Apply the recipe in a file."""

        def work(_: Task[float, Recipe]) -> Recipe:
            return read_recipe(path)

        def done(recipe: Recipe) -> None:
            self.user_actions.set_recipe(recipe, f"Load {path.name}")
            self.show_session()

        self.user_actions.jobs.start(Job(label=f"Loading {path.name}", work=work, done=done))

    def _ask_where_to_save(self) -> None:
        dialog = self._file_dialog("Save recipe")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.selectFile("recipe.json")
        dialog.fileSelected.connect(lambda name: self.save_recipe(Path(name)))
        dialog.open()

    def _ask_what_to_load(self) -> None:
        dialog = self._file_dialog("Load recipe")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.load_recipe(Path(name)))
        dialog.open()

    def _file_dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self.window(), title)
        dialog.setNameFilter(FILES)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return dialog


def matched(cards: list[StepCard], accounts: tuple[Account, ...]) -> dict[int, StepCard]:
    """Return number of a step → its previous card: the same step, or the same kind at its place."""
    free = list(cards)
    found: dict[int, StepCard] = {}
    for account in accounts:
        same = next((card for card in free if card.account.planned is account.planned), None)
        if same is not None:
            found[account.number] = same
            free.remove(same)
    for account in accounts:
        if account.number in found or account.number >= len(cards):
            continue
        card = cards[account.number]
        if card in free and card.account.planned.step is account.planned.step:
            found[account.number] = card
            free.remove(card)
    return found
