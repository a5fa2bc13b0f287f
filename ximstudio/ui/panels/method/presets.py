"""Choose, save, rename and delete presets."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
)

from ximstudio.model.problem import UserError
from ximstudio.session.plan import TrainingPlan
from ximstudio.session.presets import (
    NAMES,
    PRESETS,
    OwnPresets,
    Preset,
    free_name,
    holding,
    preset_of,
)
from ximstudio.train import method_named
from ximstudio.ui.widgets.boxes import STRETCH, hbox, vbox
from ximstudio.ui.widgets.look import spacing
from ximstudio.ui.widgets.look.controls import ButtonKind, button, combo_box, label, tool_button
from ximstudio.ui.widgets.look.icons import icon
from ximstudio.ui.widgets.question import ask

DIALOG_WIDTH = 360


class PresetChoice(QWidget):
    """List of presets with a description, and a menu to save, rename and delete them."""

    chosen = Signal(object)
    """The preset that the user wants to apply."""
    refused = Signal(object)
    """Problems: presets could not be saved."""

    def __init__(self, kept: OwnPresets | None = None) -> None:
        super().__init__()
        self.kept = OwnPresets() if kept is None else kept
        self.presets: tuple[Preset, ...] = (*PRESETS, *self.kept.read())
        self._plan = TrainingPlan()
        self._base: Preset | None = None
        """The last preset that matched the plan."""
        self.combo = combo_box(name="Preset")
        self.about = label(kind="muted", wrap=True)
        self.more = tool_button("more", tip="Save, rename or delete a preset")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.more)
        self.keep = menu.addAction(icon("save"), "Save these settings as a preset…")
        self.rename = menu.addAction(icon("rename"), "Rename preset…")
        self.delete = menu.addAction(icon("delete"), "Delete preset…")
        self.more.setMenu(menu)
        row = hbox((self.combo, 1), self.more, gap=spacing.HAIR)
        vbox(row, self.about, into=self, gap=spacing.HAIR, margins=0)
        self.combo.activated.connect(self._choose)
        self.keep.triggered.connect(self._ask_keep)
        self.rename.triggered.connect(self._ask_rename)
        self.delete.triggered.connect(self._ask_delete)
        self._list()

    @property
    def preset(self) -> Preset | None:
        """The preset that matches the plan; None if none does."""
        return holding(self._plan, self.presets)

    def show_plan(self, plan: TrainingPlan) -> None:
        """Show the preset that matches the plan."""
        self._plan = plan
        preset = self.preset
        if preset is not None:
            self._base = preset
        elif self._base is not None and self._base.method_key != plan.method_key:
            self._base = None
        self.combo.setPlaceholderText(
            "Custom settings" if self._base is None else f"{self._base.name}, changed"
        )
        number = -1 if preset is None else self.combo.findText(preset.name)
        self.combo.setCurrentIndex(number)
        mine = preset is not None and preset.own
        self.rename.setEnabled(mine)
        self.delete.setEnabled(mine)
        self.about.setText(_about(preset, self._base))

    # Menu actions

    def keep_as(self, name: str) -> None:
        """Save the settings of the plan under a name."""
        preset = preset_of(free_name(name, NAMES), self._plan)
        self._change(lambda: self.kept.keep(preset))

    def rename_to(self, name: str) -> None:
        """Give the chosen preset another name."""
        if (preset := self.preset) is not None:
            self._change(lambda: self.kept.rename(preset.name, name))

    def delete_chosen(self) -> None:
        """Delete the chosen preset."""
        if (preset := self.preset) is not None:
            self._change(lambda: self.kept.delete(preset.name))

    def _change(self, change: Callable[[], tuple[Preset, ...]]) -> None:
        try:
            self.presets = (*PRESETS, *change())
        except UserError as error:
            self.refused.emit(error.problems)
            return
        self._list()
        self.show_plan(self._plan)

    def _list(self) -> None:
        self.combo.clear()
        for number, preset in enumerate(self.presets):
            if preset.own and not self.presets[number - 1].own:
                self.combo.insertSeparator(self.combo.count())
            self.combo.addItem(preset.name, preset)

    def _choose(self) -> None:
        preset = self.combo.currentData()
        if isinstance(preset, Preset):
            self.chosen.emit(preset)

    def _ask_keep(self) -> None:
        taken = free_name(f"My {self._plan.method.name}", {preset.name for preset in self.presets})
        asked = PresetNameDialog(self, title="Save these settings", name=taken, yes="Save")
        asked.named.connect(self.keep_as)
        asked.open()

    def _ask_rename(self) -> None:
        if self.preset is not None:
            asked = PresetNameDialog(
                self, title="Rename preset", name=self.preset.name, yes="Rename"
            )
            asked.named.connect(self.rename_to)
            asked.open()

    def _ask_delete(self) -> None:
        if self.preset is not None:
            ask(
                self.window(),
                title=f"Delete the preset “{self.preset.name}”?",
                text="Only the preset is deleted; the current settings stay.",
                yes="Delete",
                then=self.delete_chosen,
            )


def _about(preset: Preset | None, base: Preset | None) -> str:
    if preset is not None:
        return preset.about or f"Your own preset for {method_named(preset.method_key).name}."
    if base is None:
        return "Save them as a preset to use them again."
    return f"Some settings differ from “{base.name}”; choose it again to restore them."


class PresetNameDialog(QDialog):
    """Dialog that asks for the name of a preset."""

    named = Signal(str)

    def __init__(self, parent: QWidget, *, title: str, name: str, yes: str) -> None:
        super().__init__(parent.window())
        self.setWindowTitle("XIM Studio")
        self.setFixedWidth(DIALOG_WIDTH)
        self.edit = QLineEdit(name)
        self.edit.setAccessibleName("Name")
        self.edit.selectAll()
        self.yes = button(yes, kind=ButtonKind.PRIMARY)
        self.yes.setDefault(True)
        no = button("Cancel")
        answers = hbox(STRETCH, no, self.yes, gap=spacing.SMALL)
        vbox(
            label(title, kind="title"),
            self.edit,
            answers,
            into=self,
            gap=spacing.MEDIUM,
            margins=spacing.WIDE,
        )
        self.edit.textChanged.connect(lambda text: self.yes.setEnabled(bool(text.strip())))
        self.yes.clicked.connect(self.accept)
        no.clicked.connect(self.reject)
        self.accepted.connect(lambda: self.named.emit(self.edit.text().strip()))
        self.finished.connect(self.deleteLater)
