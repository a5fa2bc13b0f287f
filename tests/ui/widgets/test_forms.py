"""Forms made from declarations: every kind of field, bounds while typing, conflicts, automatic."""

from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from ximstudio.model.params import Params
from ximstudio.model.problem import Problem, Severity
from ximstudio.model.spec import Choice, FreeText, Number, Switch, TextList, param
from ximstudio.prepare.steps import STEPS
from ximstudio.session.parameter_words import (
    bounds_text,
    in_words,
    number_read,
    number_text,
    value_text,
)
from ximstudio.train import METHODS, method_named
from ximstudio.ui.widgets.forms.fields import ChoiceField, SwitchField, TextField
from ximstudio.ui.widgets.forms.form import ParamsForm
from ximstudio.ui.widgets.forms.numbers import NumberField, PairField
from ximstudio.ui.widgets.look.controls import combo_box

ALL_PARAMS = {f"train {each.key}": each.params for each in METHODS} | {
    f"step {each.key}": each.params for each in STEPS
}


@dataclass(frozen=True, kw_only=True)
class Every(Params):
    """One of each kind that the methods do not have."""

    label: str | None = param(None, FreeText(label="Label", help=""))
    names: tuple[str, ...] = param((), TextList(label="Names", help=""))
    some: tuple[str, ...] | None = param(
        None, TextList(label="Some", help="", automatic="all of them")
    )
    share: float = param(0.5, Number(label="Share", help="", low=0, high=1, above=True))
    target: float | None = param(
        None, Number(label="Target", help="", low=0, high=1e300, automatic="the median")
    )
    way: str = param("a", Choice(label="Way", help="", options={"a": "one", "b": "another"}))
    on: bool = param(True, Switch(label="On", help="", advanced=True))


def shown(qtbot: QtBot, params: Params, **options: Any) -> ParamsForm:
    form = ParamsForm(params, **options)
    qtbot.addWidget(form)
    form.resize(288, 600)
    form.show()
    return form


def write(edit: Any, text: str) -> None:
    """Type as a person does: all of the old text goes, and every key is judged."""
    edit.selectAll()
    if text:
        QTest.keyClicks(edit, text)
    else:
        QTest.keyClick(edit, Qt.Key.Key_Delete)


def c_xim(**changes: Any) -> Params:
    return method_named("c-xim").params(**changes)


def news(form: ParamsForm) -> list[Params]:
    heard: list[Params] = []
    form.changed.connect(heard.append)
    return heard


@pytest.mark.parametrize("key", ALL_PARAMS)
def test_that_every_declared_set_has_a_form_that_gives_it_back(qtbot: QtBot, key: str) -> None:
    params = ALL_PARAMS[key]()
    form = shown(qtbot, params)
    heard = news(form)
    assert set(form.fields) == set(params.specs())
    form._judge()
    assert form.valid
    assert form.params == params
    assert heard == []
    for name, spec in params.specs().items():
        assert spec.label in form.names[name].toolTip()
        assert spec.equation in form.names[name].toolTip()


def test_that_what_is_not_built_yet_stays_as_it_is(qtbot: QtBot) -> None:
    params = method_named("c-xim").params(power=3.0, repulsion=0.3)  # type: ignore[call-arg]
    form = shown(qtbot, params)
    heard = news(form)
    assert "power" not in form.names
    form._field("repulsion").show_value(0.4, None)
    form._judge()
    assert heard == [params.replace(repulsion=0.4)]
    form.more.click()
    assert form.names["power"].isVisible()
    assert form.fields["power"].read() == 3.0
    assert form.params == heard[-1]


def test_that_fields_without_effect_are_hidden(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim())
    form.set_advanced(True)
    assert form.names["n_steps"].isVisible()
    assert not form.names["n_epochs"].isVisible()
    assert not form.fields["n_epochs"].isVisible()
    form.fields["algorithm"].show_value("batch", None)
    form._judge()
    assert form.names["n_epochs"].isVisible()
    assert form.fields["n_epochs"].isVisible()
    assert not form.names["n_steps"].isVisible()
    form.show_params(c_xim())
    assert form.names["n_steps"].isVisible()
    assert not form.names["n_epochs"].isVisible()


def test_that_a_hidden_field_keeps_its_value_and_is_not_counted(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim(settling=3))
    heard = news(form)
    assert form.more.text() == "Advanced"
    form.fields["algorithm"].show_value("batch", None)
    form._judge()
    assert form.more.text() == "Advanced, 1 changed"
    assert heard == [c_xim(settling=3, algorithm="batch")]


