"""Long tables and tables of proteins in the import dialog: every role and quantity is a choice."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from tests.contract.troublesome.case import Case
from tests.contract.troublesome.long_tables import REPLICATES
from tests.contract.troublesome.proteomics import MAXQUANT
from ximstudio.ui.actions.actions import Actions
from ximstudio.ui.dialogs.importing.dialog import ImportDialog


@pytest.fixture
def actions() -> Iterator[Actions]:
    made = Actions()
    yield made
    for dialog in tuple(ImportDialog._open):
        dialog.reject()
    assert made.jobs.close()


def settled(qtbot: QtBot, dialog: ImportDialog) -> None:
    qtbot.waitUntil(lambda: dialog.attempt is not None and not dialog._reading.busy)
    qtbot.waitUntil(lambda: not dialog._form_later.isActive())


def shown(case: Case, actions: Actions, folder: Path, qtbot: QtBot) -> ImportDialog:
    path = folder / case.name
    path.write_bytes(case.content)
    dialog = ImportDialog(actions, path)
    dialog.open()
    settled(qtbot, dialog)
    return dialog


def choose(dialog: ImportDialog, key: str, value: str, qtbot: QtBot) -> None:
    """Take one of the options of a question, as a click does."""
    combo = dialog.form.fields[key].control
    assert isinstance(combo, QComboBox)
    combo.setCurrentIndex(combo.findData(value))
    combo.activated.emit(combo.currentIndex())
    settled(qtbot, dialog)


def test_that_the_columns_of_a_long_table_can_be_chosen(
    actions: Actions, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = shown(REPLICATES, actions, tmp_path, qtbot)
    assert {"layout", "id", "sample", "value", "repeats", "absent"} <= set(dialog.form.fields)
    assert dialog.table.role_menu(2) is None
    choose(dialog, "sample", "condition", qtbot)
    choose(dialog, "repeats", "sum", qtbot)
    assert dialog.good is not None
    assert dialog.good.reading is not None
    assert dialog.good.reading.table.features.names == ("ctrl", "drug")
    assert dialog.good.reading.table.dense[0].tolist() == [1, 5]
    choose(dialog, "layout", "wide", qtbot)
    assert dialog.good.reading.table.n_items == 8
    # And back again, although nothing but the answer says that the table is long.
    choose(dialog, "layout", "long", qtbot)
    assert dialog.good.reading.table.n_items == 2


def test_that_a_quantity_is_chosen_and_decoys_are_removed(
    actions: Actions, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = shown(MAXQUANT, actions, tmp_path, qtbot)
    assert dialog.form.fields["features"].unsure
    choose(dialog, "features", "iBAQ *", qtbot)
    choose(dialog, "decoys", "remove", qtbot)
    assert dialog.good is not None
    assert dialog.good.reading is not None
    table = dialog.good.reading.table
    assert table.items.names == ("P04637", "P38398")
    assert table.dense[0].tolist() == [1000, 2000]
    dialog.accept()
    qtbot.waitUntil(lambda: actions.session.data is not None)
    assert actions.session.data is not None
    chosen = actions.session.data.input.choices
    assert (chosen.features, chosen.decoys) == (("iBAQ *",), "remove")
