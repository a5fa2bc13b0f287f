"""Profiles and statistics of what is chosen, as the panel shows them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QPainterPath
from pytestqt.qtbot import QtBot

from tests.ui.maps_to_show import some_matrix
from tests.ui.windows import wait_idle
from ximstudio.explore.profiles import MOST_LINES
from ximstudio.model.selection import Selection
from ximstudio.pictures.item_facts import facts_of
from ximstudio.pictures.selection_insight import (
    LEAST_LINES,
    MOST_POINTS,
    Insight,
    grouping_labels,
    insight_of,
    most_lines,
)
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.panels.selection.insight import TABLE_ORDER, ProfilePlot, band_path, joined, page

MATRIX = replace(
    some_matrix(),
    feature_labels={
        "stress": ("yes", "yes", "no", "no", "yes"),
        "day": ("1", "2", "3", "4", "5"),
    },
)
IDS = MATRIX.item_ids


def insight(*numbers: int, label: str | None = None) -> Insight:
    return insight_of(facts_of(MATRIX), Selection.of(IDS[number] for number in numbers), label)


def test_that_features_are_grouped_by_a_label_with_groups() -> None:
    assert grouping_labels(MATRIX) == ("stress",)

    found = insight(1, 2)
    assert found.label == "stress"
    assert found.profiles.places == ("heat", "cold", "dark", "salt", "acid")
    assert insight(1, 2, label="").profiles.places == MATRIX.feature_names


def test_that_the_rest_is_the_mean_of_all_others_in_the_same_order() -> None:
    found = insight(*range(30))

    columns = [MATRIX.feature_names.index(name) for name in found.profiles.places]
    assert found.rest is not None
    np.testing.assert_allclose(found.rest, np.nanmean(MATRIX.values[30:], axis=0)[columns])
    assert insight(*range(60)).rest is None


@pytest.mark.parametrize("n_features", [0, 1, 80, 1000, 1_000_000])
def test_that_no_more_points_are_drawn_than_a_frame_allows(n_features: int) -> None:
    n_lines = most_lines(n_features)

    assert LEAST_LINES <= n_lines <= MOST_LINES
    assert n_lines == LEAST_LINES or n_lines * n_features <= MOST_POINTS


def test_that_lines_are_joined_with_gaps_between_them() -> None:
    x, y = joined(np.array([[1.0, 2.0], [3.0, np.nan]]))

    np.testing.assert_array_equal(x, [0.0, 1.0, np.nan, 0.0, 1.0, np.nan])
    np.testing.assert_array_equal(y, [1.0, 2.0, np.nan, 3.0, np.nan, np.nan])


def test_that_a_band_has_a_gap_where_nothing_is_known() -> None:
    x = np.arange(4.0)
    low = np.array([0.0, np.nan, 0.0, 0.0])

    path = band_path(x, low, np.ones(4))

    kinds = [path.elementAt(n).type for n in range(path.elementCount())]
    assert kinds.count(QPainterPath.ElementType.MoveToElement) == 2
    assert band_path(x, np.full(4, np.nan), np.ones(4)).isEmpty()


def test_that_statistics_name_what_sets_the_selection_apart() -> None:
    found = insight(*range(30))
    written = page(found)

    best = MATRIX.feature_names[int(found.statistics.features[0])]
    assert best in written
    assert "ribosome" in written
    assert "30 (50" in written


def test_that_statistics_of_everything_compare_with_nobody() -> None:
    written = page(insight(*range(60)))

    assert "apart" not in written


@pytest.mark.usefixtures("light")
def test_that_a_single_profile_is_drawn_without_a_spread(qtbot: QtBot) -> None:
    plot = ProfilePlot()
    qtbot.addWidget(plot)

    plot.show_insight(insight(3))
    assert set(plot.plot.names) == {"mean", "others"}
    assert plot.groups.currentText() == "stress"

    plot.show_insight(None)
    assert plot.plot.names == ()
    assert not plot.groups.isVisibleTo(plot)
    plot.plot.close()


@pytest.mark.usefixtures("light")
def test_that_a_person_chooses_the_order_along_the_axis(qtbot: QtBot) -> None:
    plot = ProfilePlot()
    qtbot.addWidget(plot)
    plot.show_insight(insight(3, 4))

    with qtbot.waitSignal(plot.group_wanted) as wanted:
        plot.groups.activated.emit(plot.groups.findText(TABLE_ORDER))

    assert wanted.args == [""]
    plot.plot.close()


def test_that_nobody_looks_closer_while_nobody_sees_it(qtbot: QtBot, window: MainWindow) -> None:
    panel = window.work.panel

    def n_looked_at() -> int:
        wait_idle(qtbot, window)
        found = window.user_actions.inspector.insight
        return 0 if found is None else found.profiles.n_items

    window.user_actions.selecting.select(Selection.of(IDS[:5]))
    assert n_looked_at() == 5

    panel.show_folded(True)
    window.user_actions.selecting.select(Selection.of(IDS[:9]))
    assert n_looked_at() == 0

    panel.show_folded(False)
    assert n_looked_at() == 9


def test_that_measures_and_clusters_are_no_reason_to_look_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.user_actions.selecting.select(Selection.of(IDS[:5]))
    wait_idle(qtbot, window)
    inspector, session = window.user_actions.inspector, window.user_actions.session
    before, facts = inspector.insight, inspector.facts
    assert before is not None
    assert session.run is not None

    window.store.commit(session.with_changed(replace(session.run, evidence=None)), "Forget")
    wait_idle(qtbot, window)
    assert inspector.facts is not facts
    assert inspector.insight is before

    window.user_actions.undo()
    window.user_actions.selecting.select(Selection.of(IDS[:7]))
    wait_idle(qtbot, window)
    assert inspector.insight is not None
    assert inspector.insight.profiles.n_items == 7


def test_that_the_plot_follows_the_selection(qtbot: QtBot, window: MainWindow) -> None:
    page = window.work.panel.chosen
    for n_chosen in (2, 7):
        window.user_actions.selecting.select(Selection.of(IDS[:n_chosen]))
        wait_idle(qtbot, window)
        assert page.profiles.about.full.startswith(f"{n_chosen} genes")

    window.user_actions.selecting.clear()
    wait_idle(qtbot, window)
    assert page.profiles.plot.names == ()
