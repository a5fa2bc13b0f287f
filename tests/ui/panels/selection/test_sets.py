"""Sets: chosen again, renamed, forgotten, combined, pasted, and in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.ui.hands import click
from tests.ui.maps_to_show import some_matrix
from tests.ui.windows import wait_idle
from ximstudio.model.named_set import Algebra, NamedSet, SetSide
from ximstudio.model.problem import Severity
from ximstudio.model.selection import Selection
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.panels.selection.panel import SETS
from ximstudio.ui.panels.selection.sets_dialogs import SetNameDialog
from ximstudio.ui.panels.selection.sets_page import SetsPage
from ximstudio.ui.views.common.class_colours import class_colour, class_colours
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.positions.view import PositionsView

IDS = some_matrix().item_ids
KEYS = Qt.KeyboardModifier
ONE = NamedSet.of("one", IDS[:4])
TWO = NamedSet.of("two", IDS[2:6])
STRESS = NamedSet.of("stress", ("heat", "salt"), side=SetSide.FEATURES)


def open_sets(window: MainWindow) -> None:
    window.work.panel.show_folded(False)
    window.work.panel.tabs.setCurrentIndex(SETS)


def page_with(window: MainWindow, *sets: NamedSet) -> SetsPage:
    """The page with these sets, opened."""
    window.user_actions.selecting.add_sets(sets)
    open_sets(window)
    return window.work.panel.sets


def names(window: MainWindow) -> list[str]:
    return [one.name for one in window.user_actions.session.sets]


def chosen(window: MainWindow) -> frozenset[str]:
    return window.user_actions.session.selection.ids


def row_of(page: SetsPage, number: int) -> QRect:
    index = page.list.model().index(number, 0)
    return page.list.visualRect(index)


def test_that_a_click_chooses_the_members(window: MainWindow) -> None:
    page = page_with(window, ONE, TWO)

    click(page.list.viewport(), at=row_of(page, 0))

    assert chosen(window) == set(IDS[:4])


def test_that_held_keys_change_what_is_chosen(window: MainWindow) -> None:
    page = page_with(window, ONE, TWO)
    page.pick("one", KEYS.NoModifier)

    page.pick("two", KEYS.ShiftModifier)
    assert chosen(window) == set(IDS[:6])
    page.pick("one", KEYS.ControlModifier)
    assert chosen(window) == set(IDS[4:6])
    page.pick("two", KEYS.NoModifier)
    page.pick("one", KEYS.ControlModifier | KEYS.ShiftModifier)
    assert chosen(window) == set(IDS[2:4])


def test_that_the_keyboard_chooses_renames_and_forgets(qtbot: QtBot, window: MainWindow) -> None:
    page = page_with(window, ONE, TWO)
    page.list.setFocus()
    page.list.setCurrentIndex(page.list.model().index(1, 0))

    QTest.keyClick(page.list, Qt.Key.Key_Return)
    assert chosen(window) == set(IDS[2:6])

    QTest.keyClick(page.list, Qt.Key.Key_F2)
    field = page.list.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.setText("heat shock")
    QTest.keyClick(field, Qt.Key.Key_Return)
    # Qt takes it a moment later.
    qtbot.waitUntil(lambda: names(window) == ["one", "heat shock"])

    QTest.keyClick(page.list, Qt.Key.Key_Delete)
    assert names(window) == ["one"]
    window.user_actions.undo()
    assert names(window) == ["one", "heat shock"]


def test_that_a_set_of_features_chooses_nothing_but_says_what_it_is_for(
    window: MainWindow,
) -> None:
    page = page_with(window, STRESS)

    page.pick("stress", KEYS.NoModifier)

    assert not chosen(window)
    assert "stress" in window.status.last.full


def test_that_many_sets_can_be_searched(window: MainWindow) -> None:
    many = tuple(NamedSet.of(f"pathway {number}", IDS[:2]) for number in range(2000))
    page = page_with(window, *many)
    assert len(page.list.names) == 2000

    page.search.setText("PATHWAY 199")

    assert page.list.names == ("pathway 199", *(f"pathway 199{n}" for n in range(10)))


def test_that_two_sets_make_a_third(window: MainWindow) -> None:
    page = page_with(window, ONE, TWO, STRESS)
    dialog = page.combine("two")

    assert [dialog.other.itemText(n) for n in range(dialog.other.count())] == ["one"]
    dialog.how.choose(Algebra.DIFFERENCE.value)
    dialog.how.chosen.emit(Algebra.DIFFERENCE.value)
    assert dialog.count.text() == "2 genes"
    dialog.make.click()

    made = window.user_actions.session.sets[-1]
    assert made.members == IDS[4:6]
    assert made.name == "two not one"


def test_that_a_pasted_list_reports_what_is_missing(qtbot: QtBot, window: MainWindow) -> None:
    dialog = page_with(window).paste_list()
    assert not dialog.keep.isEnabled()

    dialog.text.setPlainText(f"{IDS[3].lower()}, {IDS[1]}\nnothing such")
    wait_idle(qtbot, window)

    assert dialog.pasted is not None
    assert dialog.pasted.matched.found == (IDS[3], IDS[1])
    assert dialog.found.title.startswith("2 genes found")
    assert "nothing" in dialog.found.text
    dialog.name.setText("list")
    dialog.keep.click()
    assert window.user_actions.session.sets[-1].members == (IDS[3], IDS[1])


def test_that_a_pasted_list_can_be_chosen_at_once(qtbot: QtBot, window: MainWindow) -> None:
    dialog = page_with(window).paste_list()
    dialog.text.setPlainText("\n".join(IDS[5:8]))
    wait_idle(qtbot, window)

    dialog.select.click()

    assert chosen(window) == set(IDS[5:8])
    assert not names(window)


def test_that_a_list_of_nothing_can_be_neither_chosen_nor_kept(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog = page_with(window).paste_list()
    dialog.text.setPlainText("nobody")
    wait_idle(qtbot, window)

    assert not dialog.select.isEnabled()
    assert not dialog.keep.isEnabled()
    dialog.reject()


# Files


def test_that_sets_are_written_and_read_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    page_with(window, ONE, TWO, STRESS)
    path = tmp_path / "mine.gmt"
    window.user_actions.sets.save_file(path, window.user_actions.session.sets)
    wait_idle(qtbot, window)
    window.user_actions.selecting.remove_all_sets()

    window.user_actions.sets.open_file(path)
    wait_idle(qtbot, window)

    read = {one.name: (one.members, one.side) for one in window.user_actions.session.sets}
    assert read == {one.name: (one.members, one.side) for one in (ONE, TWO, STRESS)}
    assert window.banner.problems[0].key == "sets.opened"
    assert window.banner.problems[0].severity is Severity.NOTE


def test_that_a_file_reports_how_much_of_it_was_found(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "some.gmt"
    path.write_text(f"here\tna\t{IDS[0]}\t{IDS[1]}\tNOBODY\nelsewhere\tna\tX1\tX2\n")

    window.user_actions.sets.open_file(path)
    wait_idle(qtbot, window)

    assert names(window) == ["here"]
    report = window.banner.problems[0]
    assert "1 of 2 sets" in report.what
    assert "2 of 5 names" in report.what
    assert "NOBODY" in report.where


def test_that_a_file_of_strangers_is_refused_with_a_way_out(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "some.gmt"
    path.write_text("elsewhere\tna\tX1\tX2\n")

    window.user_actions.sets.open_file(path)
    wait_idle(qtbot, window)

    assert names(window) == []
    assert window.banner.problems[0].key == "sets.nothing_found"


# Colours


def test_that_positions_are_coloured_by_a_set(qtbot: QtBot, window: MainWindow) -> None:
    page_with(window, STRESS, ONE, TWO)
    window.views.pane.show_view("positions")
    wait_idle(qtbot, window)
    view = window.views.pane.view
    assert isinstance(view, PositionsView)

    view.colouring.choose("set", "two")
    wait_idle(qtbot, window)
    picture = view._picture
    assert picture is not None
    assert picture.classes is not None
    assert np.flatnonzero(picture.classes.codes == 0).tolist() == [2, 3, 4, 5]
    assert class_colours(picture.classes)[0] == class_colour(2)

    view.colouring.choose("set", "All sets")
    wait_idle(qtbot, window)
    picture = view._picture
    assert picture is not None
    assert picture.classes is not None
    # One that is in both has the colour of the first.
    assert picture.classes.codes[:7].tolist() == [0, 0, 0, 0, 1, 1, 2]
    assert class_colours(picture.classes)[:2] == (class_colour(1), class_colour(2))


def test_that_positions_are_coloured_by_the_mean_of_a_set(qtbot: QtBot, window: MainWindow) -> None:
    page_with(window, STRESS)
    window.views.pane.show_view("positions")
    wait_idle(qtbot, window)
    view = window.views.pane.view
    assert isinstance(view, PositionsView)

    view.colouring.choose("set_mean", "stress")
    wait_idle(qtbot, window)

    values = some_matrix().values[:, [0, 2]]
    scores = (values - np.nanmean(values, axis=0)) / np.nanstd(values, axis=0, ddof=1)
    assert view._picture is not None
    assert view._picture.values is not None
    np.testing.assert_allclose(view._picture.values, np.nanmean(scores, axis=1))
    assert view.bar.isVisible()


def test_that_a_map_shows_the_share_of_a_set_and_lets_go_of_one_that_is_forgotten(
    qtbot: QtBot, window: MainWindow
) -> None:
    page_with(window, ONE)
    wait_idle(qtbot, window)
    view = window.views.pane.view
    assert isinstance(view, MapView)

    view.layers.choose("set", "one")
    wait_idle(qtbot, window)
    assert view._picture is not None
    assert view._picture.layer is not None
    assert view._picture.layer.key == "set"

    window.user_actions.selecting.remove_set("one")
    wait_idle(qtbot, window)
    assert view._picture.layer is not None
    assert view._picture.layer.key != "set"
    assert view.layers.key != "set"


def test_that_the_selection_is_kept_by_the_button_of_the_page(window: MainWindow) -> None:
    page = page_with(window)
    assert not page.keep.isEnabled()
    window.user_actions.selecting.select(Selection.of(IDS[:3]))
    open_sets(window)

    click(page.keep)
    (dialog,) = window.findChildren(SetNameDialog)
    assert dialog.name == "Set 1"
    dialog.accept()
    assert [(one.name, one.members) for one in window.user_actions.session.sets] == [
        ("Set 1", IDS[:3])
    ]
