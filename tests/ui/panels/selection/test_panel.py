"""The panel on the right: what is chosen, its table, and how it opens and folds away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.explored import clustered
from tests.ui.hands import click, pick
from tests.ui.maps_to_show import run_of, some_matrix
from tests.ui.windows import shown_window, wait_idle
from ximstudio.model import Matrix
from ximstudio.model.selection import Selection
from ximstudio.pictures.item_facts import NODE, TRUST, FactColumn, facts_of
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.panels.selection.panel import SelectionPanel
from ximstudio.ui.panels.selection.table import (
    LEAST_NAME,
    MEASURED_ROWS,
    MOST_NAME,
    ROW,
    ItemsModel,
    ItemsTable,
)
from ximstudio.ui.runtime.settings import Settings

IDS = some_matrix().item_ids
CONTROL = Qt.KeyboardModifier.ControlModifier


def panel_of(window: MainWindow) -> SelectionPanel:
    return window.work.panel


def choose(window: MainWindow, *numbers: int) -> None:
    choose_ids(window, [IDS[number] for number in numbers])


def choose_ids(window: MainWindow, ids: list[str]) -> None:
    window.user_actions.selecting.select(Selection.of(ids))
    while not panel_of(window)._slices.idle:
        QApplication.processEvents()


def is_folded(window: MainWindow) -> bool:
    return panel_of(window).is_folded


def chosen(window: MainWindow) -> frozenset[str]:
    return window.user_actions.session.selection.ids


def test_that_what_is_chosen_of_the_other_side_is_called_so(window: MainWindow) -> None:
    choose_ids(window, ["heat", "cold"])
    page = panel_of(window).chosen
    assert window.user_actions.selecting.chosen_word == window.user_actions.inspector.words.feature
    assert page.hint.text().startswith("None of the selected samples")
    assert "2 samples" in page.head.of.toolTip()
    choose_ids(window, ["NOBODY"])
    assert window.user_actions.selecting.chosen_word == window.user_actions.inspector.words.item


def test_that_it_is_a_strip_until_something_is_chosen(window: MainWindow) -> None:
    panel = panel_of(window)
    assert is_folded(window)
    assert panel.strip.open.isVisible()

    choose(window, 1, 2, 3)

    assert not is_folded(window)
    assert panel.chosen.head.count.full == "3 genes"
    assert panel.chosen.head.of.full == "of 60"
    assert panel.chosen.table.model.ids == [IDS[1], IDS[2], IDS[3]]


def test_that_a_person_decides_for_good_whether_it_is_open(window: MainWindow) -> None:
    panel = panel_of(window)
    choose(window, 1)

    click(panel.fold)
    choose(window, 1, 2)

    assert is_folded(window)
    assert panel.strip.count.text() == "2"
    assert window.settings.now.switches["selection folded"]
    click(panel.strip.open)
    assert not is_folded(window)
    assert not window.settings.now.switches["selection folded"]


def test_that_it_opens_as_it_was_left(qtbot: QtBot) -> None:
    settings = Settings()
    settings.change(switches={"selection folded": False})
    window = shown_window(qtbot, settings)

    assert not is_folded(window)
    window.close()


def test_that_it_leaves_a_narrow_window_to_the_map(window: MainWindow) -> None:
    window.resize(900, 600)
    QApplication.processEvents()

    choose(window, 1)

    assert is_folded(window)
    assert panel_of(window).strip.count.isVisible()


def test_that_nothing_chosen_says_how_to_choose(window: MainWindow) -> None:
    panel = panel_of(window)
    click(panel.strip.open)

    assert panel.chosen.hint.isVisible()
    assert not panel.chosen.table.isVisible()
    assert not panel.chosen.head.copy.isEnabled()


def test_that_names_are_copied_in_the_order_of_the_table(window: MainWindow) -> None:
    choose(window, 5, 2)

    click(panel_of(window).chosen.head.copy)

    assert QApplication.clipboard().text().split("\n") == [IDS[2], IDS[5]]
    assert "2 genes" in window.status.last.full


def test_that_what_is_chosen_is_kept_as_a_set(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, 5, 2)

    dialog = panel_of(window).chosen.save_as_set()
    assert dialog is not None
    dialog.field.setText("mine")
    dialog.accept()

    assert [(one.name, one.members) for one in window.user_actions.session.sets] == [
        ("mine", (IDS[2], IDS[5]))
    ]
    wait_idle(qtbot, window)


def test_that_the_menu_inverts_and_goes_back(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, *range(58))
    head = panel_of(window).chosen.head

    pick(qtbot, head.more, "Invert the selection")
    assert chosen(window) == {IDS[58], IDS[59]}
    pick(qtbot, head.more, "Previous selection: 58 genes")
    assert len(chosen(window)) == 58


def test_that_only_what_the_map_has_is_counted(window: MainWindow) -> None:
    panel = panel_of(window)
    head, others = panel.chosen.head, [f"other {number}" for number in range(70)]
    choose_ids(window, [IDS[1], IDS[2], *others])

    assert head.count.full == "2 genes"
    assert head.of.full == "of 60, 70 not on this map"
    assert head._all.isEnabled()
    assert panel.strip.count.text() == "2"

    window.user_actions.selecting.select(Selection.of(others))

    assert head.count.full == "0 genes"
    assert panel.chosen.hint.isVisible()
    assert not head.copy.isEnabled()
    assert head.clear.isEnabled()


def test_that_words_are_those_of_the_shown_map(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, 1, 2)
    run = run_of("som", name="turned")
    samples = tuple(f"sample {number}" for number in range(60))
    genes = ("YAL001C", "YAL002W", "YAL003W", "YAL005C", "YAL007C")
    turned = replace(
        run,
        matrix=replace(run.matrix, item_ids=samples, feature_names=genes),
        result=replace(run.result, item_ids=samples, feature_names=genes),
        evidence=None,
    )

    window.store.commit(window.store.session.with_run(turned), "Train")
    panel = panel_of(window)
    assert panel.chosen.head.count.full == "0 samples"
    assert window.bar.finder.placeholderText() != "Find a gene"
    wait_idle(qtbot, window)
    assert "samples" in panel.sets.hint.text()
    assert "samples" in window.bar.finder.toolTip()
    window.user_actions.selecting.select(Selection.of(["sample 3"]))
    assert window.user_actions.undoes == "Select 1 sample"


# The table


def test_that_marked_rows_are_kept_by_enter_and_taken_out_by_delete(window: MainWindow) -> None:
    choose(window, 1, 2, 3, 4)
    table = panel_of(window).chosen.table
    assert not table.keep.isVisible()

    table.rows.selectRow(1)
    assert table.keep.isVisible()
    QTest.keyClick(table.rows, Qt.Key.Key_Delete)
    assert chosen(window) == {IDS[1], IDS[3], IDS[4]}

    table.rows.selectRow(0)
    QTest.keyClick(table.rows, Qt.Key.Key_Return)
    assert chosen(window) == {IDS[1]}
    window.user_actions.undo()
    assert chosen(window) == {IDS[1], IDS[3], IDS[4]}


def test_that_marked_names_are_copied_alone(window: MainWindow) -> None:
    choose(window, 1, 2, 3)
    rows = panel_of(window).chosen.table.rows
    rows.selectRow(2)

    QTest.keyClick(rows, Qt.Key.Key_C, CONTROL)

    assert QApplication.clipboard().text() == IDS[3]


def test_that_a_click_on_a_column_sorts_by_it(qtbot: QtBot, window: MainWindow) -> None:
    choose(window, *range(20))
    table = panel_of(window).chosen.table
    facts = window.user_actions.inspector.facts
    assert facts is not None
    keys = [column.key for column in facts.columns]

    table.rows.sortByColumn(keys.index(TRUST), Qt.SortOrder.AscendingOrder)
    trust = facts.columns[keys.index(TRUST)].numbers
    assert trust is not None
    assert np.all(np.diff(trust[table.model.items]) >= 0.0)

    # Texts are put in order in the lane.
    table.rows.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    wait_idle(qtbot, window)
    assert table.model.ids == sorted(IDS[:20], reverse=True)

    choose(window, 7, 3, 9)
    assert table.model.ids == [IDS[9], IDS[7], IDS[3]]


def test_that_marks_stay_at_their_items_when_rows_are_sorted(
    qtbot: QtBot, window: MainWindow
) -> None:
    choose(window, *range(10))
    table = panel_of(window).chosen.table
    table.rows.selectRow(2)

    table.rows.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    wait_idle(qtbot, window)

    assert table.marked_ids == [IDS[2]]
    assert table.model.ids[0] == IDS[9]


def test_that_measures_join_the_table_when_they_were_taken(
    qtbot: QtBot, window: MainWindow
) -> None:
    model = panel_of(window).chosen.table.model

    def columns() -> set[str]:
        return {model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())}

    assert "Trust" in columns()
    bare = run_of("som", state="finished", name="other")
    window.store.commit(window.store.session.with_run(bare), "Train")
    wait_idle(qtbot, window)
    assert "Trust" not in columns()
    assert "Node" in columns()


def test_that_names_have_the_room_they_need_up_to_a_bound(qtbot: QtBot, dressed: None) -> None:
    del dressed
    names = ("short", "a name of middling length", "a name that goes on and on " * 9)
    matrix = replace(Matrix.from_array(np.zeros((3, 1))), item_ids=names)
    table = ItemsTable()
    qtbot.addWidget(table)
    table.show_facts(facts_of(matrix))

    def room_for(*chosen: str) -> int:
        table.show_selection(Selection.of(chosen))
        return table.rows.columnWidth(0)

    assert room_for(names[0]) == LEAST_NAME
    assert LEAST_NAME < room_for(names[1]) < MOST_NAME
    assert room_for(*names) == MOST_NAME
    assert names[2] in table.model.data(table.model.index(2, 0), Qt.ItemDataRole.ToolTipRole)


def test_that_columns_keep_their_widths_when_more_is_known(qtbot: QtBot, dressed: None) -> None:
    del dressed
    table, run = ItemsTable(), clustered()
    qtbot.addWidget(table)
    table.show_facts(facts_of(run.matrix, replace(run, clustering=None)))
    table.show_selection(Selection.of(IDS))
    node = table.model.keys.index(NODE)
    fitted = table.rows.columnWidth(0)
    table.rows.horizontalHeader().resizeSection(node, 99)

    table.show_facts(facts_of(run.matrix, run))

    assert table.model.keys.index(NODE) == node + 1
    assert table.rows.columnWidth(node + 1) == 99
    assert table.rows.columnWidth(node) != 99
    assert table.rows.columnWidth(0) == fitted


def test_that_chosen_items_of_another_table_are_no_rows() -> None:
    model = ItemsModel()
    model.show_facts(facts_of(some_matrix()))

    model.show_selection(Selection.of([IDS[4], "not there"]))

    assert model.ids == [IDS[4]]


@pytest.mark.parametrize("n_items", [0, 1, 50_000])
def test_that_only_what_is_seen_is_written(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, n_items: int
) -> None:
    written: set[int] = set()

    def text(column: FactColumn, item: int) -> str:
        written.add(item)
        return plain(column, item)

    plain = FactColumn.text
    monkeypatch.setattr(FactColumn, "text", text)
    matrix = Matrix.from_array(np.zeros((n_items, 1)))
    table = ItemsTable()
    qtbot.addWidget(table)
    table.resize(300, 20 * ROW)
    with qtbot.waitExposed(table):
        table.show()
    table.show_facts(facts_of(matrix))

    table.show_selection(Selection.of(matrix.item_ids))
    QApplication.processEvents()

    assert table.model.rowCount() == n_items
    assert min(n_items, 15) <= len(written) <= 20 + MEASURED_ROWS