def test_that_a_field_that_a_message_names_is_shown(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim(toroidal=True))
    form.fields["lattice"].show_value("disc", None)
    form._judge()
    assert form.problems
    assert form.names["toroidal"].isVisible()
    form.fields["toroidal"].show_value(False, None)
    form._judge()
    assert form.valid
    assert not form.names["toroidal"].isVisible()
    risk = Problem(key="x", what="", where="", way_out="", fields=("order",))
    form.set_advanced(True)
    assert not form.names["order"].isVisible()
    form.show_risks([risk])
    assert form.names["order"].isVisible()


def test_that_a_tip_says_when_a_parameter_is_used(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim())
    assert form.fields
    assert "Only used if “Map lattice” Cubic." in form.names["depth"].toolTip()
    assert "Only used if" not in form.names["lattice"].toolTip()


def test_that_fields_fit_their_kinds(qtbot: QtBot) -> None:
    fields = shown(qtbot, method_named("som").params()).fields
    assert isinstance(fields["shape"], PairField)
    assert isinstance(fields["lattice"], ChoiceField)
    assert isinstance(fields["toroidal"], SwitchField)
    assert isinstance(fields["n_steps"], NumberField)
    assert isinstance(shown(qtbot, Every()).fields["names"], TextField)


def test_that_a_number_is_judged_while_it_is_typed(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim())
    heard = news(form)
    field = form.fields["repulsion"]
    assert isinstance(field, NumberField)
    write(field.edit, "9")
    assert not form.valid
    assert field.edit.property("state") == "error"
    assert "0.95" in field.message
    assert heard == []
    write(field.edit, "0.4")
    assert field.edit.property("state") == ""
    assert field.message == ""
    assert [each.repulsion for each in heard] == [0.0, 0.4]  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "abc", "nan", "inf", "-1", "7", "O.5"])
def test_that_what_is_no_such_number_is_refused(qtbot: QtBot, text: str) -> None:
    form = shown(qtbot, c_xim())
    field = form.fields["repulsion"]
    assert isinstance(field, NumberField)
    write(field.edit, text)
    assert [each.key for each in form.problems] == ["params.bounds"]
    assert form.params == c_xim()


def test_that_only_the_wrong_one_of_a_pair_is_marked(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim())
    field = form.fields["step"]
    assert isinstance(field, PairField)
    write(field.edits[1], "2")
    assert [edit.property("state") for edit in field.edits] == ["", "error"]
    assert not form.valid


def test_that_automatic_values_show_what_they_come_to(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim(shape=(30, 30)), n_items=186)
    field, width = form.fields["n_steps"], form.fields["width"]
    assert isinstance(field, NumberField)
    assert isinstance(width, PairField)
    assert field.tick is not None
    assert field.tick.isChecked()
    assert not field.edit.isEnabled()
    assert number_read(field.edit.text()) == 59_400
    assert width.edits[0].text() == "15"
    shape = form.fields["shape"]
    assert isinstance(shape, PairField)
    write(shape.edits[1], "40")
    assert number_read(field.edit.text()) == 66 * 30 * 40
    assert width.edits[0].text() == "20"


def test_that_a_tick_takes_a_value_over_and_gives_it_back(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim(shape=(30, 30)), n_items=186)
    heard = news(form)
    field = form.fields["n_steps"]
    assert isinstance(field, NumberField)
    assert field.tick is not None
    field.tick.click()
    assert field.edit.isEnabled()
    assert heard[-1].n_steps == 59_400  # type: ignore[attr-defined]
    write(field.edit, "5000")
    field.tick.click()
    assert heard[-1].n_steps is None  # type: ignore[attr-defined]
    assert number_read(field.edit.text()) == 59_400


def test_that_an_automatic_value_nobody_knows_has_to_be_written(qtbot: QtBot) -> None:
    form = shown(qtbot, Every())
    field = form.fields["target"]
    assert isinstance(field, NumberField)
    assert field.tick is not None
    field.tick.click()
    assert [each.key for each in form.problems] == ["params.bounds"]
    write(field.edit, "12,5")
    assert form.valid
    assert form.params.target == 12.5  # type: ignore[attr-defined]


