"""The pins of the next map, where nobody has to look for them."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from ximstudio.session.plan import Plan
from ximstudio.session.words import Words
from ximstudio.ui.form_pins import PinRows
from ximstudio.ui.look import spacing
from ximstudio.ui.look.controls import label
from ximstudio.ui.studio import Studio


class PinsNote(QFrame):
    """Which nodes are pinned to what, with a cross at each; not seen while there are none."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self.title = label(kind="section")
        self.rows = PinRows()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, spacing.SMALL)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.rows)
        self.rows.changed.connect(self._take)
        self.hide()

    def show_plan(self, plan: Plan, words: Words) -> None:
        """List the pins of a plan."""
        pins = tuple(getattr(plan.params, "anchors", ()))
        self.title.setText(f"Pinned nodes  {len(pins)}")
        self.setToolTip(
            f"These nodes of the next map stay with their {words.items}, and the others arrange"
            " around them"
        )
        self.rows.show_pins(pins)
        self.setVisible(bool(pins))

    def _take(self, pins: tuple[str, ...]) -> None:
        self._studio.set_params(self._studio.session.plan.params.replace(anchors=pins))
