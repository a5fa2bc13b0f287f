"""Contract: after any change of runs, drop-downs, screen and exported figure show the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.ui.explored import clustered
from tests.ui.hands import click
from tests.ui.maps_to_show import run_of, showing
from tests.ui.opened_views import opened
from tests.ui.windows import sample_data, shown_window, wait_idle
from ximstudio.model.matrix import Matrix
from ximstudio.model.named_set import NamedSet
from ximstudio.session import Run, Session
from ximstudio.session.measuring import measured
from ximstudio.session.shown import Shown
from ximstudio.train import method_named, train
from ximstudio.ui.actions.rendering import shown_run
from ximstudio.ui.views import AnyView
from ximstudio.ui.views.common.chooser import Chooser
from ximstudio.ui.views.compare.view import CompareView
from ximstudio.ui.views.features.view import FeaturesView
from ximstudio.ui.views.heat_map.view import HeatMapView
from ximstudio.ui.views.map.view import MapView
from ximstudio.ui.views.portraits.view import PortraitsView
from ximstudio.ui.views.positions.view import PositionsView
from ximstudio.ui.views.quality.view import QualityView
from ximstudio.ui.widgets.menu_buttons import PickButton
from ximstudio.views.common.state import ViewState
from ximstudio.views.map.picture import ITEMS

pytestmark = pytest.mark.usefixtures("dressed")

CHOOSERS = {
    MapView: ("layers", "layer", "option"),
    PositionsView: ("colouring", "by", "option"),
    HeatMapView: ("order", "by", "label"),
    FeaturesView: ("order", "by", "option"),
    PortraitsView: ("order", "by", "option"),
}
"""By view: its drop-down, and the fields of its state that this sets."""
PICKS = {MapView: ("names", "names"), HeatMapView: ("columns", "columns_by")}
"""By view: a button with a menu that depends on the table, and the field that it sets."""


@cache
def runs() -> tuple[Run, ...]:
    """Maps that differ in all that a view may offer.

    Of genes with clusters, of genes with other labels, without nodes, and of samples.
    """
    first = run_of("c-xim")
    matrix = replace(first.matrix, feature_labels={"stress": ("hot", "hot", "wet", "wet", "dim")})
    own = replace(first, matrix=matrix, clustering=clustered("c-xim").clustering)
    other = replace(
        matrix,
        item_labels={
            "phase": tuple("G1" if n % 3 else "S" for n in range(60)),
            "batch": tuple("ab"[n % 2] for n in range(60)),
        },
        feature_labels={"day": ("1st", "2nd", "1st", "2nd", "1st")},
    )
    relabelled = replace(run_of("som"), key="run-2", name="other labels", matrix=other)
    return own, relabelled, run_of("pca"), of_samples(matrix)


def of_samples(matrix: Matrix) -> Run:
    turned = replace(
        Matrix.from_array(np.nan_to_num(matrix.values).T.copy()),
        item_ids=tuple(f"sample_{n}" for n in range(matrix.n_features)),
        feature_names=matrix.item_ids,
    )
    method = method_named("som")
    result = train(turned, method, method.params.from_values({"shape": (3, 3), "n_steps": 200}))
    made = replace(run_of("som"), key="run-4", name="samples", matrix=turned, result=result)
    return measured(replace(made, evidence=None, measures={}))


def shown(run: Run) -> Shown:
    ids = runs()[0].matrix.item_ids
    sets = tuple(NamedSet(name=name, members=ids[: 7 + n]) for n, name in enumerate(("one", "two")))
    return replace(showing(run, runs()), sets=sets, compared=(run, *runs()[1:3]))


def draw(view: AnyView, run: Run) -> Any:
    """Have the view draw a run as the window does."""
    picture = view.request()(shown(run))
    view.draw(picture)
    return picture


def told(value: Any) -> Any:
    """What a picture shows, as plain values that can be compared."""
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, Shown | Run | Matrix):
        return id(value.matrix) if not isinstance(value, Matrix) else id(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: told(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [told(one) for one in value]
    known = isinstance(value, str | int | float | bool | type(None))
    return value if known else type(value).__name__


def chosen_ways(chooser: Chooser) -> Iterator[tuple[str, str]]:
    """All that a drop-down offers now, with the first and the last of its options."""
    for choice in chooser.choices:
        for option in dict.fromkeys((choice.options or ("",))[:: max(len(choice.options) - 1, 1)]):
            yield choice.key, option


def check(view: AnyView, run: Run, picture: Any, seen: ViewState) -> None:
    """Hold the figure, and what the controls say, to the screen."""
    expected = told(picture)
    assert told(view.state.picture(shown(run))) == expected
    assert told(seen.picture(shown(run))) == expected


def ticked(button: PickButton) -> str:
    (action,) = [each for each in button.menu().actions() if each.isChecked()]
    return str(action.data())


def seen_state(view: AnyView) -> ViewState:
    """The state that the controls of a view show."""
    state: Any = view.state
    if type(view) in CHOOSERS:
        name, by, option = CHOOSERS[type(view)]
        chooser: Chooser = getattr(view, name)
        state = replace(state, **{by: chooser.key, option: chooser.option})
    if type(view) in PICKS:
        name, field = PICKS[type(view)]
        state = replace(state, **{field: ticked(getattr(view, name))})
    assert isinstance(state, ViewState)
    return state


def lacks_all(view: AnyView, run: Run) -> bool:
    """Whether a view has nothing to show of a run, and so no controls."""
    return (isinstance(view, MapView) and run is runs()[2]) or (
        isinstance(view, PortraitsView) and run in runs()[2:]
    )


@pytest.mark.parametrize("kind", CHOOSERS, ids=lambda kind: kind.kind.key)
def test_that_drop_down_screen_and_figure_agree_whichever_run_comes_next(
    qtbot: QtBot, kind: type[AnyView]
) -> None:
    view = opened(qtbot, kind)
    chooser: Chooser = getattr(view, CHOOSERS[kind][0])
    n_checked = 0
    for first in runs():
        draw(view, first)
        if lacks_all(view, first):
            continue
        for key, option in chosen_ways(chooser):
            draw(view, first)
            chooser.choose(key, option)
            for run in (first, *runs(), first):
                picture = draw(view, run)
                if not lacks_all(view, run):
                    check(view, run, picture, seen_state(view))
                    n_checked += 1
            # Another run has not made it forget what was chosen.
            assert (chooser.key, chooser.option) == (key, option)
    assert n_checked


@pytest.mark.parametrize("kind", PICKS, ids=lambda kind: kind.kind.key)
def test_that_menus_of_labels_agree_with_screen_and_figure(
    qtbot: QtBot, kind: type[AnyView]
) -> None:
    view = opened(qtbot, kind)
    button: PickButton = getattr(view, PICKS[kind][0])
    draw(view, runs()[0])
    for key in [str(action.data()) for action in button.menu().actions()]:
        draw(view, runs()[0])
        button.choose(key)
        for run in (*runs(), runs()[0]):
            picture = draw(view, run)
            if not lacks_all(view, run):
                check(view, run, picture, seen_state(view))
        assert ticked(button) == key


def test_that_compared_maps_agree_with_their_figure(qtbot: QtBot) -> None:
    view = opened(qtbot, CompareView)
    chooser = view.maps.colouring
    draw(view, runs()[0])
    for key, option in chosen_ways(chooser):
        draw(view, runs()[0])
        chooser.choose(key, option)
        for run in (*runs(), runs()[0]):
            picture = draw(view, run)
            seen = replace(view.state, by=chooser.key, option=chooser.option)
            check(view, run, picture, seen)
        assert (chooser.key, chooser.option) == (key, option)


def test_that_every_way_to_another_run_leaves_screen_and_figure_agreeing(qtbot: QtBot) -> None:
    window = shown_window(qtbot)
    session = Session(data=sample_data(), runs=runs(), shown=runs()[0].key, n_made=4)
    window.user_actions.use_session(session, "Open")
    wait_idle(qtbot, window)
    window.views.show_panes("2")
    window.views.panes[1].show_view("positions")
    wait_idle(qtbot, window)
    map_view, positions = (pane.view for pane in window.views.seen)
    assert isinstance(map_view, MapView)
    assert isinstance(positions, PositionsView)
    map_view.layers.choose("classes", "kind")
    positions.colouring.choose("clusters")

    def agree() -> None:
        wait_idle(qtbot, window)
        told_now = shown_run(window.user_actions.session)
        assert told_now is not None
        for view in (map_view, positions):
            picture: Any = view._picture
            assert picture.shown.run is told_now.run
            assert told(view.state.picture(told_now)) == told(picture)
            if not lacks_all(view, told_now.run):
                assert told(seen_state(view).picture(told_now)) == told(picture)
        offers = window.exporter.exporting.offers(window.views)
        assert {offer.state for offer in offers} >= {map_view.state, positions.state}

    agree()
    for run in (*runs()[1:], runs()[0]):
        click(window.runs.cards[run.key])
        agree()
    for _ in range(3):
        window.user_actions.undo()
        agree()
    window.user_actions.delete_run(window.user_actions.session.run.key)  # type: ignore[union-attr]
    agree()
    window.user_actions.undo()
    agree()
    assert positions.state.by == "clusters"
    window.close()


def test_that_a_new_name_reaches_views_that_name_runs(qtbot: QtBot) -> None:
    window = shown_window(qtbot)
    session = Session(data=sample_data(), runs=runs(), shown=runs()[0].key, n_made=4)
    window.user_actions.use_session(session, "Open")
    window.views.pane.show_view("quality")
    wait_idle(qtbot, window)
    view = window.views.pane.view
    assert isinstance(view, QualityView)
    window.user_actions.change_run(replace(runs()[0], name="my best"), "Rename")
    wait_idle(qtbot, window)
    headings = view.table.model()
    assert headings.headerData(0, Qt.Orientation.Horizontal) == "my best"
    window.close()


def test_that_the_pane_that_was_worked_in_is_exported_after_a_click_elsewhere(qtbot: QtBot) -> None:
    window = shown_window(qtbot)
    session = Session(data=sample_data(), runs=runs(), shown=runs()[0].key, n_made=4)
    window.user_actions.use_session(session, "Open")
    window.views.show_panes("2")
    window.views.panes[1].show_view("positions")
    wait_idle(qtbot, window)
    _, second = window.views.seen
    view = second.view
    assert isinstance(view, PositionsView)
    view.canvas.setFocus()
    click(window.runs.cards[runs()[1].key])
    wait_idle(qtbot, window)
    assert window.views.pane is second
    first, *_ = window.exporter.exporting.offers(window.views)
    assert first.state == view.state
    window.close()


def test_that_nobody_chose_what_the_first_table_happened_to_have(qtbot: QtBot) -> None:
    view = opened(qtbot, PositionsView)
    bare = replace(runs()[0], matrix=replace(runs()[0].matrix, item_labels={}), clustering=None)
    draw(view, bare)
    assert view.colouring.key == "plain"
    draw(view, runs()[0])
    assert (view.colouring.key, view.colouring.option) == ("label", "kind")


def test_that_names_of_a_label_that_a_map_lacks_become_those_of_its_own(qtbot: QtBot) -> None:
    view = opened(qtbot, MapView)
    draw(view, runs()[0])
    view.names.choose("kind")
    picture = draw(view, runs()[1])
    assert set(picture.texts.texts) <= {"G1", "S"} | {"a", "b"}
    assert len(picture.texts.texts)
    view.names.choose(ITEMS)
    assert draw(view, runs()[1]).texts.texts != picture.texts.texts
