"""Pattern matching in the window: by a gene, a node, or a drawn profile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui.windows import train_one, turned_data, wait_idle
from ximstudio.model.selection import Selection
from ximstudio.session import Run
from ximstudio.session.similar_query import QueryTarget, ranges_of
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.dialogs.exploring.similar_dialog import SimilarDialog
from ximstudio.ui.dialogs.exploring.similar_profile import ProfileField

pytestmark = pytest.mark.usefixtures("dressed")
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture
def window(mapped: MainWindow) -> MainWindow:
    return mapped


def opened(qtbot: QtBot, window: MainWindow) -> tuple[SimilarDialog, Run]:
    window.explorer.show_similar()
    settle(qtbot, window)
    run = window.user_actions.session.run
    assert run is not None
    return window.explorer.similar, run


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Until nothing is wanted any more."""
    dialog = window.explorer.similar
    qtbot.waitUntil(lambda: not dialog._ranking.busy and not dialog._ranging.busy, timeout=60_000)
    wait_idle(qtbot, window)


def listed(dialog: SimilarDialog) -> list[str]:
    texts = dialog.table.contents.columns[1].texts
    assert texts is not None
    return list(texts)


def twin(run: Run, profile: np.ndarray, *, without: int = -1) -> list[str]:
    """The items by Euclidean distance over the known features, the slow way."""
    found = []
    for number, row in enumerate(run.matrix.values):
        known = np.isfinite(row) & np.isfinite(profile)
        if number != without and known.any():
            scale = len(row) / known.sum()
            away = np.sqrt(((row[known] - profile[known]) ** 2).sum() * scale)
            found.append((away, number))
    return [run.matrix.item_ids[number] for _, number in sorted(found)]


def drag(field: ProfileField, places: list[QPoint], button: Qt.MouseButton = LEFT) -> None:
    QTest.mousePress(field, button, pos=places[0])
    for place in places[1:]:
        QTest.mouseMove(field, place)
    QTest.mouseRelease(field, button, pos=places[-1])


def test_that_it_begins_with_what_is_selected_and_ranks_the_others(
    qtbot: QtBot, window: MainWindow
) -> None:
    run = window.user_actions.session.run
    assert run is not None
    window.user_actions.selecting.select(Selection.of([run.matrix.item_ids[17]]))
    dialog, run = opened(qtbot, window)
    assert dialog.item.currentText() == run.matrix.item_ids[17]
    expected = twin(run, np.array(run.matrix.values[17]), without=17)
    assert listed(dialog) == expected[:50]
    distances = dialog.table.contents.columns[-1].numbers
    assert distances is not None
    assert (np.diff(distances) >= 0).all()


