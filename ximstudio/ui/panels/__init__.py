"""The steps on the left of the window. `PANELS` lists them in their order."""

from __future__ import annotations

from ximstudio.ui.panels.data_panel import DataPanel
from ximstudio.ui.panels.method_panel import MethodPanel
from ximstudio.ui.panels.panel import Panel
from ximstudio.ui.panels.prepare_panel import PreparePanel
from ximstudio.ui.panels.train_panel import TrainPanel

PANELS: tuple[type[Panel], ...] = (DataPanel, PreparePanel, MethodPanel, TrainPanel)

__all__ = ["PANELS", "Panel"]
