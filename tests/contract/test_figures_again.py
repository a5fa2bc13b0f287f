"""Every figure, in all colours that its view offers, is the same once it was dropped on a window.

The window has nothing but the figure and the table beside it: settings, map, view, and whatever a
person had made of the map come out of the figure, and the figure made of them has the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

# The window tests say what is missing; without them this module has nothing to say.
pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.conftest import WARDROBE, delete_closed
from tests.ui.files.test_figures import drop
from tests.ui.hands import eventually
from tests.ui.opened_views import opened
from tests.ui.windows import shown_window, wait_idle
from tests.ui.worked_on import worked_on
from ximstudio.export.planned_figure import write_figure
from ximstudio.figures.look import Look
from ximstudio.measure.sweep import SweepAxis
from ximstudio.model.selection import Selection
from ximstudio.pictures.set_classes import ALL, SET
from ximstudio.session import Session
from ximstudio.session.shown import Shown
from ximstudio.ui.actions.rendering import shown_run
from ximstudio.ui.app.window import MainWindow
from ximstudio.ui.views import VIEWS, AnyView
from ximstudio.ui.views.common.chooser import Chooser
from ximstudio.ui.views.compare.view import PAGES, CompareView
from ximstudio.ui.widgets.look.theme import Scheme, the_theme
from ximstudio.views.common.figure_plan import FigurePlan
from ximstudio.views.common.state import ViewState
from ximstudio.views.compare.state import MAPS, SWEEP, CompareState
from ximstudio.views.compare.sweep_picture import SweepPicture
from ximstudio.views.map.state import MapState
from ximstudio.views.positions.picture import CLUSTERS, WANDER
from ximstudio.views.positions.state import PositionsState

pytestmark = pytest.mark.thorough
LOOK = Look(width_mm=85.0, font_size=6.0, dpi=72.0)
every_view = pytest.mark.parametrize("kind", VIEWS, ids=[kind.kind.key for kind in VIEWS])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("figures")


@pytest.fixture(scope="module")
def session(folder: Path) -> Session:
    return worked_on(folder)


@pytest.fixture(autouse=True)
def _dressed(qapp: QApplication) -> Iterator[None]:
    WARDROBE.dress(qapp)
    the_theme().choose(Scheme.LIGHT)
    yield
    delete_closed()


def shown_of(session: Session) -> Shown:
    shown = shown_run(session)
    assert shown is not None
    return shown


def offered(qtbot: QtBot, kind: type[AnyView], shown: Shown) -> list[ViewState]:
    """A view as it is at first, and with everything chosen that its drop-downs offer."""
    view = opened(qtbot, kind)
    view.draw(view.request()(shown))
    states = [view.state]
    for chooser in view.findChildren(Chooser):
        for choice in chooser.choices:
            chooser.choose(choice.key, next(reversed(choice.options), ""))
            states.append(view.state)
    if isinstance(states[0], CompareState):
        states += [replace(states[0], page=page) for page in PAGES if page not in (MAPS, SWEEP)]
    view.close()
    return list(dict.fromkeys(states))


def plan_of(shown: Shown, state: ViewState) -> FigurePlan:
    chosen = Selection.of(shown.matrix.item_ids[2:5])
    return FigurePlan(state=state, selection=chosen, look=LOOK, title="A figure", table=True)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """A window that knows nothing."""
    shown = shown_window(qtbot)
    yield shown
    shown.close()
    delete_closed()


def drop_figure(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Drop a figure on a window that knows no table and no map."""
    session = window.user_actions.session
    assert (session.matrix, session.runs, session.sets) == (None, (), ())
    drop(window, path)
    eventually(qtbot, lambda: window.store.history.undoes == f"Open {path.name}")
    wait_idle(qtbot, window)


