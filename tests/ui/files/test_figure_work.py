"""Figures restore the user's work on their maps, and remove nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.explored import new_file
from tests.ui.files.test_figures import SMALL, drop, refused_keys, shown_of
from tests.ui.hands import eventually
from tests.ui.windows import (
    run_shown,
    sample_data,
    shown_window,
    take_ready,
    wait_idle,
    with_sample,
)
from ximstudio.export.planned_figure import write_figure
from ximstudio.maps.clusters import clustering_named, find_clusters
from ximstudio.model.named_set import NamedSet
from ximstudio.model.selection import Selection
from ximstudio.pictures.set_classes import SET
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.runtime.settings import Settings
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.picture import CLUSTERS
from ximstudio.views.positions.state import PositionsState

STATE = PositionsState(by=SET, option="mine")


@pytest.fixture
def window(qtbot: QtBot, dressed: None, tmp_path: Path) -> Iterator[MainWindow]:
    """A window with a map of the sample, and its clusters."""
    assert dressed is None
    shown = with_sample(qtbot, shown_window(qtbot, Settings(tmp_path / "settings.json")))
    take_ready(qtbot, shown)
    find(shown, n_clusters=3)
    yield shown
    shown.close()


def find(window: MainWindow, *, n_clusters: int) -> None:
    run, way = run_shown(window), clustering_named("ward")
    params = way.params.from_values({"n_clusters": n_clusters})
    found = find_clusters(run.result, run.matrix, way=way, params=params)
    window.user_actions.change_run(replace(run, clustering=found), "Find clusters")


def ids(*numbers: int) -> tuple[str, ...]:
    matrix = sample_data().matrix
    assert matrix is not None
    return tuple(matrix.item_ids[number] for number in numbers)


def give(window: MainWindow, *sets: NamedSet) -> None:
    window.user_actions.selecting.remove_all_sets()
    window.user_actions.selecting.add_sets(sets)


def export(qtbot: QtBot, window: MainWindow, path: Path, state: object = STATE) -> None:
    wait_idle(qtbot, window)
    plan = FigurePlan(state=state, look=SMALL)  # type: ignore[arg-type]
    write_figure(path, shown_of(window), plan)


def open_figure(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    n_steps = len(window.store.history.past)
    drop(window, path)
    eventually(qtbot, lambda: len(window.store.history.past) > n_steps)
    assert window.store.history.undoes == f"Open {path.name}"
    wait_idle(qtbot, window)


def colouring(window: MainWindow) -> tuple[str, str]:
    view = window.views.panes[0].view
    assert isinstance(view, PositionsView)
    return view.colouring.key, view.colouring.option


def test_that_a_set_of_the_same_name_is_kept_and_the_figures_has_another(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "figure.png"
    give(window, NamedSet.of("mine", ids(1, 2, 3)))
    export(qtbot, window, path)
    present = NamedSet.of("mine", ids(7, 8))
    give(window, present)

    open_figure(qtbot, window, path)
    first, second = window.user_actions.session.sets
    assert first == present
    assert (second.name, second.members) == ("mine (2)", ids(1, 2, 3))
    assert colouring(window) == (SET, "mine (2)")
    window.store.undo()
    assert window.user_actions.session.sets == (present,)


@pytest.mark.parametrize("name", ["mine", "renamed"])
def test_that_a_set_with_the_same_members_is_the_set_of_the_figure(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "figure.png"
    other = NamedSet.of("other", ids(4))
    give(window, other, NamedSet.of("mine", ids(1, 2, 3)))
    export(qtbot, window, path)
    give(window, NamedSet.of(name, ids(3, 2, 1), note="mine"))

    open_figure(qtbot, window, path)
    (only,) = window.user_actions.session.sets
    assert (only.name, only.members, only.note) == (name, ids(3, 2, 1), "mine")
    # As it was in the figure, where another set came before it.
    assert only.colour == 1
    assert colouring(window) == (SET, name)


def test_that_all_that_a_figure_brings_is_one_step(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "figure.png"
    give(window, NamedSet.of("mine", ids(1, 2, 3)))
    window.user_actions.selecting.select(Selection.of(ids(5)))
    clustering = run_shown(window).clustering
    export(qtbot, window, path, PositionsState(by=CLUSTERS))
    assert clustering is not None
    find(window, n_clusters=5)
    window.user_actions.selecting.select(Selection.of(ids(6)))
    window.user_actions.selecting.remove_all_sets()
    before = window.user_actions.session

    open_figure(qtbot, window, path)
    found = run_shown(window).clustering
    assert found is not None
    assert found.clusters.tolist() == clustering.clusters.tolist()
    assert found.names == clustering.names
    assert window.user_actions.session.selection != before.selection
    assert window.user_actions.session.sets == ()
    window.store.undo()
    assert window.user_actions.session is before


def test_that_a_view_that_could_not_be_coloured_so_before_is_now(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "figure.png"
    export(qtbot, window, path, PositionsState(by=CLUSTERS))
    window.user_actions.clusters.remove()
    window.views.pane.show_view("positions")
    window.user_actions.draw()
    wait_idle(qtbot, window)
    assert colouring(window)[0] != CLUSTERS

    open_figure(qtbot, window, path)
    assert colouring(window)[0] == CLUSTERS
    view = window.views.panes[0].view
    assert isinstance(view, PositionsView)
    assert view.colouring.what.currentText() == "Clusters"
    view.colouring.choose("plain")
    assert colouring(window)[0] == "plain"


def test_that_clusters_that_are_there_already_stay_the_same(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "figure.png"
    run = run_shown(window)
    export(qtbot, window, path, MapState())
    open_figure(qtbot, window, path)
    assert run_shown(window).clustering is run.clustering


def test_that_new_items_come_back_from_their_file_and_are_missed_without(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    table = new_file(tmp_path, run_shown(window).matrix)
    window.user_actions.projection.place(table)
    wait_idle(qtbot, window)
    (projected,) = run_shown(window).projected
    path = tmp_path / "figure.png"
    export(qtbot, window, path, MapState())
    window.user_actions.projection.remove(projected)

    hidden = table.rename(tmp_path / "elsewhere.csv")
    open_figure(qtbot, window, path)
    assert refused_keys(window) == ["figure.items_absent"]
    assert run_shown(window).projected == ()

    # Of the same name, but with other items.
    table.write_text(hidden.read_text().replace("NEW1W", "NEW9W"))
    open_figure(qtbot, window, path)
    assert refused_keys(window) == ["figure.items_absent"]
    assert run_shown(window).projected == ()

    hidden.replace(table)
    open_figure(qtbot, window, path)
    (again,) = run_shown(window).projected
    assert again.items.positions.tolist() == projected.items.positions.tolist()
    open_figure(qtbot, window, path)
    assert run_shown(window).projected == (again,)