def test_that_conflicts_are_told_at_the_form_and_its_fields(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim(shape=(7, 8), lattice="hexagonal"))
    heard = news(form)
    switch = form.fields["toroidal"]
    assert isinstance(switch, SwitchField)
    switch.switch.click()
    assert [each.key for each in form.problems] == ["params.odd_torus"]
    assert form._conflict.isVisible()
    assert form.fields["shape"].controls[0].property("state") == "error"
    assert heard == []
    shape = form.fields["shape"]
    assert isinstance(shape, PairField)
    write(shape.edits[0], "6")
    assert form.valid
    assert not form._conflict.isVisible()
    assert heard[-1].toroidal  # type: ignore[attr-defined]


def test_that_what_a_person_types_stays_when_nothing_else_changed(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim(), n_items=10)
    field = form.fields["repulsion"]
    assert isinstance(field, NumberField)
    write(field.edit, "0.40")
    assert form.params == c_xim(repulsion=0.4)
    form.show_params(form.params, n_items=10)
    assert field.edit.text() == "0.40"
    write(field.edit, "7")
    form.show_params(form.params, n_items=11)
    assert field.edit.text() == "7"
    form.show_params(c_xim(repulsion=0.1), n_items=11)
    assert field.edit.text() == "0.1"
    assert form.valid


def test_that_resetting_puts_the_last_valid_values_back(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim())
    field = form.fields["repulsion"]
    assert isinstance(field, NumberField)
    write(field.edit, "7")
    form.reset()
    assert field.edit.text() == "0.25"
    assert form.valid


def test_that_arrow_keys_step_within_the_bounds(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim(repulsion=0.94, shape=(30, 30)))
    repulsion, shape = form.fields["repulsion"], form.fields["shape"]
    assert isinstance(repulsion, NumberField)
    assert isinstance(shape, PairField)
    for _ in range(3):
        QTest.keyClick(repulsion.edit, Qt.Key.Key_Up)
    assert repulsion.edit.text() == "0.95"
    QTest.keyClick(shape.edits[0], Qt.Key.Key_Down)
    assert form.params.shape == (29, 30)  # type: ignore[attr-defined]


def test_that_the_advanced_part_is_closed_until_something_is_wrong_in_it(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim())
    power = form.fields["power"]
    assert isinstance(power, NumberField)
    assert not power.isVisible()
    form.more.click()
    assert power.isVisible()
    form.more.click()
    power.edit.setText("0")
    power.edit.textEdited.emit("0")
    assert power.isVisible()


def test_that_a_closed_part_tells_how_much_is_changed(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim())
    usual = form.more.text()
    form.show_params(c_xim(power=2.0, neighbours=4))
    assert "2" in form.more.text() != usual


def test_that_risks_are_marked_at_the_fields_they_name(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim())
    named = Problem(
        key="a",
        what="",
        where="some settings",
        way_out="",
        severity=Severity.WARNING,
        fields=("step", "reach"),
    )
    other = Problem(key="b", what="", where="the file", way_out="")
    assert form.show_risks((named, other)) == (other,)
    assert form.fields["step"].controls[0].property("state") == "warning"
    assert form.fields["width"].controls[0].property("state") != "warning"
    assert form.valid
    form.show_risks(())
    assert form.fields["step"].controls[0].property("state") == ""


def test_that_texts_and_open_ones_are_read(qtbot: QtBot) -> None:
    form = shown(qtbot, Every())
    label, names, some = (form.fields[name] for name in ("label", "names", "some"))
    assert isinstance(label, TextField)
    assert isinstance(names, TextField)
    assert isinstance(some, TextField)
    write(label.edit, "batch")
    write(names.edit, 'a, "b, c"')
    write(some.edit, "x")
    assert form.params == Every(label="batch", names=("a", "b, c"), some=("x",))
    write(label.edit, "")
    write(some.edit, "")
    assert form.params == Every(names=("a", "b, c"))
    form.suggest("label", ["batch", "tissue"])
    assert label.edit.completer().model().rowCount() == 2


def test_that_a_choice_gives_its_key_and_leaves_options_out(qtbot: QtBot) -> None:
    form = shown(qtbot, c_xim(), without={"init": ("given",)})
    field = form.fields["init"]
    assert isinstance(field, ChoiceField)
    assert field.combo.findData("given") == -1
    field.combo.setCurrentIndex(field.combo.findData("random"))
    field.combo.activated.emit(field.combo.currentIndex())
    assert form.params.init == "random"  # type: ignore[attr-defined]
    form.show_params(c_xim(init="given"))
    assert field.read() == "given"


