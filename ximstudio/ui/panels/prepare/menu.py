"""Menu of all preparation steps, by group."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QWidget

from ximstudio.prepare.step import Step, StepGroup
from ximstudio.prepare.steps import STEPS
from ximstudio.session.words import Words


class StepMenu(QMenu):
    """Menu with one submenu per group."""

    def __init__(self, parent: QWidget, chosen: Callable[[Step], None]) -> None:
        super().__init__(parent)
        self._groups = {group: self.addMenu(group.value) for group in StepGroup}
        for inner in self._groups.values():
            inner.setToolTipsVisible(True)
        for step in STEPS:
            action = self._groups[step.group].addAction(step.name)
            action.setData(step.key)
            action.triggered.connect(lambda _=False, step=step: chosen(step))
        self.speak(Words())

    def speak(self, words: Words) -> None:
        """Name groups and steps in the words of a table."""
        steps = {step.key: step for step in STEPS}
        for group, inner in self._groups.items():
            inner.setTitle(words.said(group.value))
            for action in inner.actions():
                step = steps[action.data()]
                action.setText(words.said(step.name))
                action.setToolTip(words.said(step.about))
