"""Base class of the steps on the left of the window."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ximstudio.model.matrix import Matrix
from ximstudio.session import Data
from ximstudio.ui.actions.actions import Actions


class Panel(QWidget):
    """A step of the window: built once, filled by `show_session` whenever the session changes.

    A panel holds no data. It passes the user's actions on to `Actions`.
    """

    step_wanted = Signal(str)
    """Key of another step that the user wants to open."""

    key: ClassVar[str]
    name: ClassVar[str]
    icon: ClassVar[str]

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.user_actions = actions

    @property
    def n_open(self) -> int:
        """Number of open findings, shown as a badge."""
        return 0

    @property
    def done(self) -> bool:
        """True if this step needs no further action."""
        return False

    @property
    def ready(self) -> bool:
        """True if this step is available: with a table, even if it cannot be trained on."""
        return self.data is not None

    @property
    def data(self) -> Data | None:
        """The table of the session."""
        return self.user_actions.session.data

    @property
    def matrix(self) -> Matrix | None:
        """The prepared table; None if there is none to train on."""
        return None if self.data is None else self.data.matrix

    def show_session(self) -> None:
        """Show the session as it is now."""
        raise NotImplementedError