def test_that_the_wheel_scrolls_and_does_not_choose(qtbot: QtBot) -> None:
    form = ParamsForm(c_xim())
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidget(form)
    area.resize(300, 100)
    area.show()
    field = form.fields["lattice"]
    assert isinstance(field, ChoiceField)
    area.ensureWidgetVisible(field.combo)
    before = area.verticalScrollBar().value()
    place = field.combo.mapTo(area, field.combo.rect().center())
    QTest.wheelEvent(area.windowHandle(), QPointF(place), QPoint(0, -120))
    QApplication.processEvents()

    assert field.read() == "rectangular"
    assert not field.combo.hasFocus()
    assert area.verticalScrollBar().value() > before


def test_that_the_wheel_scrolls_also_over_what_was_chosen_last(qtbot: QtBot) -> None:
    area, combo = QScrollArea(), combo_box()
    qtbot.addWidget(area)
    inner = QWidget()
    combo.setParent(inner)
    combo.addItems(["a", "b", "c"])
    inner.setFixedSize(200, 900)
    area.setWidget(inner)
    area.resize(220, 200)
    with qtbot.waitActive(area):
        area.show()
        area.activateWindow()
    combo.setFocus()
    qtbot.waitUntil(combo.hasFocus)
    turn = wheel_turn()
    QApplication.sendEvent(combo, turn)
    assert combo.currentText() == "a"
    assert not turn.isAccepted()
    # Where nothing can be scrolled, it belongs to what has the keyboard.
    inner.setFixedSize(200, 100)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
    QApplication.sendEvent(combo, wheel_turn())
    assert combo.currentText() == "b"


def wheel_turn() -> QWheelEvent:
    return QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )


def test_that_every_drop_down_leaves_the_wheel_alone(qtbot: QtBot) -> None:
    combo = combo_box()
    qtbot.addWidget(combo)
    combo.addItems(["a", "b", "c"])
    combo.show()
    turn = wheel_turn()

    QApplication.sendEvent(combo, turn)

    assert combo.currentText() == "a"
    assert not turn.isAccepted()
    assert not combo.focusPolicy() & Qt.FocusPolicy.WheelFocus & ~Qt.FocusPolicy.StrongFocus


def test_that_a_form_stays_where_it_is_whatever_is_chosen(qtbot: QtBot) -> None:
    form = ParamsForm(c_xim())
    qtbot.addWidget(form)
    form.resize(288, 900)
    form.show()
    places = set()
    for lattice in ("rectangular", "hexagonal"):
        form.show_params(c_xim(lattice=lattice))
        QApplication.processEvents()
        places.add(form.fields["toroidal"].y())

    assert len(places) == 1


@pytest.mark.parametrize("value", [0.45, 1200.0, -2.5, 3e-7, 59_400.0, 4.5e13])
def test_that_a_number_is_read_as_it_was_written(value: float) -> None:
    assert number_read(number_text(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("1 000", 1000.0), ("0,5", 0.5), ("1e3", 1000.0), ("1\u202f000,5", 1000.5), ("12'000", 12e3)],
)
def test_that_numbers_are_read_as_people_write_them(text: str, value: float) -> None:
    assert number_read(text) == value


@pytest.mark.parametrize("value", [0, 1, -3, 59_400, 0.25, 1e-7, 1e15, 0.123456])
def test_that_numbers_that_are_written_can_be_read(value: float) -> None:
    assert number_read(number_text(value)) == value


def test_that_bounds_say_what_matters() -> None:
    specs = c_xim().specs()
    assert bounds_text(specs["repulsion"]) == "from 0 to 0.95"
    assert "1e" not in bounds_text(specs["reach"])
    assert bounds_text(Every.specs()["share"]) == "above 0 and at most 1"


def test_that_names_of_parameters_become_those_of_the_form() -> None:
    specs = c_xim().specs()
    told = in_words("Set rule=weighted and 'reach', not 'other' or x=y.", specs)
    assert told == "Set “Learning rule” Weighted and “Data reach”, not 'other' or x=y."
    assert value_text(specs["shape"], (3, 4)) == "3 × 4"
    assert value_text(specs["n_steps"], None) == "automatic"
    assert value_text(specs["toroidal"], True) == "on"
