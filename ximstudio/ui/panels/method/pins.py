"""Note that lists the pins of the next map."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from ximstudio.session.plan import TrainingPlan
from ximstudio.session.words import Words
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.widgets.boxes import vbox
from ximstudio.ui.widgets.forms.fields import PinRows
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import label


class PinsNote(QFrame):
    """List of pinned nodes with remove buttons; hidden if there are none."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.title = label(kind="section")
        self.rows = PinRows()
        vbox(self.title, self.rows, into=self, gap=0, margins=(0, 0, 0, spacing.SMALL))
        self.rows.changed.connect(self._take)
        self.hide()

    def show_plan(self, plan: TrainingPlan, words: Words) -> None:
        """List the pins of a plan."""
        pins = tuple(getattr(plan.params, "anchors", ()))
        self.title.setText(f"Pinned nodes  {len(pins)}")
        self.setToolTip(
            f"These nodes of the next map stay with their {words.items}; all other nodes "
            "arrange themselves around them"
        )
        self.rows.show_pins(pins)
        self.setVisible(bool(pins))

    def _take(self, pins: tuple[str, ...]) -> None:
        self._actions.set_params(self._actions.session.plan.params.replace(anchors=pins))