def test_that_as_many_are_listed_and_selected_as_asked_for(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog, _ = opened(qtbot, window)
    first = listed(dialog)
    dialog.most.setValue(7)
    assert listed(dialog) == first[:7]
    QTest.mouseClick(dialog.select, LEFT)
    assert window.user_actions.session.selection == Selection.of(first[:7])
    dialog.most.setValue(dialog.most.maximum())
    assert dialog.table.contents.rowCount() == 185


def test_that_a_click_on_a_row_selects_it_and_shift_adds(qtbot: QtBot, window: MainWindow) -> None:
    dialog, _ = opened(qtbot, window)
    names, table = listed(dialog), dialog.table
    for row, held in ((0, Qt.KeyboardModifier.NoModifier), (2, Qt.KeyboardModifier.ShiftModifier)):
        place = table.visualRect(table.model().index(row, 1)).center()
        QTest.mouseClick(table.viewport(), LEFT, held, place)
    assert window.user_actions.session.selection == Selection.of([names[0], names[2]])


def test_that_items_are_ranked_by_a_node(qtbot: QtBot, window: MainWindow) -> None:
    dialog, run = opened(qtbot, window)
    dialog.to.button(QueryTarget.NODE).click()
    dialog.node.setCurrentIndex(5)
    dialog.node.activated.emit(5)
    settle(qtbot, window)
    assert dialog.node.isVisible()
    assert not dialog.item.isVisible()
    prototypes = run.result.model.prototypes  # type: ignore[union-attr]
    assert listed(dialog) == twin(run, prototypes[5])[:50]


def test_that_a_drawn_line_is_compared_where_it_was_drawn(qtbot: QtBot, window: MainWindow) -> None:
    dialog, run = opened(qtbot, window)
    dialog.to.button(QueryTarget.DRAWN).click()
    settle(qtbot, window)
    assert dialog.table.contents.rowCount() == 0
    assert not dialog.select.isEnabled()
    field = dialog.profile
    begin, end = field.place_of(10, -0.2).toPoint(), field.place_of(30, 0.4).toPoint()
    drag(field, [begin, QRect(begin, end).center(), end])
    settle(qtbot, window)

    drawn = field.profile
    assert np.flatnonzero(np.isfinite(drawn)).tolist() == list(range(10, 31))
    assert drawn[10] == pytest.approx(-0.2, abs=0.02)
    assert drawn[30] == pytest.approx(0.4, abs=0.02)
    assert (np.diff(drawn[10:31]) > 0).all()
    assert listed(dialog) == twin(run, drawn)[:50]

    drag(field, [field.place_of(20, 0.0).toPoint(), field.place_of(50, 0.0).toPoint()], RIGHT)
    assert np.flatnonzero(np.isfinite(field.profile)).tolist() == list(range(10, 20))
    QTest.mouseClick(dialog.clear, LEFT)
    settle(qtbot, window)
    assert field.is_empty
    assert dialog.table.contents.rowCount() == 0


def test_that_drawing_can_begin_with_the_mean_of_what_is_selected(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog, run = opened(qtbot, window)
    dialog.to.button(QueryTarget.DRAWN).click()
    assert not dialog.begin.isEnabled()
    window.user_actions.selecting.select(Selection.of(run.matrix.item_ids[:3]))
    QTest.mouseClick(dialog.begin, LEFT)
    settle(qtbot, window)
    np.testing.assert_allclose(
        dialog.profile.profile, np.nanmean(run.matrix.values[:3], axis=0), rtol=1e-12
    )
    assert dialog.table.contents.rowCount() == 50


def test_that_a_profile_is_drawn_by_keys_too(qtbot: QtBot) -> None:
    field = ProfileField()
    qtbot.addWidget(field)
    field.show_features(("a", "b", "c"), np.array([-1.0, -1.0, -1.0]), np.array([1.0, 1.0, 1.0]))
    field.set_drawable(True)
    field.show()
    heard: list[None] = []
    field.drawn.connect(lambda: heard.append(None))
    field.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Up):
        QTest.keyClick(field, key)
    assert np.isfinite(field.profile).sum() == 1
    assert np.nanmax(field.profile) > 0.0
    QTest.keyClick(field, Qt.Key.Key_Delete)
    assert field.is_empty
    assert len(heard) == 3


def test_that_ranges_leave_blanks_out() -> None:
    from tests.ui.maps_to_show import some_matrix

    matrix = some_matrix()
    low, high = ranges_of(matrix)
    np.testing.assert_allclose(low, np.nanpercentile(matrix.values, 5.0, axis=0))
    assert (low < high).all()


def test_that_another_table_has_another_list_in_its_own_words(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog, _ = opened(qtbot, window)
    assert dialog.to.button(QueryTarget.ITEM).text() == "Gene"
    window.user_actions.use_table(turned_data())
    settle(qtbot, window)
    assert dialog.to.button(QueryTarget.ITEM).text() == "Sample"
    assert "all samples" in dialog.about.text()
    assert (dialog.table.contents.rowCount(), dialog.item.count(), dialog.node.count()) == (0, 0, 0)
    dialog.clear.click()


def test_that_ranges_are_shown_when_the_map_was_measured_meanwhile(
    qtbot: QtBot, window: MainWindow
) -> None:
    dialog, run = opened(qtbot, window)
    window.user_actions.change_run(replace(run, name="other"), "Rename")
    dialog.profile.show_features(run.matrix.feature_names, *([np.empty(0)] * 2))
    dialog._show_ranges(run, *ranges_of(run.matrix))
    np.testing.assert_array_equal(dialog.profile._low, ranges_of(run.matrix)[0])


def test_that_a_flat_profile_is_answered_beside_the_list_where_only_shapes_count(
    qtbot: QtBot, window: MainWindow
) -> None:
    actions = window.user_actions
    params = replace(actions.session.plan.params, metric="correlation")  # type: ignore[call-arg]
    actions.set_params(params)
    train_one(qtbot, window)
    dialog, _ = opened(qtbot, window)
    dialog.to.button(QueryTarget.DRAWN).click()
    field = dialog.profile
    drag(field, [field.place_of(3, 0.1).toPoint()])
    settle(qtbot, window)
    assert dialog.table.contents.rowCount() == 0
    assert dialog._refused is not None
    assert dialog._refused.key == "similar.empty_profile"
    assert not window.banner.isVisible()


@pytest.mark.parametrize(("metric", "name"), [("correlation", "r"), ("cosine", "Cosine")])
def test_that_maps_by_correlation_list_r(
    qtbot: QtBot, window: MainWindow, metric: str, name: str
) -> None:
    session = window.user_actions.session
    run = session.run
    assert run is not None
    params = run.result.params.replace(metric=metric)
    by_shape = replace(run, result=replace(run.result, params=params))
    window.store.commit(session.with_changed(by_shape), "Change")
    window.user_actions.selecting.select(Selection.of([run.matrix.item_ids[17]]))
    dialog, _ = opened(qtbot, window)
    last = dialog.table.contents.columns[-1]
    assert last.name == name
    assert last.numbers is not None
    ids, values = run.matrix.item_ids, run.matrix.values
    target = values[17]
    for item, shown in zip(listed(dialog), last.numbers, strict=True):
        row = values[ids.index(item)]
        known = np.isfinite(row) & np.isfinite(target)
        one, other = row[known], target[known]
        if metric == "correlation":
            one, other = one - one.mean(), other - other.mean()
        cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
        assert shown == pytest.approx(cosine, abs=1e-9)
