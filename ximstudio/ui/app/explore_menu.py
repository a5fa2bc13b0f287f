"""The ways to explore a trained map, from the toolbar's menu or by keys: one dialog each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from ximstudio.ui import keys
from ximstudio.ui.look.controls import tool_button
from ximstudio.ui.look.icons import icon
from ximstudio.ui.settings import Settings
from ximstudio.ui.studio import Studio

if TYPE_CHECKING:
    from ximstudio.session.brought import Brought
    from ximstudio.ui.dialogs.clusters_dialog import ClustersDialog
    from ximstudio.ui.dialogs.newcomers_dialog import NewcomersDialog
    from ximstudio.ui.dialogs.similar_dialog import SimilarDialog


class Explorer(QObject):
    """Builds each dialog when it is first wanted, and brings it up after that."""

    def __init__(self, window: QWidget, studio: Studio, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._studio = studio
        self._settings = settings
        self._clusters: ClustersDialog | None = None
        self._similar: SimilarDialog | None = None
        self._newcomers: NewcomersDialog | None = None
        self.button = self._made_button()
        for key, slot in (
            (keys.CLUSTERS, self.show_clusters),
            (keys.SIMILAR, self.show_similar),
            (keys.PLACE, self.choose_file),
        ):
            QShortcut(QKeySequence(key.keys), window, slot)
        studio.exploring.bringing.arrived.connect(self._welcome)
        studio.desk.changed.connect(self._show_session)
        self._show_session()

    def _made_button(self) -> QToolButton:
        made = tool_button("explore", tip="Explore the map that is shown", text="Explore")
        menu = QMenu(made)
        self.actions = {
            key.key: self._action(menu, name, key, slot)
            for name, key, slot in (
                ("clusters", keys.CLUSTERS, self.show_clusters),
                ("similar", keys.SIMILAR, self.show_similar),
                ("import", keys.PLACE, self.choose_file),
            )
        }
        self.listed = menu.addAction("List of what was placed")
        self.listed.triggered.connect(self.show_newcomers)
        made.setMenu(menu)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return made

    def _action(self, menu: QMenu, name: str, key: keys.Key, slot: Callable[[], None]) -> QAction:
        # The key is written, not set: the window has the shortcut already.
        action = menu.addAction(icon(name), f"{key.does}\t{key.keys}")
        action.triggered.connect(slot)
        return action

    # What is opened

    @property
    def clusters(self) -> ClustersDialog:
        """The clusters of the map."""
        if self._clusters is None:
            from ximstudio.ui.dialogs.clusters_dialog import ClustersDialog

            self._clusters = ClustersDialog(self._studio, self._window)
        return self._clusters

    @property
    def similar(self) -> SimilarDialog:
        """Pattern matching."""
        if self._similar is None:
            from ximstudio.ui.dialogs.similar_dialog import SimilarDialog

            self._similar = SimilarDialog(self._studio, self._window)
        return self._similar

    @property
    def newcomers(self) -> NewcomersDialog:
        """What was placed on the map."""
        if self._newcomers is None:
            from ximstudio.ui.dialogs.newcomers_dialog import NewcomersDialog

            self._newcomers = NewcomersDialog(self._studio, self._window)
        return self._newcomers

    def show_clusters(self) -> None:
        """Open the clusters of the map."""
        if self.able:
            self.clusters.bring()

    def show_similar(self) -> None:
        """Open pattern matching."""
        if self.able:
            self.similar.bring()

    def show_newcomers(self) -> None:
        """Open the list of what was placed on the map."""
        if self.able:
            self.newcomers.bring()

    def choose_file(self) -> None:
        """Ask for a file whose items are to be placed on the map."""
        if not self.able:
            return
        from ximstudio.ui.opening import name_filters

        dialog = QFileDialog(self._window, "Place on this map", self._settings.now.folder)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(name_filters())
        dialog.fileSelected.connect(lambda name: self._studio.exploring.bringing.place(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @property
    def able(self) -> bool:
        """Whether there is a map to explore."""
        return self._studio.session.run is not None

    def _welcome(self, _: Brought) -> None:
        """List what has just been placed."""
        self.show_newcomers()

    def _show_session(self) -> None:
        """Enable what can be done now, in the words of the table."""
        session = self._studio.session
        self.button.setEnabled(self.able)
        self.listed.setVisible(bool(session.run is not None and session.run.brought))
        self.listed.setText(f"New {self._studio.inspecting.words.items} on this map")
        tip = (
            "Clusters, similar profiles, new data on the map" if self.able else "Train a map first"
        )
        self.button.setToolTip(tip)