def check_again(
    qtbot: QtBot, window: MainWindow, path: Path, shown: Shown, state: ViewState
) -> None:
    """Export, drop, export: equal settings, and equal bytes."""
    plan = plan_of(shown, state)
    write_figure(path, shown, plan)
    drop_figure(qtbot, window, path)
    found = window.user_actions.session
    assert found.run is not None
    assert shown.run is not None
    n_items = shown.matrix.n_items
    assert found.plan.params.resolved(n_items) == shown.run.result.params.resolved(n_items)
    assert found.selection == plan.selection
    seen = window.views.panes[0].view.state
    assert seen == state
    again = path.with_stem(f"{path.stem} again")
    write_figure(again, shown_of(found), replace(plan, state=seen))
    assert again.read_bytes() == path.read_bytes(), state
    assert window.banner.problems == ()


@every_view
def test_that_every_figure_of_a_view_comes_back(
    qtbot: QtBot, window: MainWindow, session: Session, folder: Path, kind: type[AnyView]
) -> None:
    shown, nothing = shown_of(session), window.user_actions.session
    # Each state differs from the one before, so that none is there before its figure is dropped.
    for number, state in enumerate(offered(qtbot, kind, shown)):
        check_again(qtbot, window, folder / f"{kind.kind.key} {number}.png", shown, state)
        window.store.commit(nothing, "Forget all")
        wait_idle(qtbot, window)


@pytest.mark.parametrize("suffix", [".pdf", ".svg", ".tiff"])
@pytest.mark.parametrize(
    "state",
    [MapState(), PositionsState(by=SET, option=ALL), CompareState(by=CLUSTERS)],
    ids=lambda state: state.view,
)
def test_that_figures_come_back_from_files_of_all_kinds(
    qtbot: QtBot,
    window: MainWindow,
    session: Session,
    folder: Path,
    state: ViewState,
    suffix: str,
) -> None:
    shown = shown_of(session)
    seen = restored(qtbot, state, shown)
    check_again(qtbot, window, folder / f"{state.view}{suffix}", shown, seen)


@pytest.mark.parametrize("state", [PositionsState(by=WANDER), CompareState(by=WANDER)])
def test_that_wander_comes_back_by_making_every_map_again(
    qtbot: QtBot, window: MainWindow, session: Session, folder: Path, state: ViewState
) -> None:
    shown = shown_of(replace(session, judged=None))
    seen = restored(qtbot, state, shown)
    check_again(qtbot, window, folder / f"{state.view} wander.png", shown, seen)


def test_that_a_sweep_comes_back_in_its_order(
    qtbot: QtBot, window: MainWindow, session: Session, folder: Path
) -> None:
    window.store.commit(session, "Open")
    window.user_actions.parameter_sweep.begin(
        session.plan, (SweepAxis("repulsion", (0.5, 0.0, 0.25)),)
    )
    wait_idle(qtbot, window)
    state = CompareState(page=SWEEP, order="trustworthiness")
    path, again = folder / "sweep.png", folder / "sweep again.png"
    plan = plan_of(shown_of(session), state)
    write_figure(path, shown_of(session), plan, sweep=swept(window, state))

    other = shown_window(qtbot)
    drop_figure(qtbot, other, path)
    seen = other.views.panes[0].view.state
    assert isinstance(seen, CompareState)
    assert (seen.page, seen.order) == (state.page, state.order)
    shown = shown_of(other.user_actions.session)
    write_figure(again, shown, plan, sweep=swept(other, state))
    assert again.read_bytes() == path.read_bytes()
    other.close()


def swept(window: MainWindow, state: CompareState) -> SweepPicture:
    """The sweep that a window shows."""
    pane = window.views.pane
    pane.show_view(state.view)
    pane.view.restore(state)
    assert isinstance(pane.view, CompareView)
    picture = pane.view.sweep.picture
    assert picture is not None
    return picture


def restored(qtbot: QtBot, state: ViewState, shown: Shown) -> ViewState:
    """The state of a view that was set like this: with all that follows from it."""
    view = opened(qtbot, next(kind for kind in VIEWS if kind.kind.key == state.view))
    view.restore(state)
    view.draw(view.request()(shown))
    seen: ViewState = view.state
    view.close()
    return seen
