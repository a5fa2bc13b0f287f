"""What a view has to offer to be one of VIEWS."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.session.shown import Wish


class View(QWidget):
    """One way of looking at what is shown.

    A view has two halves, so that the window never waits. `wish()` gives a function that computes
    what is to be drawn: it runs in the lane, knows no Qt, and holds the options as they are now.
    `draw()` puts the outcome on the screen, at once.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    icon: ClassVar[str]
    about: ClassVar[str]

    wanted = Signal()
    """The options have changed: ask for the wish again."""
    asked = Signal(str)
    """A person wants to see another view; its key."""

    def wish(self) -> Wish:
        """What this view needs, with its options as they are."""
        raise NotImplementedError

    def draw(self, picture: Any) -> None:
        """Show what the wish has computed."""
        raise NotImplementedError

    def draw_nothing(self) -> None:
        """Show that there is no map yet, and how to get one."""
        raise NotImplementedError
