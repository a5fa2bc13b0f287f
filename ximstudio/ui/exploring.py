"""What a person does with a trained map: its clusters, and items that came later."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from ximstudio.ui.bringing import Bringing
from ximstudio.ui.choosing import Choosing
from ximstudio.ui.clustering import Clusters
from ximstudio.ui.desk import Desk
from ximstudio.ui.inspecting import Inspecting


class Exploring(QObject):
    """Holds what there is to do; the dialogs call it."""

    def __init__(
        self, desk: Desk, choosing: Choosing, inspecting: Inspecting, draw: Callable[[], None]
    ) -> None:
        super().__init__(desk)
        self.clusters = Clusters(desk, choosing, draw)
        self.bringing = Bringing(desk, inspecting, draw)
