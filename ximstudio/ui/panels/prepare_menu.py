"""The menu of all steps, in the groups they belong to."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QWidget

from ximstudio.prepare.step import Group, Step
from ximstudio.prepare.steps import STEPS


def step_menu(parent: QWidget, chosen: Callable[[Step], None]) -> QMenu:
    """One sub-menu per group, in the order of the groups."""
    menu = QMenu(parent)
    for group in Group:
        inner = menu.addMenu(group.value)
        inner.setToolTipsVisible(True)
        for step in STEPS:
            if step.group is group:
                action = inner.addAction(step.name)
                action.setToolTip(step.about)
                action.setData(step.key)
                action.triggered.connect(lambda _=False, step=step: chosen(step))
    return menu
