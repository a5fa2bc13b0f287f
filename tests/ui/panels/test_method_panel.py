"""The Method step: presets, methods, the form, the seed, the annealing, and what is risky."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from ximstudio.prepare.input import Input
from ximstudio.session import Data, open_data
from ximstudio.session.parameter_words import number_read
from ximstudio.session.plan import checked
from ximstudio.session.presets import PRESETS, OwnPresets, presets_file
from ximstudio.train import METHODS
from ximstudio.train.params import suggested_shape
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.panels.method.panel import MethodPanel
from ximstudio.ui.panels.method.presets import PresetNameDialog
from ximstudio.ui.widgets.forms.numbers import NumberField, PairField
from ximstudio.ui.widgets.look.theme import Scheme, the_theme

PCA = [method.key for method in METHODS].index("pca")


@pytest.fixture(scope="module")
def sample() -> Data:
    return open_data(Input(name="sample:yeast"))


@pytest.fixture
def actions(qapp: QApplication) -> Iterator[Actions]:
    del qapp
    made = Actions()
    yield made
    assert made.jobs.close()


@pytest.fixture
def panel(
    qtbot: QtBot, actions: Actions, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> MethodPanel:
    monkeypatch.setenv("XIMSTUDIO_SETTINGS", str(tmp_path))
    made = MethodPanel(actions)
    qtbot.addWidget(made)
    actions.store.changed.connect(made.show_session)
    made.resize(288, 800)
    made.show()
    made.show_session()
    return made


def type_into(panel: MethodPanel, name: str, text: str) -> None:
    field = panel.form.fields[name]
    assert isinstance(field, NumberField)
    field.edit.selectAll()
    QTest.keyClicks(field.edit, text)


def choose(combo: Any, number: int) -> None:
    combo.setCurrentIndex(number)
    combo.activated.emit(number)


def ended(panel: MethodPanel, key: str) -> float:
    """Where the curve of a schedule ends."""
    return float(10.0 ** panel.plot.curves._curves[key].item.getData()[1][-1])


def test_that_every_method_can_be_chosen_and_has_its_form(
    panel: MethodPanel, actions: Actions
) -> None:
    for number, method in enumerate(METHODS):
        choose(panel.method, number)
        assert actions.session.plan.method_key == method.key
        assert isinstance(panel.form.params, method.params)
        assert panel.summary.text() == method.summary
        assert [form.isVisibleTo(panel) for form in panel.forms.values()].count(True) == 1


def test_that_parameters_of_a_method_stay_while_another_is_looked_at(
    panel: MethodPanel, actions: Actions
) -> None:
    type_into(panel, "repulsion", "0.3")
    choose(panel.method, 3)
    choose(panel.method, 0)
    assert actions.session.plan.params.repulsion == 0.3  # type: ignore[attr-defined]


def test_that_wrong_values_keep_anything_from_being_trained(
    qtbot: QtBot, panel: MethodPanel, actions: Actions, sample: Data
) -> None:
    actions.use_table(sample)
    assert panel.done
    type_into(panel, "repulsion", "9")
    assert [each.key for each in actions.obstacles] == ["params.bounds"]
    with qtbot.waitSignal(actions.jobs.refused) as refused:
        actions.train()
    assert refused.args is not None
    assert refused.args[0] == actions.obstacles
    assert actions.jobs.current is None
    type_into(panel, "repulsion", "0.2")
    assert actions.obstacles == ()


def test_that_another_method_is_not_hindered_by_a_field_of_this_one(
    panel: MethodPanel, actions: Actions
) -> None:
    type_into(panel, "repulsion", "9")
    choose(panel.method, PCA)
    assert actions.obstacles == ()


def test_that_the_annealing_follows_the_fields(panel: MethodPanel, actions: Actions) -> None:
    assert ended(panel, "σ") == pytest.approx(0.4)
    assert ended(panel, "γ") == pytest.approx(0.2)
    actions.set_params(actions.session.plan.params.replace(width=(None, 2.0)))
    assert ended(panel, "σ") == pytest.approx(2.0)
    type_into(panel, "repulsion", "0")
    assert panel.plot.curves.names == ("step size", "map width")
    choose(panel.method, PCA)
    assert not panel.plot.isVisibleTo(panel)


def test_that_the_dice_gives_another_seed(panel: MethodPanel, actions: Actions) -> None:
    seen = set()
    for _ in range(5):
        panel.dice.click()
        seen.add(actions.session.plan.seed)
        assert panel.seed.read() == actions.session.plan.seed
    assert len(seen) > 1
    panel.seed.selectAll()
    QTest.keyClicks(panel.seed, "17")
    assert actions.session.plan.seed == 17
    panel.seed.selectAll()
    QTest.keyClicks(panel.seed, "-")
    assert panel.seed.property("state") == "error"
    assert actions.session.plan.seed == 17


def test_that_a_preset_is_applied_and_shown_until_something_changes(
    panel: MethodPanel, actions: Actions
) -> None:
    for number, preset in enumerate(PRESETS):
        choose(panel.presets.combo, number)
        assert preset.holds(actions.session.plan)
        assert panel.presets.preset == preset
        assert panel.presets.combo.currentIndex() == number
    choose(panel.presets.combo, 0)
    type_into(panel, "repulsion", "0.33")
    assert panel.presets.preset is None
    assert panel.presets.combo.currentIndex() == -1


def test_that_own_presets_are_kept_renamed_and_deleted(
    panel: MethodPanel, actions: Actions
) -> None:
    type_into(panel, "repulsion", "0.33")
    panel.presets.keep_as("mine")
    assert panel.presets.preset is not None
    assert panel.presets.preset.name == "mine"
    assert [each.name for each in OwnPresets().read()] == ["mine"]
    panel.presets.rename_to("better")
    assert panel.presets.combo.currentText() == "better"
    choose(panel.presets.combo, 3)
    assert not panel.presets.delete.isEnabled()
    choose(panel.presets.combo, panel.presets.combo.findText("better"))
    assert actions.session.plan.params.repulsion == 0.33  # type: ignore[attr-defined]
    panel.presets.delete_chosen()
    assert OwnPresets().read() == ()
    assert panel.presets.combo.findText("better") == -1


def test_that_a_name_is_asked_for(qtbot: QtBot, panel: MethodPanel) -> None:
    panel.presets.keep.trigger()
    dialog = panel.window().findChild(PresetNameDialog)
    assert dialog is not None
    dialog.edit.clear()
    assert not dialog.yes.isEnabled()
    QTest.keyClicks(dialog.edit, "mine")
    dialog.yes.click()
    assert panel.presets.combo.findText("mine") > 0
    qtbot.waitUntil(lambda: panel.window().findChild(PresetNameDialog) is None)


def test_that_presets_that_cannot_be_kept_are_told(
    qtbot: QtBot, panel: MethodPanel, actions: Actions, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    panel.presets.kept = OwnPresets(tmp_path / "file" / "presets.json")
    with qtbot.waitSignal(actions.jobs.refused) as refused:
        panel.presets.keep_as("mine")
    assert refused.args is not None
    assert [each.key for each in refused.args[0]] == ["presets.write"]


def test_that_the_size_of_the_map_is_the_suggested_one_until_it_is_set(
    panel: MethodPanel, actions: Actions, sample: Data
) -> None:
    actions.use_table(sample)
    field = panel.form.fields["shape"]
    assert isinstance(field, PairField)
    assert field.tick is not None
    assert field.tick.isChecked()
    assert [edit.text() for edit in field.edits] == [str(side) for side in suggested_shape(186)]
    field.tick.click()
    assert actions.session.plan.params.as_values()["shape"] == suggested_shape(186)
    field.edits[0].setText("12")
    field.edits[0].textEdited.emit("12")
    assert actions.session.plan.params.as_values()["shape"] == (12, suggested_shape(186)[1])
    field.tick.click()
    assert actions.session.plan.params.as_values()["shape"] is None


def test_that_few_items_get_a_word_of_caution(actions: Actions, sample: Data) -> None:
    matrix = sample.matrix
    assert matrix is not None
    for n_items, told in ((20, []), (19, ["data.few_items"])):
        found = checked(matrix.items(range(n_items)), actions.session.plan)
        assert [problem.key for problem in found.problems] == told


def test_that_risks_are_found_in_the_background_and_shown(
    qtbot: QtBot, panel: MethodPanel, actions: Actions, sample: Data
) -> None:
    actions.use_table(sample)
    actions.set_params(actions.session.plan.params.replace(rule="gradient", reach=(0.1, 0.1)))
    qtbot.waitUntil(lambda: [each.key for each in panel._warned] == ["params.overshoot"])
    assert panel._warnings.count() == 1
    assert panel.form.fields["step"].controls[0].property("state") == "warning"
    assert actions.obstacles == ()
    actions.set_params(actions.session.plan.params.replace(rule="weighted"))
    assert panel._warned == ()
    assert panel._warnings.count() == 0
    assert panel.form.fields["step"].controls[0].property("state") == ""


def test_that_automatic_values_follow_the_data(
    panel: MethodPanel, actions: Actions, sample: Data
) -> None:
    steps = panel.form.fields["n_steps"]
    assert isinstance(steps, NumberField)
    assert steps.edit.text() == ""
    actions.use_table(sample)
    rows, columns = suggested_shape(186)
    assert number_read(steps.edit.text()) == 66 * rows * columns


def test_that_given_prototypes_are_not_offered(panel: MethodPanel) -> None:
    assert panel.form.fields["init"].combo.findData("given") == -1  # type: ignore[attr-defined]


def test_that_nothing_is_cut_off_in_a_narrow_panel(panel: MethodPanel, qtbot: QtBot) -> None:
    panel.form.set_advanced(True)
    qtbot.waitExposed(panel)
    assert panel.minimumSizeHint().width() <= 276
    for field in panel.form.fields.values():
        assert field.width() >= field.minimumSizeHint().width()


def test_that_both_themes_can_be_drawn(panel: MethodPanel) -> None:
    before = the_theme().scheme
    pictures = []
    for scheme in (Scheme.LIGHT, Scheme.DARK):
        the_theme().choose(scheme)
        pictures.append(panel.plot.grab().toImage())
    the_theme().choose(before)
    one, other = (np.frombuffer(bytes(picture.constBits()), dtype=np.uint8) for picture in pictures)
    assert not np.array_equal(one, other)


def test_that_a_preset_that_was_changed_says_so(panel: MethodPanel, actions: Actions) -> None:
    preset = next(each for each in PRESETS if each.name == "Clear clusters")
    actions.set_plan(preset.applied(actions.session.plan), "Use it")
    combo = panel.presets.combo
    assert combo.currentText() == preset.name

    actions.set_params(actions.session.plan.params.replace(lattice="hexagonal"))
    assert combo.currentIndex() == -1
    assert combo.placeholderText() == f"{preset.name}, changed"
    assert preset.name in panel.presets.about.text()

    choose(combo, combo.findText(preset.name))
    assert combo.currentText() == preset.name
    assert preset.holds(actions.session.plan)
    actions.choose_method("pca")
    assert preset.name not in combo.placeholderText()


def test_that_no_symbols_stand_beside_the_fields(panel: MethodPanel) -> None:
    panel.form.set_advanced(True)
    symbols = {spec.symbol for spec in panel.form.params.specs().values() if spec.symbol}
    written = {each.text() for each in panel.findChildren(QLabel) if each.isVisibleTo(panel)}

    assert symbols
    assert not symbols & written
    assert all(
        spec.symbol in panel.form.names[name].toolTip()
        for name, spec in panel.form.params.specs().items()
    )


def test_that_presets_that_cannot_be_read_are_told_of(actions: Actions, qtbot: QtBot) -> None:
    presets_file().parent.mkdir(parents=True, exist_ok=True)
    presets_file().write_text("{" * 10_000, encoding="utf-8")
    with qtbot.waitSignal(actions.jobs.refused) as told:
        qtbot.addWidget(MethodPanel(actions))
    (problems,) = told.args or [()]
    assert [problem.key for problem in problems] == ["preferences.unreadable"]
