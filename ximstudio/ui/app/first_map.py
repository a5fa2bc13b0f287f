"""Guide through a first map: four hints that follow the work and can be skipped."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from ximstudio.session.words import Words
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.widgets.look.controls import Banner, Tone

DONE = "first map guided"
"""Switch of the settings that remembers that the guide was gone through, or skipped."""


@dataclass(frozen=True, kw_only=True)
class Hint:
    """One step of the guide; `{items}` in its text stands for genes, samples or cells."""

    key: str
    title: str
    text: str
    action: str


HINTS = (
    Hint(
        key="findings",
        title="check your table",
        text="The panel on the left shows how the table was read and what the data doctor found. "
        "Click a repair if you agree with it. Nothing is changed without you.",
        action="Next",
    ),
    Hint(
        key="train",
        title="train",
        text="c-XIM with the suggested map size is a good start for any table. Watch the map "
        "unfold; you can pause or stop at any time.",
        action="Train",
    ),
    Hint(
        key="read",
        title="read the map",
        text="{Items} with similar profiles lie close together. Click a node to see its {items} "
        "on the right. Quality shows how reliable the map is, Compare shows what other "
        "methods find.",
        action="Next",
    ),
    Hint(
        key="export",
        title="save your results",
        text="Export writes a figure for print, the methods text, and tables. Save stores the "
        "table, maps and views together in a session.",
        action="Done",
    ),
)
TRAIN, READ = ([hint.key for hint in HINTS].index(key) for key in ("train", "read"))


class FirstMap(Banner):
    """Guide that shows one hint at a time and follows the user's work.

    A new map moves on to the hint about reading it, a new table goes back to the first hint, and an
    export ends the guide.
    """

    train_wanted = Signal()
    """The user wants to train, from the guide."""

    def __init__(self, actions: Actions, settings: Settings) -> None:
        super().__init__()
        self._actions, self._settings = actions, settings
        self._at: int | None = None
        self._shown: tuple[int, str] | None = None
        self._table = ""
        """The file that the guide is about."""
        self.go_on: QPushButton | None = None
        """Leads on from the hint that is shown."""
        self.setWhatsThis("A guide to your first map. Close it with the cross to stop seeing it.")
        self._close.setToolTip("Skip the guide")
        self._close.setAccessibleName("Skip the guide")
        self.hide()
        self.closed.connect(self.end)
        actions.store.changed.connect(self._follow)

    @property
    def hint(self) -> Hint | None:
        """The current hint; None without a guide."""
        return None if self._at is None else HINTS[self._at]

    def begin_if_new(self) -> None:
        """Start the guide unless the user has finished or skipped it before."""
        if not self._settings.now.switches.get(DONE, False):
            self.begin()

    def begin(self) -> None:
        """Start the guide at the first hint."""
        self._at, self._shown = 0, None
        self._follow()

    def end(self) -> None:
        """End the guide for good."""
        self._at = None
        self.hide()
        self._settings.change(switches={**self._settings.now.switches, DONE: True})

    def take_leave(self) -> None:
        """End the guide after the first export."""
        if self._at is not None:
            self.end()

    def _go_on(self) -> None:
        hint = self.hint
        assert hint is not None
        assert self._at is not None
        if hint.key == "train":
            self.train_wanted.emit()
        elif hint is HINTS[-1]:
            self.end()
        else:
            self._at += 1
            self._follow()

    def _follow(self) -> None:
        if self._at is None:
            return
        session = self._actions.session
        table = "" if session.data is None else session.data.input.name
        other, self._table = table != self._table, table
        if session.runs:
            self._at = max(self._at, READ)
        else:
            self._at = 0 if other else min(self._at, TRAIN)
        if session.data is None and not session.runs:
            self.hide()
            self._shown = None
            return
        items = Words.of(session.data).items
        if self._shown == (self._at, items):
            return
        self._shown = self._at, items
        hint = HINTS[self._at]
        title = f"First map, {self._at + 1} of {len(HINTS)}: {hint.title}"
        text = hint.text.format(items=items, Items=items.capitalize())
        (self.go_on,) = self.show_message(title, text, tone=Tone.NOTE, actions=(hint.action,))
        self.go_on.clicked.connect(self._go_on)
