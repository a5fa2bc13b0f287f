"""What a step on the left of the window has to offer."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.ui.studio import Studio


class Panel(QWidget):
    """One step: built once, filled by `show_session` whenever the session changes.

    A panel holds no data of its own. What a person does in it goes to the studio.
    """

    step_wanted = Signal(str)
    """Key of another step that the user wants to see."""

    key: ClassVar[str]
    name: ClassVar[str]
    icon: ClassVar[str]

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.studio = studio

    @property
    def n_open(self) -> int:
        """How many things here wait for a decision of the user; the step's name shows it."""
        return 0

    @property
    def done(self) -> bool:
        """Whether this step needs nothing more before the next can be taken."""
        return False

    @property
    def ready(self) -> bool:
        """Whether this step can be taken now."""
        return True

    def show_session(self) -> None:
        """Show the session as it is now."""
        raise NotImplementedError
